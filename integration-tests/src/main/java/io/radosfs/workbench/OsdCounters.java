package io.radosfs.workbench;

/**
 * Client operations as the OSDs count them; what an OSD sends to its replicas is not among them.
 *
 * @param writes operations that change an object
 * @param bytesWritten bytes that came with them: data, names, omap keys and values
 * @param reads operations that only read
 * @param bytesRead bytes that they answered
 */
public record OsdCounters(long writes, long bytesWritten, long reads, long bytesRead) {

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
