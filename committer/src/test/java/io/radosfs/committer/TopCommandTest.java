// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.committer.stages.CommitJobStage;
import io.radosfs.committer.stages.CommitTaskStage;
import io.radosfs.committer.stages.Job;
import io.radosfs.committer.stages.OverwriteConflict;
import io.radosfs.committer.stages.RequireEmpty;
import io.radosfs.committer.stages.Selection;
import io.radosfs.committer.stages.SetupJobStage;
import io.radosfs.connector.RadosFileSystem;
import io.radosfs.connector.cli.Radosfs;
import io.radosfs.connector.docs.Repository;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code radosfs top}. */
class TopCommandTest {

  private static final Path OUT = new Path("rados://meta/sales/out");

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");
  private final Configuration conf = SimulatedConnections.configuration(cluster);
  private final SimulatedClient user = cluster.client("client.admin");
  private final Refreshes out = new Refreshes();
  private final StringWriter err = new StringWriter();
  private FileSystem fs;
  private Destination destination;

  /** What happens after each refresh, beside the program. */
  private static final class Refreshes extends StringWriter {
    private final Queue<InvocationRaisingIOE> then = new ArrayDeque<>();
    private int flushed;

    /** The program flushes it when it has printed a refresh. */
    @Override
    public void flush() {
      if (getBuffer().length() == flushed) {
        return; // nothing new
      }
      flushed = getBuffer().length();
      InvocationRaisingIOE next = then.poll();
      if (next != null) {
        try {
          next.apply();
        } catch (IOException e) {
          throw new AssertionError(e);
        }
      }
    }
  }

  @BeforeEach
  void open() throws IOException {
    fs = FileSystem.newInstance(OUT.toUri(), conf);
    destination = new Destination(OUT, ((RadosFileSystem) fs).jobs());
  }

  @AfterEach
  void close() throws IOException {
    fs.close();
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of("top"));
    all.addAll(List.of(args));
    if (!all.contains("--interval")) {
      all.addAll(List.of("--interval", "20ms"));
    }
    for (String key : new String[] {"fs.rados.cluster.factory", "fs.rados.ceph.conf"}) {
      all.add("-D" + key + "=" + conf.get(key));
    }
    out.getBuffer().setLength(0);
    out.flushed = 0;
    err.getBuffer().setLength(0);
    return Radosfs.run(new PrintWriter(out), new PrintWriter(err), all.toArray(new String[0]));
  }

  /** The results of this type, in their order. */
  private List<JsonNode> results(String type) throws IOException {
    List<JsonNode> found = new ArrayList<>();
    for (String line : out.toString().lines().toList()) {
      JsonNode node = new ObjectMapper().readTree(line);
      if (node.get("type").asText().equals(type)) {
        found.add(node);
      }
    }
    return found;
  }

  private Job setUp(String id) throws IOException {
    Job job = destination.job(id);
    SetupJobStage.run(
        job,
        Destination.info(id, "uuid-" + id, "JobUUID", "spark"),
        RequireEmpty.NOTHING,
        OverwriteConflict.WAIT,
        Duration.ofHours(1));
    return job;
  }

  private void write(Job job, int task, int bytes) throws IOException {
    TaskAttempt attempt = new TaskAttempt("m" + task, "0");
    try (FSDataOutputStream file =
        fs.create(destination.workPath(job.id(), attempt, "part-" + task))) {
      file.write(new byte[bytes]);
    }
    var unused = CommitTaskStage.run(job, attempt, 1);
  }

  private static void commit(Job job) throws IOException {
    var unused =
        CommitJobStage.run(
            job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true));
  }

  @Test
  void showsJobsAndWhatTheyAddFromOneRefreshToTheNext() throws IOException {
    Job idle = setUp("idle");
    Job busy = setUp("busy");
    out.then.add(() -> write(busy, 0, 5_000));
    assertThat(run("--bytes", "--count", "2", "rados://meta/sales")).as(err.toString()).isZero();
    String[] refreshes = out.toString().split("\n\n(?=\\d{4}-)");
    assertThat(refreshes).hasSize(2);
    String owner = " \\S+@\\S+ pid " + ProcessHandle.current().pid();
    assertThat(refreshes[0])
        .containsPattern("(?m)^\\S+Z  rados://meta/sales  2 jobs, -/s$")
        .containsPattern("(?m)^meta +index +- +- +- +-$")
        .containsPattern(
            "(?m)^RUNNING +busy +/sales/out +0 +0 +0 +- +\\d+ s +\\d+ s ago +" + owner + "$");
    assertThat(refreshes[1])
        .containsPattern("(?m)^meta +index +\\d+ +[0-9.]+ +[1-9]\\d* +[0-9.]+$")
        .containsPattern("(?m)^RUNNING +busy +/sales/out +1 +1 +5000 +[1-9]\\d* +\\d+ s ")
        .containsPattern("(?m)^RUNNING +idle +/sales/out +0 +0 +0 +0 +\\d+ s ");
    assertThat(refreshes[1].indexOf("busy")).isLessThan(refreshes[1].indexOf("idle"));
    commit(idle);
    commit(busy);
  }

  @Test
  void asObjects() throws IOException {
    Job job = setUp("j1");
    out.then.add(() -> write(job, 0, 5_000));
    assertThat(run("--json", "-n", "2", "rados://meta/")).as(err.toString()).isZero();
    assertThat(results("summary")).hasSize(2).allMatch(summary -> summary.get("jobs").asInt() == 1);
    List<JsonNode> jobs = results("job");
    assertThat(jobs).hasSize(2).allMatch(each -> each.get("id").asText().equals("j1"));
    assertThat(jobs.get(0).has("bytesPerSecond")).isFalse();
    assertThat(jobs.get(1).get("bytesPerSecond").asDouble()).isPositive();
    assertThat(jobs.get(1).get("bytes").asInt()).isEqualTo(5_000);
    assertThat(jobs.get(1).get("tasksCommitted").asInt()).isEqualTo(1);
    List<JsonNode> pools = results("pool");
    assertThat(pools).hasSize(2);
    assertThat(pools.get(0).has("bytesWrittenPerSecond")).isFalse();
    assertThat(pools.get(1).get("bytesWrittenPerSecond").asDouble()).isPositive();
    assertThat(pools.get(1).get("writesPerSecond").asDouble()).isPositive();
    assertThat(pools.get(1).get("readsPerSecond").asDouble()).isPositive();
    documented();
    commit(job);
  }

  /** Every field is in the page of the command line. */
  private void documented() throws IOException {
    String page = Repository.page("connector/docs/command-line.md");
    String json = page.substring(page.indexOf("## JSON"));
    Set<String> names = new TreeSet<>();
    for (String type : List.of("job", "pool", "summary")) {
      results(type).forEach(node -> node.fieldNames().forEachRemaining(names::add));
    }
    assertThat(names).hasSizeGreaterThan(15).allMatch(name -> json.contains("`" + name + "`"));
  }

  /** Directories are not read again, however many there are. */
  @Test
  void aRefreshReadsTheRecordsOfKnownJobsOnly() throws IOException {
    for (int i = 0; i < 40; i++) {
      fs.mkdirs(new Path("/other/" + i));
    }
    Job one = setUp("one");
    Job two = setUp("two");
    write(one, 0, 100);
    List<Integer> ops = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      out.then.add(() -> ops.add(user.ops()));
    }
    int before = user.ops();
    assertThat(run("-n", "3", "--search", "1h", "rados://meta/")).as(err.toString()).isZero();
    assertThat(ops.get(0) - before).as("all directories are searched").isGreaterThan(80);
    int jobs = 2;
    int pools = 1;
    assertThat(ops.get(1) - ops.get(0)).isEqualTo(2 * jobs + pools);
    assertThat(ops.get(2) - ops.get(1)).isEqualTo(2 * jobs + pools);
    commit(one);
    commit(two);
  }

  @Test
  void aJobThatEndsIsGoneAndANewOneIsFoundByTheNextSearch() throws IOException {
    Job old = setUp("old");
    List<Job> later = new ArrayList<>();
    out.then.add(() -> commit(old));
    out.then.add(() -> later.add(setUp("new")));
    assertThat(run("--json", "-n", "3", "--search", "1h", "rados://meta/")).isZero();
    assertThat(results("summary").stream().map(summary -> summary.get("jobs").asInt()))
        .containsExactly(1, 0, 0);
    out.then.add(() -> later.add(setUp("newer")));
    assertThat(run("--json", "-n", "2", "--search", "1ms", "rados://meta/")).isZero();
    assertThat(results("summary").stream().map(summary -> summary.get("jobs").asInt()))
        .containsExactly(1, 2);
    for (Job job : later) {
      commit(job);
    }
  }

  /** Jobs are shown without it, and the reason is given once. */
  @Test
  void saysWhyTheThroughputOfAPoolIsNotKnown() throws IOException {
    Job job = setUp("j1");
    user.faults()
        .always(
            op -> op.summary().equals("usage"),
            Fault.failWith(StoreException.Kind.PERMISSION_DENIED));
    assertThat(run("-n", "2", "rados://meta/")).isEqualTo(1);
    assertThat(out.toString()).contains("RUNNING  j1").containsPattern("meta +index +- +- +- +-");
    assertThat(err.toString())
        .startsWith("radosfs: throughput of pool meta: ")
        .contains("is not allowed to do this")
        .contains("mon 'allow r'")
        .hasLineCount(1);
    user.faults().clear();
    commit(job);
  }

  @Test
  void refusesWhatIsNoTimeAndNoCount() {
    assertThat(run("--interval", "0s", "rados://meta/")).isEqualTo(2);
    assertThat(err.toString()).contains("--interval 0s: more than 0");
    assertThat(run("--search", "soon", "rados://meta/")).isEqualTo(2);
    assertThat(run("--count", "0", "rados://meta/")).isEqualTo(2);
    assertThat(err.toString()).contains("--count 0: 1 or more");
  }
}
