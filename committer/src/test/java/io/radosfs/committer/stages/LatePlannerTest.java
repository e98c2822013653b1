// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.DirectoryLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The driver that has planned a job is stopped before it prepares. Another commits the job by its
 * plan, and cleans up; a directory of it is removed. Then the planner goes on, and dies. As it has
 * planned the job alone, its ledger does not name the indexes that it makes.
 */
class LatePlannerTest {

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void somethingLeadsToWhatThePlannerPrepares(boolean success) throws IOException {
    CommitJobStage.Request request =
        new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, success);
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    SimulatedJobs fs = new SimulatedJobs(cluster.client("setup"));
    fs.create("/out/old", 120);
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    SimulatedJobs.setUp(job);
    fs.write(job, SimulatedJobs.attempt(0, 0), "p=1/part-0", 250);
    fs.write(job, SimulatedJobs.attempt(0, 0), "p=2/q=1/part-0", 250);
    var unused = CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1);

    SimulatedClient client = cluster.client("planner");
    AtomicBoolean begun = new AtomicBoolean();
    DirectoryLoop loop =
        new DirectoryLoop() {
          @Override
          public <T> void run(Collection<T> directories, Work<T> work) throws IOException {
            if (begun.getAndSet(true)) {
              DirectoryLoop.sequential().run(directories, work);
              return;
            }
            SimulatedJobs others = new SimulatedJobs(cluster.client("other"));
            var other = CommitJobStage.run(Job.of(others, SimulatedJobs.OUT, "j1"), request);
            assertThat(other.repeated()).isTrue();
            // Its ledger crosses out what it has made with the next line.
            others.create("/b/f", 10);
            others.create("/b/g", 10);
            assertThat(
                    new SimulatedJobs(cluster.client("remover"))
                        .namespace()
                        .delete(SimulatedJobs.OUT.child("p=2"), true))
                .isTrue();
            DirectoryLoop.sequential().run(directories, work);
            throw client.crash("died after it had prepared");
          }
        };
    Job planned =
        Job.of(
            new SimulatedJobs(client, SimulatedJobs.WORKING, Duration.ZERO, loop),
            SimulatedJobs.OUT,
            "j1");
    assertThatThrownBy(() -> CommitJobStage.run(planned, request))
        .isInstanceOf(ClientCrashed.class);
    assertThat(cluster.objects(SimulatedJobs.POOL, "")).containsKey("out/p=2/q=1/");
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    for (long time = SimulatedJobs.COLLECTING; time <= 3 * SimulatedJobs.COLLECTING; time += 2000) {
      new SimulatedJobs(cluster.client("janitor"), time + 2000).collect(time);
    }
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    new JobPoolCheck(cluster).assertNothingLeftButMarks();
  }
}
