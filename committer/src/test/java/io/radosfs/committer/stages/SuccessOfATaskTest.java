// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A task writes a file of the name that the job's report will have, or one below it. */
class SuccessOfATaskTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);

  private static void commit(Job job, boolean success) throws IOException {
    var unused =
        CommitJobStage.run(
            job,
            new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, success));
  }

  @ParameterizedTest
  @ValueSource(strings = {"_SUCCESS", "_SUCCESS/part-0"})
  void isNotLost(String file) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(cluster.client("driver"));
    Job refused = Job.of(fs, SimulatedJobs.OUT, "refused");
    fs.setUpWithFile(refused, file);
    assertThatThrownBy(() -> commit(refused, true))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("a task has written /out/_SUCCESS")
        .hasMessageContaining("marksuccessfuljobs=false");
    assertThat(AbortJobStage.run(refused)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    new JobPoolCheck(cluster).assertNothingLeft();

    Job job = Job.of(fs, SimulatedJobs.OUT, "job");
    fs.setUpWithFile(job, file);
    commit(job, false);
    assertThat(new JobPoolCheck(cluster).tree()).containsOnlyKeys(file);
    new JobPoolCheck(cluster).assertNothingLeft();
  }

  @ParameterizedTest
  @ValueSource(strings = {"_SUCCESSOR", "p=1/_SUCCESS"})
  void otherNamesAreFree(String file) throws IOException {
    Job job = SimulatedJobs.job(cluster.client("driver"), "job");
    ((SimulatedJobs) job.fs()).setUpWithFile(job, file);
    commit(job, true);
    assertThat(new JobPoolCheck(cluster).tree()).containsOnlyKeys("_SUCCESS", file);
  }
}
