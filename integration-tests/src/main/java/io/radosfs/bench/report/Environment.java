// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.PoolName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.util.VersionInfo;

/** What the figures depend on: releases and machine, by name. */
public record Environment(Map<String, String> versions, Map<String, String> machine) {

  private static final String COMMIT = "radosfs commit";
  private static final String UNKNOWN = "unknown";
  private static final String CORES = "cores";
  private static final String PROCESSOR = "processor";
  private static final String MEMORY = "memory";
  private static final String OSD = "osd.";

  /**
   * That of this process and of a cluster.
   *
   * @param commit radosfs's
   * @param localDirectory on the local disk that rados:// is compared with
   */
  public static Environment of(CephCli ceph, String commit, Path localDirectory)
      throws IOException {
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put(COMMIT, commit);
    versions.put("Ceph daemons", daemons(ceph.ceph("versions").path("overall")));
    versions.put("librados", librados(ceph));
    versions.put("Spark", org.apache.spark.package$.MODULE$.SPARK_VERSION());
    versions.put("Hadoop", VersionInfo.getVersion());
    versions.put("JDK", Runtime.version().toString());

    Map<String, String> machine = thisMachine();
    machine.put("heap", Runtime.getRuntime().maxMemory() / (1 << 20) + " MiB");
    FileStore disk = Files.getFileStore(localDirectory);
    machine.put(
        "local disk", disk.type() + " on " + disk.name() + ", " + gib(disk.getTotalSpace()));
    for (JsonNode osd : ceph.ceph("osd", "metadata")) {
      machine.put(OSD + osd.path("id").asInt(), osd(osd));
    }
    return new Environment(versions, machine);
  }

  /**
   * That of this machine alone, for what needs no cluster.
   *
   * @param commit radosfs's
   * @param others versions that count, by name
   */
  public static Environment withoutCluster(String commit, Map<String, String> others)
      throws IOException {
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put(COMMIT, commit);
    versions.putAll(others);
    return new Environment(versions, thisMachine());
  }

  private static Map<String, String> thisMachine() throws IOException {
    Map<String, String> machine = new LinkedHashMap<>();
    machine.put(CORES, Integer.toString(Runtime.getRuntime().availableProcessors()));
    machine.put(PROCESSOR, field(Path.of("/proc/cpuinfo"), "model name"));
    machine.put(MEMORY, field(Path.of("/proc/meminfo"), "MemTotal"));
    machine.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    return machine;
  }

  /** radosfs's, by which the figures of several runs are told apart. */
  public String commit() {
    return versions.getOrDefault(COMMIT, UNKNOWN);
  }

  /** On one line: what most of the figures depend on. */
  public String machineInShort() {
    return String.format(
        Locale.ROOT,
        "%s cores, %s, memory %s, OSDs: %d",
        machine.getOrDefault(CORES, UNKNOWN),
        machine.getOrDefault(PROCESSOR, UNKNOWN),
        machine.getOrDefault(MEMORY, UNKNOWN),
        osds());
  }

  /**
   * What the figures of two runs must have in common to be of the same thing.
   *
   * @param osds of the cluster; 0 where there was none
   */
  public record Kind(String cores, String processor, int osds) {}

  public Kind kind() {
    return new Kind(
        machine.getOrDefault(CORES, UNKNOWN), machine.getOrDefault(PROCESSOR, UNKNOWN), osds());
  }

  /** How many OSDs the cluster had; 0 where there was none. */
  public int osds() {
    return Math.toIntExact(machine.keySet().stream().filter(name -> name.startsWith(OSD)).count());
  }

  /** What {@code rados} says, which is of the same release as the library that it uses. */
  private static String librados(CephCli ceph) throws IOException {
    byte[] printed = ceph.rados(new PoolName("any", ""), "--version");
    return new String(printed, StandardCharsets.UTF_8).strip();
  }

  private static String daemons(JsonNode overall) {
    return overall.properties().stream()
        .map(version -> version.getKey() + " (" + version.getValue().asInt() + " daemons)")
        .collect(Collectors.joining("; "));
  }

  private static String osd(JsonNode metadata) {
    return metadata.path("osd_objectstore").asText()
        + " on "
        + metadata.path("bluestore_bdev_type").asText()
        + ", "
        + gib(metadata.path("bluestore_bdev_size").asLong());
  }

  private static String gib(long bytes) {
    return String.format(Locale.ROOT, "%.0f GiB", bytes / (double) (1 << 30));
  }

  /** The first of that name in a file of lines {@code name: value}. */
  private static String field(Path file, String name) throws IOException {
    try (var lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(UNKNOWN);
    }
  }
}
