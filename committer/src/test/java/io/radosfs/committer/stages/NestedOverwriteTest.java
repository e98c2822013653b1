// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A table is overwritten that has a partition with a location of its own within the table: both
 * paths are replaced, and so is what is beside the partition.
 */
class NestedOverwriteTest {

  private static final Set<FsPath> REPLACED =
      Set.of(SimulatedJobs.OUT, new FsPath("out/archive/p1"));

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);

  private void overwrite(String id, String written) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(cluster.client(id));
    Job job = Job.of(fs, SimulatedJobs.OUT, id);
    fs.setUpWithFile(job, written);
    var unused =
        CommitJobStage.run(
            job,
            new CommitJobStage.Request(
                Selection.LAST_OF_EACH_TASK, new Overwrite(REPLACED, false), true));
  }

  @ParameterizedTest
  @CsvSource({"a, b", "a, archive/p1/b", "archive/p1/a, b", "archive/p1/a, archive/p1/b"})
  void onlyWhatIsWrittenIsThere(String first, String second) throws IOException {
    SimulatedJobs user = new SimulatedJobs(cluster.client("user"));
    for (String old : new String[] {"old", "archive/old", "archive/p1/old", "archive/p2/old"}) {
      user.create("/out/" + old, 120);
    }
    JobPoolCheck check = new JobPoolCheck(cluster);
    overwrite("first", first);
    assertThat(check.tree()).containsOnlyKeys("_SUCCESS", first);
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    overwrite("second", second);
    assertThat(check.tree()).containsOnlyKeys("_SUCCESS", second);
    user.create("/out/archive/p2/new", 120);
    assertThat(check.tree()).containsOnlyKeys("_SUCCESS", second, "archive/p2/new");
    check.assertNothingLeft();
  }
}
