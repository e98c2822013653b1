// SPDX-License-Identifier: Apache-2.0
package io.radosfs.workbench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs {@code ceph} and {@code rados} against one cluster, with the rights of its admin. Whatever
 * {@code CEPH_ARGS} says: a {@code --conf} there would beat the one given here.
 */
public final class CephCli {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path conf;

  public CephCli(Path conf) {
    this.conf = conf;
  }

  /** The objects of a pool's namespace, sorted ({@code rados ls}). */
  public List<String> objects(PoolName pool) throws IOException {
    List<String> names = new ArrayList<>();
    for (JsonNode object : JSON.readTree(rados(pool, "ls", "--format", "json"))) {
      names.add(object.get("name").asText());
    }
    names.sort(null);
    return names;
  }

  /** What a {@code rados} command on a pool prints. */
  public byte[] rados(PoolName pool, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("rados", "--pool", pool.pool()));
    if (!pool.namespace().isEmpty()) {
      command.addAll(List.of("--namespace", pool.namespace()));
    }
    command.addAll(List.of(arguments));
    return run(command);
  }

  /** What a {@code ceph} command prints as JSON. */
  public JsonNode ceph(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("ceph"));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--format", "json"));
    return JSON.readTree(run(command));
  }

  /** What the OSDs have counted so far of their clients' operations, in all pools. */
  public OsdCounters osdCounters() throws IOException {
    OsdCounters sum = OsdCounters.NONE;
    for (JsonNode osd : ceph("osd", "ls")) {
      sum = sum.plus(OsdCounters.of(ceph("tell", "osd." + osd.asInt(), "perf", "dump", "osd")));
    }
    return sum;
  }

  private byte[] run(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(arguments);
    command.addAll(1, List.of("--conf", conf.toString()));
    Path errors = Files.createTempFile("ceph-cli", ".err");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectInput(new java.io.File("/dev/null"))
              .redirectError(errors.toFile());
      builder.environment().remove("CEPH_ARGS");
      Process process = builder.start();
      byte[] output = process.getInputStream().readAllBytes();
      int status = process.waitFor();
      if (status != 0) {
        throw new IOException(
            String.join(" ", command)
                + " failed with status "
                + status
                + ": "
                + Files.readString(errors, StandardCharsets.UTF_8).strip());
      }
      return output;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(String.join(" ", command));
    } finally {
      try {
        Files.deleteIfExists(errors);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
