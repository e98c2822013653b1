// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.radosfs.integration.programs.Program;
import io.radosfs.integration.programs.TableClient;
import io.radosfs.integration.spark.SparkOnCeph;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two processes append to one table at the same time, each with two threads: every commit is there
 * once, and every row. No table format has a lock here but the file system's exclusive rename.
 */
class ConcurrentAppendsIT {

  private static final int PROCESSES = 2;

  /** Commits of each process. */
  private static final int COMMITS = Deep.choose(4, 60);

  /** Whether two commits meet is chance. */
  private static final int MOST_ROUNDS = 10;

  private static final List<Program> CLIENTS = new ArrayList<>();
  private static SparkOnCeph on;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    on = SparkOnCeph.withNewPool();
    Map<String, String> settings = ExampleSettings.tableFormats(on.pool);
    // Few rows, and two cores for all.
    settings.put("spark.sql.shuffle.partitions", "1");
    settings.put("spark.databricks.delta.snapshotPartitions", "1");
    for (int process = 0; process < PROCESSES; process++) {
      CLIENTS.add(Program.start(folder, TableClient.class, settings, on.ceph.conf().toString()));
    }
    for (Program client : CLIENTS) {
      assertThat(client.answer()).isEqualTo("ready");
    }
  }

  @AfterAll
  static void stop() throws Exception {
    try {
      for (Program client : CLIENTS) {
        client.end();
      }
    } finally {
      CLIENTS.forEach(Program::close);
      on.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void noCommitIsLostOrDoubled(TableFormat format) throws Exception {
    assumeTrue(
        format == TableFormat.DELTA || !Boolean.getBoolean("radosfs.without.iceberg"),
        "there is no Iceberg for this Spark: see the profile in pom.xml");
    String name = "lake/db/" + format.name().toLowerCase(Locale.ROOT);
    String table = format + " " + on.uri(name);
    CLIENTS.get(0).tell("create " + table);
    assertThat(CLIENTS.get(0).answer()).isEqualTo("created");

    int commits = 0;
    long conflicts = 0;
    for (int round = 0; round < MOST_ROUNDS && conflicts == 0; round++) {
      append(table, (long) commits * TableClient.ROWS_OF_COMMIT);
      commits += PROCESSES * COMMITS;
      conflicts = conflictsOfWhole(table, commits);
    }
    assertThat(conflicts).as("conflicts, else nothing is shown").isPositive();
    assertThat(log(format, name))
        .containsExactlyElementsOf(
            LongStream.rangeClosed(0, commits)
                .mapToObj(commit -> name + "/" + format.logFile(commit))
                .sorted()
                .toList());
  }

  private static void append(String table, long first) throws IOException {
    long ids = first;
    for (Program client : CLIENTS) {
      client.tell("append " + table + " " + ids + " " + COMMITS);
      ids += (long) COMMITS * TableClient.ROWS_OF_COMMIT;
    }
    for (Program client : CLIENTS) {
      assertThat(client.answer()).isEqualTo("appended");
    }
  }

  /**
   * How many commits met another one, to each process, of a table that must have so many, each
   * once.
   */
  private static long conflictsOfWhole(String table, int commits) throws IOException {
    long ids = (long) commits * TableClient.ROWS_OF_COMMIT;
    long conflicts = Long.MAX_VALUE;
    for (Program client : CLIENTS) {
      client.tell("read " + table);
      String[] read = client.answer().split(" ", -1);
      assertThat(read).as("rows, ids, their sum, commits, conflicts").hasSize(5);
      assertThat(read[0]).as("rows").isEqualTo(Long.toString(ids));
      assertThat(read[1]).as("ids").isEqualTo(Long.toString(ids));
      assertThat(read[2]).as("sum of ids").isEqualTo(Long.toString(ids * (ids - 1) / 2));
      assertThat(read[3]).as("commits").isEqualTo(Integer.toString(commits));
      conflicts = Math.min(conflicts, Long.parseLong(read[4]));
    }
    return conflicts;
  }

  /**
   * From a local disk, which is gone afterwards. As connector/docs/migration.md says: Delta's log
   * has relative paths, so that its files are copied; Iceberg's has absolute ones.
   */
  @ParameterizedTest
  @EnumSource(names = "ICEBERG_CATALOG", mode = EnumSource.Mode.EXCLUDE)
  void aTableIsMigrated(TableFormat format, @TempDir Path disk) throws Exception {
    assumeTrue(
        format == TableFormat.DELTA || !Boolean.getBoolean("radosfs.without.iceberg"),
        "there is no Iceberg for this Spark: see the profile in pom.xml");
    Path local = disk.resolve("t");
    String before = format + " file://" + local;
    String after = on.uri("migrated/" + format.name().toLowerCase(Locale.ROOT));
    assertThat(told("create " + before)).isEqualTo("created");
    assertThat(told("append " + before + " 0 2")).isEqualTo("appended");

    if (format == TableFormat.DELTA) {
      FileSystem lake = on.fileSystem();
      lake.mkdirs(on.path("migrated"));
      lake.copyFromLocalFile(
          new org.apache.hadoop.fs.Path(local.toUri()), new org.apache.hadoop.fs.Path(after));
    } else {
      assertThat(told("rewrite " + before + " " + after)).isEqualTo("rewritten");
    }
    assertThat(FileUtil.fullyDelete(local.toFile())).isTrue();

    assertThat(told("read " + format + " " + after)).startsWith("20 20 190 ");
    assertThat(told("append " + format + " " + after + " 20 1")).isEqualTo("appended");
    assertThat(told("read " + format + " " + after)).startsWith("30 30 435 ");
  }

  private static String told(String line) throws IOException {
    CLIENTS.get(0).tell(line);
    return CLIENTS.get(0).answer();
  }

  /** The files of the log that are commits, of whatever number. */
  private static TreeSet<String> log(TableFormat format, String name) throws Exception {
    String like = format.logFile(0).replaceFirst("\\d+", "\\\\d+").replace(".", "\\.");
    TreeSet<String> log = on.files(name);
    log.removeIf(file -> !file.matches(name + "/" + like));
    return log;
  }
}
