// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.committer.spark.RadosCommitProtocol;
import io.radosfs.connector.metrics.ProcessMetrics;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.logging.log4j.Level;
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/** What the user of a job is told whose driver commits it, and then aborts it, as engines do. */
@Isolated("the metrics are those of the process")
class OwnCommitTest {

  private static final Path OUT = new Path("rados://meta/out");
  private static final JobID ID = new JobID("20261129", 4);

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");
  private final Configuration conf = SimulatedConnections.configuration(cluster);

  private interface Driver {
    void commitJob() throws IOException;

    void abortJob() throws IOException;
  }

  /** Each with a job that has one task, which has written one file. */
  enum Engine {
    SPARK {
      @Override
      Driver started(Configuration conf) throws IOException {
        JobContextImpl job = new JobContextImpl(new JobConf(conf), ID);
        RadosCommitProtocol driver = new RadosCommitProtocol("job", OUT.toString(), false);
        driver.setupJob(job);
        TaskAttemptContext task = task(conf);
        driver.setupTask(task);
        create(new Path(driver.newTaskTempFile(task, Option.empty(), ".txt")), conf);
        TaskCommitMessage committed = driver.commitTask(task);
        return new Driver() {
          @Override
          public void commitJob() {
            driver.commitJob(job, CollectionConverters.asScala(List.of(committed)).toSeq());
          }

          @Override
          public void abortJob() {
            driver.abortJob(job);
          }
        };
      }
    },
    MAPREDUCE {
      @Override
      Driver started(Configuration conf) throws IOException {
        JobContextImpl job = new JobContextImpl(conf, ID);
        RadosOutputCommitter driver = new RadosOutputCommitter(OUT, job);
        driver.setupJob(job);
        RadosOutputCommitter task = new RadosOutputCommitter(OUT, task(conf));
        create(new Path(task.getWorkPath(), "part"), conf);
        task.commitTask(task(conf));
        return new Driver() {
          @Override
          public void commitJob() throws IOException {
            driver.commitJob(job);
          }

          @Override
          public void abortJob() throws IOException {
            driver.abortJob(job, JobStatus.State.FAILED);
          }
        };
      }
    };

    abstract Driver started(Configuration conf) throws IOException;
  }

  private static TaskAttemptContext task(Configuration conf) {
    return new TaskAttemptContextImpl(conf, new TaskAttemptID(new TaskID(ID, TaskType.MAP, 0), 0));
  }

  private static void create(Path file, Configuration conf) throws IOException {
    try (FileSystem fs = FileSystem.newInstance(file.toUri(), conf)) {
      fs.create(file).close();
    }
  }

  @BeforeEach
  void configure() throws IOException {
    create(new Path(OUT, "old"), conf);
    conf.set("mapreduce.output.fileoutputformat.outputdir", OUT.toString());
    conf.setBoolean("mapreduce.fileoutputcommitter.marksuccessfuljobs", false);
  }

  private FaultPlan faults() {
    return cluster.client("client.admin").faults();
  }

  private static boolean decides(OpInfo op) {
    return op.write() && op.object().equals("out/") && op.summary().contains("compareOmap(j/");
  }

  /** Commits, and nothing is answered any more from this operation on until the abort. */
  private Throwable failure(Driver driver, Predicate<OpInfo> from, Fault fault) throws IOException {
    FaultPlan faults = faults();
    FaultPlan unused =
        faults
            .once(from, fault)
            .always(op -> !faults.struck().isEmpty(), Fault.LOSE_REQUEST.waitedForInFull());
    Throwable failure = catchThrowable(driver::commitJob);
    faults.clear();
    return failure;
  }

  /** Engines tell their user the failure of the commit, and log what comes of the abort. */
  @ParameterizedTest
  @EnumSource
  void theFailureOfACommitThatHadTakenEffectSaysSo(Engine engine) throws IOException {
    Driver driver = engine.started(conf);
    Throwable failure =
        failure(driver, OwnCommitTest::decides, Fault.LOSE_ANSWER.waitedForInFull());
    driver.abortJob();
    assertThat(failure)
        .isInstanceOf(OutcomeUnknownException.class)
        .hasStackTraceContaining("was found COMMITTED by its abort: all its files are visible");
    assertThat(Listed.names(OUT, conf)).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  void theFailureOfACommitThatHadNoEffectSaysSo(Engine engine) throws IOException {
    Driver driver = engine.started(conf);
    Throwable failure =
        failure(driver, OwnCommitTest::decides, Fault.LOSE_REQUEST.waitedForInFull());
    driver.abortJob();
    assertThat(failure)
        .isInstanceOf(OutcomeUnknownException.class)
        .hasStackTraceContaining("was found ABORTED: nothing of it is visible");
    assertThat(Listed.names(OUT, conf)).containsExactly("old");
  }

  /** Nothing is left that shows how the job has ended: to be run again, its output may be twice. */
  @Test
  void anAbortThatFindsNothingLeftOfAJobDoesNotSayThatItMayBeRunAgain() throws IOException {
    Driver driver = Engine.MAPREDUCE.started(conf);
    Throwable failure =
        failure(driver, OwnCommitTest::decides, Fault.LOSE_REQUEST.waitedForInFull());
    JobContextImpl job = new JobContextImpl(conf, ID);
    new RadosOutputCommitter(OUT, job).abortJob(job, JobStatus.State.FAILED);
    driver.abortJob();
    assertThat(failure).isInstanceOf(OutcomeUnknownException.class);
    assertThat(failure.getSuppressed()).filteredOn(OwnCommitTest::isVerdict).isEmpty();
  }

  /**
   * As Spark does where its statistics fail after the commit. The job may have no {@code _SUCCESS}.
   */
  @ParameterizedTest
  @EnumSource
  void anAbortAfterACommitThatHasReturnedOnlyWarns(Engine engine) throws IOException {
    Driver driver = engine.started(conf);
    driver.commitJob();
    long aborted = ProcessMetrics.get().getLong("rados_jobs_aborted");
    int operations = cluster.log().size();
    String logged =
        LoggedLines.of(Level.WARN, List.of(OwnCommit.class.getName()), driver::abortJob);
    assertThat(logged).hasLineCount(1).contains("is committed: all its files are visible");
    assertThat(cluster.log().size()).as("operations").isEqualTo(operations);
    assertThat(ProcessMetrics.get().getLong("rados_jobs_aborted")).isEqualTo(aborted);
    assertThat(Listed.names(OUT, conf)).hasSize(2);
  }

  private static boolean isVerdict(Throwable suppressed) {
    return suppressed.getMessage().contains(" was found ");
  }
}
