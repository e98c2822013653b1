// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.committer.stages.Job;
import io.radosfs.connector.cli.DocumentedFields;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code radosfs top}. */
class TopCommandTest {

  private final Refreshes out = new Refreshes();
  private final StringWriter err = new StringWriter();
  private CommandLineJobs jobs;
  private SimulatedClient user;

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
    jobs = new CommandLineJobs();
    user = jobs.cluster().client("client.admin");
  }

  @AfterEach
  void close() throws IOException {
    jobs.close();
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of("top"));
    all.addAll(List.of(args));
    if (!all.contains("--interval")) {
      all.addAll(List.of("--interval", "20ms"));
    }
    out.flushed = 0;
    return jobs.run(out, err, all.toArray(new String[0]));
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

  private void write(Job job, int task, int bytes) throws IOException {
    jobs.write(job, task, "part-" + task, bytes);
  }

  /** Without a count it would go on for ever. */
  @ParameterizedTest
  @ValueSource(strings = {"--bytes", "--json"})
  void endsWhereNobodyReads(String form) throws IOException {
    Job unused = jobs.setUp("shown");
    AtomicInteger failed = new AtomicInteger();
    OutputStream unread =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            failed.incrementAndGet();
            throw new IOException("Broken pipe");
          }
        };
    int status =
        jobs.run(
            new PrintWriter(unread),
            err,
            "top",
            form,
            "--interval",
            "1ms",
            "--count",
            "50",
            "rados://meta/sales");
    assertThat(status).isEqualTo(1);
    assertThat(err.toString()).contains("what was printed could not be written");
    assertThat(failed.get()).isBetween(1, 2);
  }

  @Test
  void showsJobsAndWhatTheyAddFromOneRefreshToTheNext() throws IOException {
    Job idle = jobs.setUp("idle");
    Job busy = jobs.setUp("busy");
    out.then.add(() -> write(busy, 0, 5_000));
    assertThat(run("--bytes", "--count", "2", "rados://meta/sales")).as(err.toString()).isZero();
    String[] refreshes = out.toString().split("\n\n(?=\\d{4}-)");
    assertThat(refreshes).hasSize(2);
    String owner = " \\S+@\\S+ pid " + ProcessHandle.current().pid();
    assertThat(refreshes[0])
        .containsPattern("(?m)^\\S+Z  rados://meta/sales  2 jobs, -/s$")
        .containsPattern("(?m)^meta +index +- +- +- +-$")
        .containsPattern(
            "(?m)^RUNNING +busy +/sales/out +0 +0 +0 +- +\\S+Z +\\d+ s ago +" + owner + "$")
        .containsPattern("(?m) BYTES/S +STARTED +LAST HEARTBEAT +OWNER$");
    assertThat(refreshes[1])
        .containsPattern("(?m)^meta +index +\\d+ +[0-9.]+ +[1-9]\\d* +[0-9.]+$")
        .containsPattern(
            "(?m)^RUNNING +busy +/sales/out +1 +1 +5000 +[1-9]\\d* +\\S+Z +\\d+ s ago ")
        .containsPattern("(?m)^RUNNING +idle +/sales/out +0 +0 +0 +0 +\\S+Z +\\d+ s ago ");
    assertThat(refreshes[1].indexOf("busy")).isLessThan(refreshes[1].indexOf("idle"));
    CommandLineJobs.commit(idle);
    CommandLineJobs.commit(busy);
  }

  @Test
  void asObjects() throws IOException {
    Job job = jobs.setUp("j1");
    out.then.add(() -> write(job, 0, 5_000));
    assertThat(run("--json", "-n", "2", "rados://meta/")).as(err.toString()).isZero();
    assertThat(results("summary")).hasSize(2).allMatch(summary -> summary.get("jobs").asInt() == 1);
    List<JsonNode> shown = results("job");
    assertThat(shown).hasSize(2).allMatch(each -> each.get("id").asText().equals("j1"));
    assertThat(shown.get(0).has("bytesPerSecond")).isFalse();
    assertThat(shown.get(1).get("bytesPerSecond").asDouble()).isPositive();
    assertThat(shown.get(1).get("bytes").asInt()).isEqualTo(5_000);
    assertThat(shown.get(1).get("tasksCommitted").asInt()).isEqualTo(1);
    List<JsonNode> pools = results("pool");
    assertThat(pools).hasSize(2);
    assertThat(pools.get(0).has("bytesWrittenPerSecond")).isFalse();
    assertThat(pools.get(1).get("bytesWrittenPerSecond").asDouble()).isPositive();
    assertThat(pools.get(1).get("writesPerSecond").asDouble()).isPositive();
    assertThat(pools.get(1).get("readsPerSecond").asDouble()).isPositive();
    documented();
    CommandLineJobs.commit(job);
  }

  /** Every field is in the page of the command line. */
  private void documented() throws IOException {
    Set<String> names = new TreeSet<>();
    for (String type : List.of("job", "pool", "summary")) {
      results(type).forEach(node -> names.addAll(DocumentedFields.names(node)));
    }
    assertThat(names).hasSizeGreaterThan(15);
    assertThat(DocumentedFields.of("top")).containsAll(names);
  }

  /** Directories are not read again, however many there are. */
  @Test
  void aRefreshReadsTheRecordsOfKnownJobsOnly() throws IOException {
    for (int i = 0; i < 40; i++) {
      jobs.fs().mkdirs(new Path("/other/" + i));
    }
    Job one = jobs.setUp("one");
    Job two = jobs.setUp("two");
    write(one, 0, 100);
    List<Integer> ops = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      out.then.add(() -> ops.add(user.ops()));
    }
    int before = user.ops();
    assertThat(run("-n", "3", "--search", "1h", "rados://meta/")).as(err.toString()).isZero();
    assertThat(ops.get(0) - before).as("all directories are searched").isGreaterThan(80);
    int reads = 2 * 2; // of two jobs
    int pools = 1;
    assertThat(ops.get(1) - ops.get(0)).isEqualTo(reads + pools);
    assertThat(ops.get(2) - ops.get(1)).isEqualTo(reads + pools);
    CommandLineJobs.commit(one);
    CommandLineJobs.commit(two);
  }

  @Test
  void aJobThatEndsIsGoneAndANewOneIsFoundByTheNextSearch() throws IOException {
    Job old = jobs.setUp("old");
    List<Job> later = new ArrayList<>();
    out.then.add(() -> CommandLineJobs.commit(old));
    out.then.add(() -> later.add(jobs.setUp("new")));
    assertThat(run("--json", "-n", "3", "--search", "1h", "rados://meta/")).isZero();
    assertThat(results("summary").stream().map(summary -> summary.get("jobs").asInt()))
        .containsExactly(1, 0, 0);
    out.then.add(() -> later.add(jobs.setUp("newer")));
    assertThat(run("--json", "-n", "2", "--search", "1ms", "rados://meta/")).isZero();
    assertThat(results("summary").stream().map(summary -> summary.get("jobs").asInt()))
        .containsExactly(1, 2);
    for (Job job : later) {
      CommandLineJobs.commit(job);
    }
  }

  /** Jobs are shown without it, and the reason is given once. */
  @Test
  void saysWhyTheThroughputOfAPoolIsNotKnown() throws IOException {
    Job job = jobs.setUp("j1");
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
    CommandLineJobs.commit(job);
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
