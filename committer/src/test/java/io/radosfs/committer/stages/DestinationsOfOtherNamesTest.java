// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.job.JobPaths;
import io.radosfs.connector.job.RegisteredJob;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The owner of a job's transaction begins with its destination, which may begin as the owner of a
 * rename or a removal does; and that of a rename may read as the record of a job.
 */
class DestinationsOfOtherNamesTest {

  private static final FsPath FAR = new FsPath("far/p=1");

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);

  private SimulatedJobs mount(String client) throws IOException {
    return new SimulatedJobs(cluster.client(client));
  }

  private List<String> jobs() throws IOException {
    return mount("lists").registry().below(FsPath.ROOT, Failures.END).stream()
        .map(RegisteredJob::record)
        .toList();
  }

  private static void commit(Job job) throws IOException {
    var unused =
        CommitJobStage.run(
            job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rename x/t", "removal x/t", "rename x", "removal x", "rename a/job/b"})
  void aJobIsKnownAsOne(String destination) throws IOException {
    Job job = Job.of(mount("driver"), new FsPath(destination), "j1");
    ((SimulatedJobs) job.fs()).setUpWithFile(job, "p=1/a");

    assertThat(jobs()).containsExactly(job.record().name());
    mount("sweeps").sweep();
    assertThat(job.fs().transactions().state(job.registration())).isPresent();
    commit(job);

    assertThat(jobs()).isEmpty();
    JobPoolCheck check = new JobPoolCheck(cluster);
    assertThat(check.tree()).hasSize(2).containsValue(250L);
    check.assertNothingLeft();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rename x/t", "removal x/t"})
  void oneThatDiesIsCollected(String destination) throws IOException {
    Job job = Job.of(mount("driver"), new FsPath(destination), "j1");
    ((SimulatedJobs) job.fs()).setUpWithFile(job, "p=1/a");
    cluster.client("driver").crash("killed");

    new SimulatedJobs(cluster.client("collects"), SimulatedJobs.COLLECTING)
        .collect(SimulatedJobs.COLLECTING);

    JobPoolCheck check = new JobPoolCheck(cluster);
    assertThat(check.tree()).isEmpty();
    check.assertNothingLeft();
  }

  /**
   * The driver dies when the commit is decided, before it is resolved in a partition elsewhere.
   * Then the destination is removed. The committed rows elsewhere stay.
   */
  @ParameterizedTest
  @ValueSource(strings = {"rename x/t", "removal x/t"})
  void whatItHasCommittedElsewhereStays(String destination) throws IOException {
    SimulatedClient driver = cluster.client("driver");
    FsPath table = new FsPath(destination);
    Job job = Job.of(new SimulatedJobs(driver), table, "j1");
    ((SimulatedJobs) job.fs()).setUpWithFile(job, JobPaths.ELSEWHERE + "/" + FAR.key() + "/a");
    FaultPlan decides =
        driver
            .faults()
            .once(
                op ->
                    op.write()
                        && op.object().equals(destination + "/")
                        && op.summary().contains("compareOmap(j/j1=")
                        && op.summary().contains(IndexKeys.TRANSACTIONS),
                Fault.CRASH_AFTER);
    assertThatThrownBy(() -> commit(job)).isInstanceOf(ClientCrashed.class);
    assertThat(decides.struck()).hasSize(1);

    assertThat(mount("user").namespace().delete(table, true)).isTrue();

    assertThat(mount("reader").namespace().list(FAR)).hasSize(1);
    new SimulatedJobs(cluster.client("collects"), SimulatedJobs.COLLECTING)
        .collect(SimulatedJobs.COLLECTING);
    assertThat(mount("reader").namespace().list(FAR)).hasSize(1);
    new JobPoolCheck(cluster).assertNothingLeft();
  }

  /** It is finished by whoever comes by, and no job. */
  @Test
  void aRenameIntoADirectoryNamedJobIsARename() throws IOException {
    SimulatedJobs user = mount("user");
    user.create("/a/f", 5);
    user.create("/job/other", 5);
    SimulatedClient renaming = cluster.client("renaming");
    FaultPlan decides =
        renaming
            .faults()
            .once(op -> op.write() && op.summary().contains("e/x="), Fault.CRASH_AFTER);
    assertThatThrownBy(
            () ->
                new SimulatedJobs(renaming)
                    .namespace()
                    .rename(new FsPath("a"), new FsPath("job/x"), false))
        .isInstanceOf(ClientCrashed.class);
    assertThat(decides.struck()).hasSize(1);

    assertThat(jobs()).isEmpty();
    mount("sweeps").sweep();

    assertThat(mount("reader").namespace().lookup(new FsPath("job/x/f"))).isPresent();
    assertThat(mount("reader").namespace().lookup(new FsPath("a"))).isEmpty();
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    new JobPoolCheck(cluster).assertNothingLeft();
  }
}
