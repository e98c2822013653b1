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

/** Ceph's own benchmark client, with objects of the size that the connector's have. */
final class RadosBench {

  private static final int OBJECT_BYTES = 4 << 20;
  private static final int SECONDS_AT_MOST = 120;
  private static final String RUN = "radosfs-bench";

  private final CephCli ceph;
  private final PoolName pool;

  RadosBench(CephCli ceph, PoolName pool) {
    this.ceph = ceph;
    this.pool = pool;
  }

  /**
   * Writes that many bytes and leaves them; MiB/s.
   *
   * @param depth operations under way at a time
   */
  double write(long bytes, int depth) throws IOException {
    String objects = Long.toString(bytes / OBJECT_BYTES);
    String size = Integer.toString(OBJECT_BYTES);
    return bench("write", depth, "-b", size, "--no-cleanup", "--max-objects", objects);
  }

  /**
   * Reads what {@link #write} left, in its order; MiB/s.
   *
   * @param depth operations under way at a time
   */
  double read(int depth) throws IOException {
    return bench("seq", depth);
  }

  /** Removes what {@link #write} left. */
  void cleanUp() throws IOException {
    ceph.rados(pool, "cleanup", "--run-name", RUN);
  }

  private double bench(String mode, int depth, String... more) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("bench", Integer.toString(SECONDS_AT_MOST), mode));
    arguments.addAll(List.of("-t", Integer.toString(depth), "--run-name", RUN));
    arguments.addAll(List.of("--format", "json"));
    arguments.addAll(List.of(more));
    byte[] printed = ceph.rados(pool, arguments.toArray(String[]::new));
    String output = new String(printed, StandardCharsets.UTF_8);
    // A line of plain text comes before the JSON.
    JsonNode result = new ObjectMapper().readTree(output.substring(output.indexOf('{')));
    return Double.parseDouble(result.get("bandwidth").asText());
  }
}
