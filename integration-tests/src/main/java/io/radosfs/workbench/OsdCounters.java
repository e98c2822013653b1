// SPDX-License-Identifier: Apache-2.0
package io.radosfs.workbench;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Client operations as the OSDs count them; what an OSD sends to its replicas is not among them.
 *
 * @param writes operations that change an object
 * @param bytesWritten bytes of data that came with them; omap keys and values are not among them
 * @param reads operations that only read
 * @param bytesRead bytes that they answered
 */
public record OsdCounters(long writes, long bytesWritten, long reads, long bytesRead) {

  public static final OsdCounters NONE = new OsdCounters(0, 0, 0, 0);

  /** Reads what {@code ceph tell osd.N perf dump osd} answers. */
  public static OsdCounters of(JsonNode perfDump) {
    JsonNode osd = perfDump.get("osd");
    return new OsdCounters(
        osd.get("op_w").asLong() + osd.get("op_rw").asLong(),
        osd.get("op_w_in_bytes").asLong() + osd.get("op_rw_in_bytes").asLong(),
        osd.get("op_r").asLong(),
        osd.get("op_r_out_bytes").asLong());
  }

  public OsdCounters plus(OsdCounters other) {
    return new OsdCounters(
        writes + other.writes,
        bytesWritten + other.bytesWritten,
        reads + other.reads,
        bytesRead + other.bytesRead);
  }

  public OsdCounters minus(OsdCounters other) {
    return new OsdCounters(
        writes - other.writes,
        bytesWritten - other.bytesWritten,
        reads - other.reads,
        bytesRead - other.bytesRead);
  }
}
