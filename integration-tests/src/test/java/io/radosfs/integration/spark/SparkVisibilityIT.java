// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.integration.programs.Rows;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What readers see while jobs write: all of a job or nothing, whichever way they look. */
class SparkVisibilityIT {

  private static final int PARTITIONS = 50;
  private static final int READERS = 3;

  private static SparkOnCeph on;

  @BeforeAll
  static void start() {
    on = SparkOnCeph.withNewPool();
  }

  @AfterAll
  static void stop() {
    on.close();
  }

  @Test
  void aReaderSeesNoFileUntilTheCommitAndThenAll() throws Exception {
    List<Set<String>> seen = new ArrayList<>();
    whileReading(
        fileSystem -> note(seen, names(fileSystem, on.path("single"))),
        () -> slowly(8).write().parquet(on.uri("single")));
    Set<String> all = names(on.fileSystem(), on.path("single"));
    assertThat(all).hasSize(9).contains("_SUCCESS");
    assertThat(seen).containsExactly(Set.of(), all);
  }

  @Test
  void aReaderSeesTheOldFilesUntilTheCommitOfAnOverwriteAndThenTheNew() throws Exception {
    slowly(4).write().orc(on.uri("replaced"));
    Set<String> old = names(on.fileSystem(), on.path("replaced"));
    List<Set<String>> seen = new ArrayList<>();
    whileReading(
        fileSystem -> note(seen, names(fileSystem, on.path("replaced"))),
        () -> slowly(8).write().mode(SaveMode.Overwrite).orc(on.uri("replaced")));
    Set<String> replaced = names(on.fileSystem(), on.path("replaced"));
    assertThat(replaced).hasSize(9).isNotEqualTo(old);
    assertThat(seen).containsExactly(old, replaced);
  }

  @Test
  void anOverwriteOfPartitionsIsSeenAtOneInstant() throws Exception {
    write(SaveMode.ErrorIfExists, "replaced-partitions", 10);
    List<Set<String>> seen = new ArrayList<>();
    whileReading(
        fileSystem -> {
          Set<String> each = new TreeSet<>();
          // Each directory is one read; what they show together is not, so only one is noted.
          each.addAll(names(fileSystem, on.path("replaced-partitions")));
          each.remove("_SUCCESS");
          note(seen, each);
        },
        () -> write(SaveMode.Overwrite, "replaced-partitions", 20));
    assertThat(seen).hasSize(2);
    assertThat(seen.get(0)).hasSize(10);
    assertThat(seen.get(1)).hasSize(20);
  }

  /**
   * I5: several jobs add one file to each of 50 partitions, one job after another. Whoever begins
   * to look once anybody has seen files of n jobs sees those of n jobs at least, in every
   * partition, by listing or by name.
   */
  @Test
  void jobsOverPartitionsAreSeenAtOneInstantEach() throws Exception {
    int jobs = 6;
    AtomicInteger mostSeen = new AtomicInteger();
    AtomicReference<String> lastName = new AtomicReference<>();
    AtomicInteger reads = new AtomicInteger();
    Path table = on.path("fifty");
    Random random = new Random(5);
    whileReading(
        fileSystem -> {
          int atLeast = mostSeen.get();
          String name = lastName.get();
          Path partition = new Path(table, "p=" + random.nextInt(PARTITIONS));
          reads.incrementAndGet();
          if (name != null && random.nextBoolean()) {
            assertThat(fileSystem.exists(new Path(partition, name)))
                .as("%s in %s, seen in another partition before", name, partition)
                .isTrue();
          } else {
            Set<String> files = names(fileSystem, partition);
            assertThat(files.size())
                .as("files in %s, when %s jobs were seen before", partition, atLeast)
                .isGreaterThanOrEqualTo(atLeast);
            if (files.size() > atLeast) {
              mostSeen.accumulateAndGet(files.size(), Math::max);
              files.stream().findFirst().ifPresent(lastName::set);
            }
          }
        },
        () -> {
          for (int job = 0; job < jobs; job++) {
            write(SaveMode.Append, "fifty", PARTITIONS);
          }
        });
    assertThat(mostSeen).hasValue(jobs);
    assertThat(reads.get()).isGreaterThan(200);
    for (int p = 0; p < PARTITIONS; p++) {
      assertThat(names(on.fileSystem(), new Path(table, "p=" + p))).hasSize(jobs);
    }
  }

  /**
   * I5 for overwrites: each partition always has the one file of one job, and once anybody has seen
   * a file of the n-th job, nobody who begins to look after that sees one of an earlier job.
   */
  @Test
  void overwritesOfPartitionsAreSeenAtOneInstantEach() throws Exception {
    int jobs = 5;
    int partitions = 20;
    Path table = on.path("fifty-replaced");
    write(SaveMode.ErrorIfExists, "fifty-replaced", partitions);
    List<String> generations = new ArrayList<>();
    Random random = new Random(6);
    whileReading(
        fileSystem -> {
          int atLeast;
          synchronized (generations) {
            atLeast = generations.size() - 1;
          }
          Path partition = new Path(table, "p=" + random.nextInt(partitions));
          Set<String> files = names(fileSystem, partition);
          assertThat(files).as("files in %s", partition).hasSize(1);
          synchronized (generations) {
            String file = files.iterator().next();
            if (!generations.contains(file)) {
              generations.add(file);
            }
            assertThat(generations.indexOf(file))
                .as("job of the file in %s", partition)
                .isGreaterThanOrEqualTo(atLeast);
          }
        },
        () -> {
          for (int job = 0; job < jobs; job++) {
            write(SaveMode.Overwrite, "fifty-replaced", partitions);
          }
        });
    assertThat(generations).hasSize(jobs + 1);
  }

  /** One file in each partition, all of one name. */
  private static void write(SaveMode mode, String table, int partitions) {
    slowly(1)
        .selectExpr("value", "explode(sequence(0, " + (partitions - 1) + ")) AS p")
        .write()
        .mode(mode)
        .partitionBy("p")
        .parquet(on.uri(table));
  }

  /** Rows from so many tasks that take their time, in turns. */
  private static Dataset<Long> slowly(int tasks) {
    MapPartitionsFunction<Long, Long> slow = numbers -> Rows.then(numbers, () -> Thread.sleep(100));
    return on.spark
        .range(0, 100L * tasks, 1, tasks)
        .as(Encoders.LONG())
        .mapPartitions(slow, Encoders.LONG());
  }

  /** What a reader does again and again, with a file system of its own. */
  private interface Look {
    void at(FileSystem fileSystem) throws Exception;
  }

  private interface Work {
    void run() throws Exception;
  }

  private static void whileReading(Look look, Work work) throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    ExecutorService readers = Executors.newFixedThreadPool(READERS);
    try {
      List<Future<Void>> results = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        results.add(
            readers.submit(
                (Callable<Void>)
                    () -> {
                      try (FileSystem fileSystem = on.newFileSystem()) {
                        while (!stop.get()) {
                          look.at(fileSystem);
                          Thread.sleep(1);
                        }
                        look.at(fileSystem);
                      }
                      return null;
                    }));
      }
      Thread.sleep(100);
      try {
        work.run();
      } finally {
        stop.set(true);
      }
      for (Future<Void> result : results) {
        result.get();
      }
    } finally {
      readers.shutdownNow();
    }
  }

  /** The names in a directory, none for one that is not there. */
  private static Set<String> names(FileSystem fileSystem, Path directory) throws IOException {
    Set<String> names = new TreeSet<>();
    try {
      for (FileStatus status : fileSystem.listStatus(directory)) {
        names.add(status.getPath().getName());
      }
    } catch (FileNotFoundException e) {
      // as empty
    }
    return names;
  }

  private static void note(List<Set<String>> seen, Set<String> now) {
    synchronized (seen) {
      // A reader that looked earlier may get here later: what was noted once is no news.
      if (!seen.contains(now)) {
        seen.add(now);
      }
    }
  }
}
