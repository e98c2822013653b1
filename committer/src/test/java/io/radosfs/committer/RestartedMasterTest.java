// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.stages.AbortJobStage;
import io.radosfs.committer.stages.Job;
import io.radosfs.committer.stages.SetupJobStage;
import io.radosfs.committer.stages.SimulatedJobs;
import io.radosfs.connector.RadosFileSystem;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An application master starts again after the one before, or another client, has ended the job of
 * the one before, which is suspended and goes on, or is dead.
 */
class RestartedMasterTest {

  private static final Path OUT = new Path("rados://my_pool/out");
  private static final JobID JOB = new JobID("20261121", 7);
  private static final int FIRST = 1;
  private static final int SECOND = 2;

  private SimulatedCluster cluster;
  private Configuration base;

  @BeforeEach
  void begin() throws IOException {
    cluster = SimulatedCluster.withPools("my_pool");
    base = SimulatedConnections.configuration(cluster);
    try (FileSystem fs = OUT.getFileSystem(conf("user", FIRST))) {
      fs.create(new Path(OUT, "old")).close();
    }
  }

  private SimulatedClient client(String name) {
    return cluster.client("client." + name);
  }

  /** That of a client, for a master or its tasks. */
  private Configuration conf(String client, int master) {
    Configuration conf = new Configuration(base);
    conf.set("fs.rados.ceph.user", "client." + client);
    conf.setInt("mapreduce.job.application.attempt.id", master);
    return conf;
  }

  private static TaskAttemptContext task(Configuration conf, int attempt) {
    return new TaskAttemptContextImpl(
        conf, new TaskAttemptID(new TaskID(JOB, TaskType.MAP, 0), attempt));
  }

  /** Runs the job's one task. */
  private static void work(Configuration conf, int attempt) throws IOException {
    TaskAttemptContext context = task(conf, attempt);
    RadosOutputCommitter committer = new RadosOutputCommitter(OUT, context);
    try (FSDataOutputStream out =
        OUT.getFileSystem(conf).create(new Path(committer.getWorkPath(), "part"))) {
      out.write(new byte[100]);
    }
    assertThat(committer.needsTaskCommit(context)).isTrue();
    committer.commitTask(context);
  }

  /** A master, which has set the job up. */
  private static final class Master {
    private final Configuration conf;
    private final OutputCommitter committer;

    Master(Configuration conf) throws IOException {
      this.conf = conf;
      this.committer = new RadosOutputCommitter(OUT, new JobContextImpl(conf, JOB));
    }

    Master setUp() throws IOException {
      committer.setupJob(new JobContextImpl(conf, JOB));
      return this;
    }

    /** As MapReduce does: a task that cannot be recovered runs again. */
    Master recoverOrRun() throws IOException {
      try {
        committer.recoverTask(task(conf, 0));
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("m000000/0");
        committer.abortTask(task(conf, 0));
        work(conf, 1000);
      }
      return this;
    }

    void commit() throws IOException {
      committer.commitJob(new JobContextImpl(conf, JOB));
    }
  }

  private Master firstAtWork() throws IOException {
    Master first = new Master(conf("first", FIRST)).setUp();
    work(first.conf, 0);
    return first;
  }

  /** What {@code radosfs jobs recover} and {@code gc} do in the end. */
  private static AbortJobStage.Outcome end(Configuration conf) throws IOException {
    Job job = Destination.of(OUT, conf).job(JOB.toString());
    return SimulatedJobs.endLongAfter(job);
  }

  /** Has it happen before an operation; returns whether that was reached. */
  private static boolean[] before(SimulatedClient client, int op, FaultPlan.Interlude meanwhile) {
    boolean[] reached = {false};
    int at = client.ops() + op;
    FaultPlan unused =
        client
            .faults()
            .before(
                info -> {
                  if (info.number() == at) {
                    reached[0] = true;
                    meanwhile.before(info);
                  }
                });
    return reached;
  }

  /** The files are there, each with all its data; long after, nothing else is. */
  private void assertCommitted(int op) throws IOException {
    try (RadosFileSystem fs = (RadosFileSystem) OUT.getFileSystem(conf("janitor", FIRST))) {
      Map<String, Long> found = new TreeMap<>();
      for (FileStatus status : fs.listStatus(OUT)) {
        byte[] content = new byte[(int) status.getLen()];
        try (FSDataInputStream in = fs.open(status.getPath())) {
          in.readFully(0, content);
        }
        found.put(status.getPath().getName(), status.getLen());
      }
      assertThat(found.keySet())
          .as("before operation %d", op)
          .containsExactly("_SUCCESS", "old", "part");
      assertThat(found).containsEntry("part", 100L);
      assertThat(fs.mount().check().run(false).findings()).as("before operation %d", op).isEmpty();
    }
  }

  @Test
  void tasksOfAJobThatWasAbortedRunAgain() throws IOException {
    firstAtWork();
    assertThat(end(conf("janitor", FIRST))).isEqualTo(AbortJobStage.Outcome.ABORTED);
    new Master(conf("second", SECOND)).setUp().recoverOrRun().commit();
    assertCommitted(0);
  }

  /** Its record stays while a task of it may write, and keeps no later master from its work. */
  @Test
  void tasksOfAJobThatWasAbortedRunAgainWhileOneOfThemWritesOn() throws IOException {
    Master first = firstAtWork();
    TaskAttemptContext hanging = task(first.conf, 1);
    Path file = new Path(new RadosOutputCommitter(OUT, hanging).getWorkPath(), "part");
    try (FSDataOutputStream open = OUT.getFileSystem(first.conf).create(file)) {
      open.write(new byte[9 << 20]);
      Configuration janitor = conf("janitor", FIRST);
      Job aborted = Destination.of(OUT, janitor).job(JOB.toString());
      assertThat(AbortJobStage.run(aborted)).isEqualTo(AbortJobStage.Outcome.ABORTED);
      assertThat(aborted.record().head()).as("its record").isPresent();

      new Master(conf("second", SECOND)).setUp().recoverOrRun().commit();

      assertThat(Listed.names(OUT, base)).containsExactly("_SUCCESS", "old", "part");
    } catch (IOException e) {
      // Its late file is refused as it is closed.
      assertThat(e).hasMessageContaining("too late");
    }
    AbortJobStage.Outcome unused = end(conf("janitor", FIRST));
    assertCommitted(0);
  }

  /** Nothing that the first master has committed is there any more where it was, or is told. */
  @ParameterizedTest
  @ValueSource(strings = {"renamed", "without a report", "report removed"})
  void aJobThatIsCommittedIsNotRunAgain(String since) throws IOException {
    Configuration first = conf("first", FIRST);
    Configuration second = conf("second", SECOND);
    boolean reports = !since.equals("without a report");
    for (Configuration conf : List.of(first, second)) {
      conf.setBoolean("mapreduce.fileoutputcommitter.marksuccessfuljobs", reports);
    }
    Master committing = new Master(first).setUp();
    work(first, 0);
    committing.commit();
    Path now = new Path("rados://my_pool/in");
    try (FileSystem fs = OUT.getFileSystem(conf("user", FIRST))) {
      if (since.equals("renamed")) {
        assertThat(fs.rename(OUT, now)).isTrue();
      } else if (reports) {
        assertThat(fs.delete(new Path(OUT, "_SUCCESS"), false)).isTrue();
      }
    }

    new Master(second).setUp().recoverOrRun().commit();

    boolean renamed = since.equals("renamed");
    if (renamed) {
      assertThat(Listed.names(now, base)).containsExactly("_SUCCESS", "old", "part");
    } else {
      assertThat(Listed.names(OUT, base)).containsExactly("old", "part");
    }
    try (RadosFileSystem fs = (RadosFileSystem) OUT.getFileSystem(conf("janitor", FIRST))) {
      assertThat(fs.exists(OUT)).isEqualTo(!renamed);
      assertThat(fs.mount().check().run(false).findings()).isEmpty();
    }
  }

  /** The first master dies at any write of its commit; the job is collected before the next one. */
  @Test
  void itIsKnownWhereverTheFirstMasterDied() throws IOException {
    boolean dies = true;
    int committed = 0;
    for (int write = 1; dies; write++) {
      begin();
      base.setBoolean("mapreduce.fileoutputcommitter.marksuccessfuljobs", false);
      Master first = firstAtWork();
      int[] left = {write};
      FaultPlan unused =
          client("first").faults().once(op -> op.write() && --left[0] == 0, Fault.CRASH_AFTER);
      try {
        first.commit();
        dies = false;
      } catch (ClientCrashed e) {
        committed += end(conf("janitor", FIRST)) == AbortJobStage.Outcome.COMMITTED ? 1 : 0;
      }

      new Master(conf("second", SECOND)).setUp().recoverOrRun().commit();

      assertThat(Listed.names(OUT, base)).as("write %d", write).containsExactly("old", "part");
    }
    assertThat(committed).as("deaths after the decision").isPositive();
  }

  /**
   * The first master dies when its job is committed, and nobody has collected that: if its tasks
   * run again, MapReduce tells of a failed job.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void itIsToldAtOnceThatAJobIsCommitted(int writesAfterTheDecision) throws IOException {
    Master first = firstAtWork();
    int[] left = {-1};
    FaultPlan dies =
        client("first")
            .faults()
            .once(
                op -> {
                  if (op.write() && op.summary().contains("e/part=<")) {
                    left[0] = writesAfterTheDecision;
                  } else if (op.write() && left[0] > 0) {
                    left[0]--;
                  }
                  return left[0] == 0;
                },
                Fault.CRASH_AFTER);
    assertThatThrownBy(first::commit).isInstanceOf(ClientCrashed.class);
    assertThat(dies.struck()).isNotEmpty();

    Master[] second = {null};
    String warning =
        LoggedLines.warningOf(
            SetupJobStage.class.getName(),
            () -> second[0] = new Master(conf("second", SECOND)).setUp());

    assertThat(warning).contains("is committed already").contains("must not be run once more");
    second[0].commit();
    assertCommitted(0);
  }

  /** The first master is suspended at any operation of its commit. */
  @Test
  void theFirstMasterGoesOnWhenTheJobWasSetUpAgain() throws IOException {
    boolean more = true;
    int op = 1;
    for (; more; op++) {
      begin();
      Master first = firstAtWork();
      Master[] second = {null};
      boolean[] reached =
          before(
              client("first"),
              op,
              info -> {
                AbortJobStage.Outcome unused = end(conf("janitor", FIRST));
                second[0] = new Master(conf("second", SECOND)).setUp().recoverOrRun();
              });
      try {
        first.commit();
      } catch (IOException e) {
        assertThat(reached[0]).isTrue();
      }
      more = reached[0];
      if (more) {
        second[0].commit();
      }
      assertCommitted(op);
    }
    assertThat(op).as("operations that it may come before").isGreaterThan(3);
  }

  /** Who ends the job is suspended at any operation; the second master dies as it has committed. */
  @Test
  void whoAbortsTheJobGoesOnWhenItWasSetUpAgainAndCommitted() throws IOException {
    boolean more = true;
    int op = 1;
    for (; more; op++) {
      begin();
      firstAtWork();
      boolean[] reached =
          before(
              client("janitor"),
              op,
              info -> {
                AbortJobStage.Outcome unused = end(conf("other", FIRST));
                Master second = new Master(conf("second", SECOND)).setUp().recoverOrRun();
                FaultPlan dies =
                    client("second")
                        .faults()
                        .once(
                            o -> o.write() && o.summary().contains("e/part=<"), Fault.CRASH_AFTER);
                try {
                  second.commit();
                } catch (ClientCrashed e) {
                  assertThat(dies.struck()).isNotEmpty();
                }
              });
      AbortJobStage.Outcome unused = end(conf("janitor", FIRST));
      more = reached[0];
      if (more) {
        assertCommitted(op);
      }
    }
    assertThat(op).as("operations that it may come before").isGreaterThan(3);
  }

  /** The first master has registered the job alone when the second one starts. */
  @Test
  void theFirstMasterCommitsWhileTheSecondSetsUp() throws IOException {
    boolean more = true;
    int op = 1;
    for (; more; op++) {
      begin();
      Job job = Destination.of(OUT, conf("first", FIRST)).job(JOB.toString());
      job.fs().transactions().register(job.registration());
      boolean[] reached =
          before(
              client("second"),
              op,
              info -> {
                try {
                  Master first = firstAtWork();
                  FaultPlan unused =
                      client("first")
                          .faults()
                          .once(
                              o -> o.write() && o.summary().contains("e/part=<"),
                              Fault.CRASH_AFTER);
                  first.commit();
                } catch (ClientCrashed | JobEndedException e) {
                  // it has committed the job, or the second has it
                }
              });
      Master second = new Master(conf("second", SECOND)).setUp();
      more = reached[0];
      second.recoverOrRun().commit();
      if (more) {
        assertCommitted(op);
      }
    }
    assertThat(op).as("operations that it may come before").isGreaterThan(3);
  }
}
