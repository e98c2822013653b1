// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.radosfs.connector.cli.Radosfs;
import io.radosfs.integration.programs.Program;
import io.radosfs.integration.programs.StoppedDriverApp;
import io.radosfs.integration.tables.Deep;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.Encoders;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A Spark driver is killed by SIGKILL at steps of its commit: the table is the old or the new one,
 * whole; the command line finds the job and ends it; nothing is left, and the job can run again.
 */
class KilledDriverIT {

  private static final int OLD_ROWS = 100;

  /** A commit has more writes than that, by a few. */
  private static final int LAST = 20;

  /** More writes than a commit has: it is killed after it. */
  private static final int AFTER = 1_000;

  private static SparkOnCeph on;

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void start() {
    on = SparkOnCeph.withNewPool();
  }

  @AfterAll
  static void stop() {
    on.close();
  }

  /** Writes of commitJob that are done when the driver is killed. */
  static List<Integer> writes() {
    List<Integer> writes = new ArrayList<>();
    if (Deep.choose(0, 1) == 0) {
      writes.addAll(List.of(0, 2, 12, LAST));
    } else {
      // With the last of them it is over.
      IntStream.range(0, LAST + 10).forEach(writes::add);
    }
    writes.add(AFTER);
    return writes;
  }

  @ParameterizedTest
  @MethodSource("writes")
  void theTableIsOldOrNewAndTheJobIsEnded(int writes) throws Exception {
    String name = "table" + writes;
    StoppedDriverApp.write(on.spark, on.uri(name), OLD_ROWS, 3);

    Killed driver = killADriver(name, writes);

    int rows = rows(name);
    assertThat(rows).isIn(OLD_ROWS, StoppedDriverApp.ROWS);
    JsonNode jobs = jobs(name);
    if (driver.inCommit()) {
      assertThat(run("fsck", on.uri(""))).as(out.toString()).isZero();
    }
    if (writes == 0) {
      assertThat(jobs).hasSize(1);
      assertThat(jobs.get(0).get("state").asText()).isEqualTo("RUNNING");
      assertThat(jobs.get(0).get("pid").asLong()).isEqualTo(driver.pid());
      assertThat(jobs.get(0).get("tasksCommitted").asInt()).isEqualTo(2);
      assertThat(run("jobs", "recover", on.uri(name), jobs.get(0).get("id").asText())).isEqualTo(1);
      assertThat(err.toString()).contains("may be alive").contains("pid " + driver.pid());
    }
    if (jobs.isEmpty()) {
      assertThat(rows).as("a job that is done is committed").isEqualTo(StoppedDriverApp.ROWS);
    } else if (writes % 2 == 0) {
      String id = jobs.get(0).get("id").asText();
      assertThat(run("jobs", "recover", "--force", on.uri(name), id)).as(err.toString()).isZero();
    }
    assertThat(run("gc", "--older-than", "0s", "--replaced-now", on.uri("")))
        .as(out.toString())
        .isZero();
    assertThat(rows(name)).isEqualTo(rows);
    assertThat(jobs(name)).isEmpty();
    assertThat(run("fsck", "--data", on.uri(""))).as(out.toString()).isZero();
    assertThat(on.objects().jobs()).isEmpty();
    assertThat(on.objects().dataObjectsBelow(name)).isEqualTo(on.files(name).size());

    StoppedDriverApp.write(on.spark, on.uri(name), StoppedDriverApp.ROWS, 4);
    assertThat(rows(name)).isEqualTo(StoppedDriverApp.ROWS);
  }

  /**
   * A dead driver.
   *
   * @param inCommit whether it was killed in its commit, or after it
   */
  private record Killed(long pid, boolean inCommit) {}

  private Killed killADriver(String name, int writes) throws Exception {
    Map<String, String> properties =
        Map.of(
            StoppingCommitProtocol.WRITES,
            Integer.toString(writes),
            "spark.hadoop.fs.rados.cluster.factory",
            HookedConnections.class.getName());
    try (Program driver =
        Program.start(
            folder, StoppedDriverApp.class, properties, on.ceph.conf().toString(), on.uri(name))) {
      String answer = driver.answer();
      assertThat(answer).isIn(StoppingWrites.STOPPED, StoppedDriverApp.COMMITTED);
      boolean inCommit = answer.equals(StoppingWrites.STOPPED);
      if (writes <= LAST || writes == AFTER) {
        assertThat(inCommit).isEqualTo(writes <= LAST);
      }
      long pid = driver.pid();
      driver.kill();
      return new Killed(pid, inCommit);
    }
  }

  /** How many rows there are, which are to be those from 0 on. */
  private static int rows(String name) {
    List<Long> ids =
        on
            .spark
            .read()
            .parquet(on.uri(name))
            .select("id")
            .as(Encoders.LONG())
            .collectAsList()
            .stream()
            .sorted()
            .toList();
    for (int i = 0; i < ids.size(); i++) {
      assertThat(ids.get(i)).isEqualTo(i);
    }
    return ids.size();
  }

  private JsonNode jobs(String name) throws IOException {
    assertThat(run("jobs", "list", "--json", on.uri(name))).as(err.toString()).isZero();
    ArrayNode jobs = new ObjectMapper().createArrayNode();
    for (String line : out.toString().lines().toList()) {
      jobs.add(new ObjectMapper().readTree(line));
    }
    return jobs;
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.add("-Dfs.rados.ceph.conf=" + on.ceph.conf());
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Radosfs.run(new PrintWriter(out), new PrintWriter(err), all.toArray(new String[0]));
  }
}
