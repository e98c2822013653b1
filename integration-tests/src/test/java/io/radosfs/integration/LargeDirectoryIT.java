// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.uri.Authority;
import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.programs.DirectoryListingProgram;
import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.PoolName;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory that grows far beyond what one object should hold: by files that several clients
 * create at once, during which it is split, then by commits of jobs. It is listed in little memory,
 * looked up in and removed. {@code -Pdeep} for a million files and the default settings.
 */
class LargeDirectoryIT {

  private static final Logger LOG = LoggerFactory.getLogger(LargeDirectoryIT.class);

  private static final boolean DEEP = Boolean.getBoolean("radosfs.deep");
  private static final int FILES = DEEP ? 1_000_000 : 5_000;
  private static final int CREATED = DEEP ? 80_000 : 2_000;
  private static final int COMMITS = 4;
  private static final int SHARDS = DEEP ? 64 : 8;
  private static final int MOST_KEYS = DEEP ? 100_000 : 1_000;
  private static final int CLIENTS = 2;
  private static final int THREADS = 8;

  private final CephCluster ceph = CephCluster.shared();
  private final Path directory = new Path("/large");
  private String pool;
  private Configuration conf;

  @BeforeEach
  void createPool() throws IOException {
    pool = ceph.createPool();
    conf = new Configuration();
    conf.set("fs.rados.ceph.conf", ceph.conf().toString());
    if (!DEEP) {
      conf.set("fs.rados.directory.threshold", "500");
      conf.setInt("fs.rados.directory.shards", SHARDS);
    }
  }

  @AfterEach
  void deletePool() {
    ceph.deletePool(pool);
  }

  private URI uri() {
    return URI.create("rados://" + pool + "/");
  }

  private FileSystem open() throws IOException {
    return FileSystem.newInstance(uri(), conf);
  }

  private static String name(int file) {
    return String.format("part-%07d", file);
  }

  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }

  private static void step(String name, Step step) throws Exception {
    long started = System.nanoTime();
    step.run();
    LOG.info("{}: {} ms", name, (System.nanoTime() - started) / 1_000_000);
  }

  @Test
  void manyFilesInOneDirectory() throws Exception {
    try (FileSystem fs = open()) {
      assertThat(fs.mkdirs(directory)).isTrue();
      step("create " + CREATED, this::create);
      noObjectIsTooLarge(CREATED);
      step("commit " + (FILES - CREATED), this::commit);
      noObjectIsTooLarge(FILES);
      step("list " + FILES, () -> allAreListedIn64MiB());
      step("list all at once", () -> assertThat(fs.listStatus(directory)).hasSize(FILES));
      step("look up", () -> someAreFound(fs));
      assertThat(fs.rename(file(1), new Path(directory, "renamed"))).isTrue();
      assertThat(fs.exists(file(1))).isFalse();
      assertThat(fs.exists(new Path(directory, "renamed"))).isTrue();
      step("delete", () -> assertThat(fs.delete(directory, true)).isTrue());
      assertThat(fs.exists(directory)).isFalse();
    }
    assertThat(new CephCli(ceph.conf()).objects(new PoolName(pool, "")))
        .as("what is left")
        .allMatch(object -> object.equals("/") || object.startsWith("//"));
  }

  private Path file(int number) {
    return new Path(directory, name(number));
  }

  private void create() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS * THREADS);
    List<Future<?>> work = new ArrayList<>();
    List<FileSystem> clients = new ArrayList<>();
    try {
      for (int client = 0; client < CLIENTS; client++) {
        FileSystem fs = open();
        clients.add(fs);
        for (int thread = 0; thread < THREADS; thread++) {
          int first = client * THREADS + thread;
          work.add(
              threads.submit(
                  () -> {
                    for (int file = first; file < CREATED; file += CLIENTS * THREADS) {
                      try (OutputStream out = fs.create(file(file), false)) {
                        if (file % 1000 == 0) {
                          out.write(name(file).getBytes(UTF_8));
                        }
                      }
                    }
                    return null;
                  }));
        }
      }
      for (Future<?> each : work) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
      for (FileSystem fs : clients) {
        fs.close();
      }
    }
  }

  /** As a job commits whose files are written; these have no data, which nobody misses here. */
  private void commit() throws IOException {
    FsPath large = FsPath.parse("/large");
    Attributes attributes = new Attributes(1, 0644, "job", "job");
    try (Mount mount = Mount.open(Authority.of(uri()), conf)) {
      Transactions transactions = mount.transactions(attributes);
      for (int k = 0; k < COMMITS; k++) {
        Map<String, Entry> files = new HashMap<>();
        for (int file = CREATED + k; file < FILES; file += COMMITS) {
          FsPath path = large.child(name(file));
          files.put(
              path.name(),
              new Entry.OfFile(
                  new FileData(path, Uid.random(), true, 0, 1 << 22, Optional.empty()),
                  0,
                  attributes));
        }
        Registration job = new Registration("job-" + k, large, "large//job/job-" + k);
        transactions.register(job);
        transactions.commit(job, Map.of(large, DirectoryChange.adding(files)), Set.of());
        transactions.forget(job);
      }
    }
  }

  private void noObjectIsTooLarge(int files) throws IOException {
    CephCli rados = new CephCli(ceph.conf());
    PoolName name = new PoolName(pool, "");
    List<String> index = new ArrayList<>(List.of("/", "large/"));
    for (int k = 0; k < SHARDS; k++) {
      index.add(shard(rados, name, k));
    }
    long keys = 0;
    for (String object : index) {
      long count = new String(rados.rados(name, "listomapkeys", object), UTF_8).lines().count();
      assertThat(count).as("omap keys of %s", object).isLessThanOrEqualTo(MOST_KEYS);
      keys += count;
    }
    assertThat(keys).isBetween((long) files, files + 10L * index.size());
  }

  private static String shard(CephCli rados, PoolName pool, int k) throws IOException {
    String head = new String(rados.rados(pool, "getomapval", "large/", "h", "/dev/stdout"), UTF_8);
    String generation =
        head.replaceFirst("(?s).*shards=" + SHARDS + "/([0-9a-f]{24}) open.*", "$1");
    return String.format("large//shard/%s/%04x", generation, k);
  }

  private void allAreListedIn64MiB() throws IOException {
    String output =
        ChildJvm.runInHeap(
            64,
            DirectoryListingProgram.class,
            uri().toString(),
            ceph.conf().toString(),
            directory.toString());
    LOG.info("listing: {}", output);
    assertThat(output).contains("listed " + FILES + " different " + FILES);
  }

  private void someAreFound(FileSystem fs) throws IOException {
    for (int number = 0; number < CREATED; number += 1000) {
      try (var in = fs.open(file(number))) {
        assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo(name(number));
      }
    }
    for (int number = 0; number < FILES; number += FILES / 500) {
      assertThat(fs.getFileStatus(file(number)).isFile()).isTrue();
    }
    assertThat(fs.exists(file(FILES))).isFalse();
  }
}
