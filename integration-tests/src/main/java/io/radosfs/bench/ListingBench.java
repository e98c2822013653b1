// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.programs.ListingProgram;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.connector.RadosFileSystem;
import io.radosfs.connector.layout.Uid;
import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.PoolName;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * A large directory listed through {@code FileSystem.listStatusIterator}, in a process whose heap
 * could not hold it. Its entries are made by large commits and have no data, in a namespace of
 * their own, which goes with its objects in the end.
 */
final class ListingBench implements BenchPart {

  private static final double GOAL = 150_000;

  /** A large directory is in many objects, each of which every commit changes. */
  private static final int ENTRIES_A_COMMIT = 50_000;

  private static final int HEAP_MIB = 64;
  private static final int OBJECTS_A_COMMAND = 500;

  private final PoolName pool;
  private final Path cephConf;
  private final Configuration configuration;
  private final int entries;
  private final int rounds;
  private final TimeTold progress;
  private final Samples rate = new Samples();

  ListingBench(
      URI base,
      Path cephConf,
      Configuration configuration,
      int entries,
      int rounds,
      TimeTold progress) {
    this.pool = new PoolName(PoolName.of(base).pool(), "bench-listing-" + Uid.random());
    this.cephConf = cephConf;
    this.configuration = configuration;
    this.entries = entries;
    this.rounds = rounds;
    this.progress = progress;
  }

  @Override
  public void run(BenchResults results) throws IOException {
    progress.begin("listing", rounds + 1);
    Figures figures = new Figures("listing");
    URI directory = URI.create("rados://" + pool.namespace() + "@" + pool.pool() + "/large");
    try {
      fill(directory);
      list(directory);
    } finally {
      removeObjects();
    }
    figures.atLeast(
        String.format(Locale.ROOT, "%,d entries listed in %d MiB", entries, HEAP_MIB),
        rate,
        "/s",
        GOAL);
    results.measured(figures.list());
  }

  private void fill(URI uri) throws IOException {
    long started = System.nanoTime();
    try (FileSystem fileSystem = FileSystem.newInstance(uri, configuration)) {
      NamesWithoutData.make(
          (RadosFileSystem) fileSystem,
          new org.apache.hadoop.fs.Path(uri),
          entries,
          ENTRIES_A_COMMIT);
    }
    progress.say("made %,d entries in %.1f s", entries, (System.nanoTime() - started) / 1e9);
  }

  private void list(URI directory) throws IOException {
    List<String> lines = runProgram(directory);
    for (int round = 0; round < lines.size(); round++) {
      String[] words = lines.get(round).split(" ", -1);
      long seen = Long.parseLong(words[0]);
      if (seen != entries) {
        throw new IOException("listed " + seen + " of " + entries + " entries");
      }
      double seconds = Long.parseLong(words[1]) / 1e9;
      if (round > 0) {
        rate.add(entries / seconds);
      }
      progress.done(
          1,
          "%s: %,d entries in %.2f s",
          round == 0 ? "warm-up" : "round " + round,
          entries,
          seconds);
    }
  }

  /** Its lines, the warm-up's first. */
  private List<String> runProgram(URI directory) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> !argument.startsWith("-Xm"))
        .forEach(command::add);
    command.add("-Xmx" + HEAP_MIB + "m");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(ListingProgram.class.getName());
    command.add(directory.toString());
    command.add(cephConf.toAbsolutePath().toString());
    command.add(Integer.toString(rounds + 1));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      int status = process.waitFor();
      if (status != 0) {
        throw new IOException(
            "listing with a heap of " + HEAP_MIB + " MiB failed with status " + status);
      }
    } catch (InterruptedException e) {
      process.destroy();
      throw new InterruptedIOException("interrupted while listing");
    }
    return printed.lines().toList();
  }

  /** Index and superblock alone, as no entry has data. */
  private void removeObjects() throws IOException {
    CephCli ceph = new CephCli(cephConf);
    List<String> objects = ceph.objects(pool);
    for (int from = 0; from < objects.size(); from += OBJECTS_A_COMMAND) {
      List<String> command = new ArrayList<>(List.of("rm"));
      command.addAll(objects.subList(from, Math.min(objects.size(), from + OBJECTS_A_COMMAND)));
      byte[] unused = ceph.rados(pool, command.toArray(String[]::new));
    }
  }
}
