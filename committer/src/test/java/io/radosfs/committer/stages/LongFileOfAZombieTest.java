// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An executor writes on after its job was aborted, and is killed some stripes later. */
class LongFileOfAZombieTest {

  @ParameterizedTest
  @CsvSource({"2, 4, 0", "20, 30, 0", "2, 6, 4", "20, 30, 25"})
  void whatItWroteAfterTheAbortIsRemoved(int abortedAt, int killedAt, int collectedAt)
      throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    writeOn(cluster, abortedAt, killedAt, collectedAt);
  }

  /**
   * Before each operation of the collection that removes what was written after the abort, another
   * collection comes, which may find nothing any more.
   */
  @ParameterizedTest
  @CsvSource({"2, 6, 4", "20, 30, 25"})
  void whatItWroteAfterTwoCollectionsIsRemoved(int abortedAt, int killedAt, int collectedAt)
      throws IOException {
    boolean more = true;
    int at = 1;
    for (; more; at++) {
      SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
      AtomicBoolean met =
          cluster
              .client("gc")
              .faults()
              .before(new TreeMap<>(Map.of(at, op -> collect(cluster, "another"))));
      writeOn(cluster, abortedAt, killedAt, collectedAt);
      more = met.get();
    }
    assertThat(at).as("operations that it may come before").isGreaterThan(3);
  }

  /** It finds out when it closes the file, and leaves nothing for which the record would stay. */
  @Test
  void whatAWriterHasGivenUpIsNotWaitedFor() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    SimulatedClient driver = cluster.client("driver");
    SimulatedJobs fs = new SimulatedJobs(driver);
    fs.namespace().mkdirs(SimulatedJobs.OUT, fs.newDirectoryAttributes());
    Job job = SimulatedJobs.job(driver, "job-1");
    SimulatedJobs.setUp(job);
    SimulatedJobs own = new SimulatedJobs(cluster.client("executor"));
    TaskAttempt attempt = SimulatedJobs.attempt(0, 0);
    StripedOutputStream file = own.open(Job.of(own, SimulatedJobs.OUT, "job-1"), attempt, "f");
    file.write(new byte[1 << 17]);
    AbortTaskStage.run(job, attempt);
    assertThat(job.record().head())
        .hasValueSatisfying(head -> assertThat(head.found()).isPresent());
    assertThatThrownBy(file::close).isInstanceOf(JobEndedException.class);
    assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    new JobPoolCheck(cluster).assertNothingLeft();
  }

  private static void collect(SimulatedCluster cluster, String client) throws IOException {
    new SimulatedJobs(cluster.client(client), SimulatedJobs.COLLECTING + 2000)
        .collect(SimulatedJobs.COLLECTING);
  }

  private static void writeOn(
      SimulatedCluster cluster, int abortedAt, int killedAt, int collectedAt) throws IOException {
    Job job = SimulatedJobs.job(cluster.client("driver"), "job-1");
    SimulatedJobs fs = new SimulatedJobs(cluster.client("driver"));
    fs.namespace().mkdirs(SimulatedJobs.OUT, fs.newDirectoryAttributes());
    SimulatedJobs.setUp(job);
    SimulatedClient executor = cluster.client("executor");
    boolean[] aborted = {false};
    boolean[] collected = {collectedAt == 0};
    FaultPlan unused =
        executor
            .faults()
            .before(
                op -> {
                  if (!aborted[0] && isStripe(op, abortedAt)) {
                    aborted[0] = true;
                    assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
                  } else if (!collected[0] && isStripe(op, collectedAt)) {
                    collected[0] = true;
                    collect(cluster, "gc");
                  }
                })
            .once(op -> isStripe(op, killedAt), Fault.CRASH_AFTER);
    try {
      SimulatedJobs own = new SimulatedJobs(executor);
      own.write(Job.of(own, SimulatedJobs.OUT, "job-1"), SimulatedJobs.attempt(0, 0), "f", 4_000);
    } catch (ClientCrashed e) {
      // As it was to.
    }
    assertThat(aborted[0]).isTrue();
    assertThat(collected[0]).isTrue();
    for (long time = SimulatedJobs.COLLECTING; time <= 6 * SimulatedJobs.COLLECTING; time += 2000) {
      new SimulatedJobs(cluster.client("janitor"), time + 2000).collect(time);
    }
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    new JobPoolCheck(cluster).assertNothingLeft();
  }

  private static boolean isStripe(OpInfo op, int number) {
    return op.write() && op.object().endsWith(String.format("/%08x", number));
  }
}
