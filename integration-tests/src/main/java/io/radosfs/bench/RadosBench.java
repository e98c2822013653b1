// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.PoolName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Ceph's own benchmark client. */
final class RadosBench {

  /** As large as the connector's objects are by default. */
  static final int OBJECT_BYTES = 4 << 20;

  /** OSDs refuse larger ones (osd_max_write_size, 90 MB): larger objects are written by several. */
  private static final int OPERATION_BYTES_AT_MOST = 64 << 20;

  private static final int SECONDS_AT_MOST = 120;
  private static final String RUN = "radosfs-bench";

  private final CephCli ceph;
  private final PoolName pool;
  private final int objectBytes;

  /** With objects of the size that the connector's have. */
  RadosBench(CephCli ceph, PoolName pool) {
    this(ceph, pool, OBJECT_BYTES);
  }

  RadosBench(CephCli ceph, PoolName pool, int objectBytes) {
    this.ceph = ceph;
    this.pool = pool;
    this.objectBytes = objectBytes;
  }

  /**
   * Writes that many bytes and leaves them; MiB/s.
   *
   * @param depth operations under way at a time
   */
  double write(long bytes, int depth) throws IOException {
    String objects = Long.toString(bytes / objectBytes);
    String operation = Integer.toString(Math.min(objectBytes, OPERATION_BYTES_AT_MOST));
    List<String> sizes = List.of("-b", operation, "-O", Integer.toString(objectBytes));
    return bench("write", depth, sizes, List.of("--no-cleanup", "--max-objects", objects));
  }

  /**
   * Reads what {@link #write} left, in its order; MiB/s.
   *
   * @param depth operations under way at a time
   */
  double read(int depth) throws IOException {
    return bench("seq", depth, List.of(), List.of());
  }

  /** Removes what {@link #write} left. */
  void cleanUp() throws IOException {
    byte[] unused = ceph.rados(pool, "cleanup", "--run-name", RUN);
  }

  private double bench(String mode, int depth, List<String> sizes, List<String> more)
      throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("bench", Integer.toString(SECONDS_AT_MOST), mode));
    arguments.addAll(List.of("-t", Integer.toString(depth), "--run-name", RUN));
    arguments.addAll(List.of("--format", "json"));
    arguments.addAll(sizes);
    arguments.addAll(more);
    byte[] printed = ceph.rados(pool, arguments.toArray(String[]::new));
    String output = new String(printed, StandardCharsets.UTF_8);
    // A line of plain text comes before the JSON.
    JsonNode result = new ObjectMapper().readTree(output.substring(output.indexOf('{')));
    return Double.parseDouble(result.get("bandwidth").asText());
  }
}
