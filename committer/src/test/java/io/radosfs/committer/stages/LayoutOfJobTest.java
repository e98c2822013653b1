// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What jobs write goes where the layouts of the directories say that it will appear in. */
class LayoutOfJobTest {

  private static final DataLayout EC = new DataLayout(Optional.of("ec"), Optional.of(64));
  private static final DataLayout HOT = new DataLayout(Optional.of("hot"), Optional.empty());

  private final SimulatedCluster cluster =
      SimulatedCluster.withPools(SimulatedJobs.POOL, "hot").addErasureCodedPool("ec");
  private final SimulatedClient client = cluster.client("driver");
  private SimulatedJobs fs;

  @BeforeEach
  void mount() throws IOException {
    fs = new SimulatedJobs(client);
  }

  @AfterEach
  void nothingLeaks() throws IOException {
    PoolChecker.check(cluster, SimulatedJobs.POOL, "hot", "ec");
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  private void set(String directory, DataLayout layout) throws IOException {
    fs.namespace().mkdirs(path(directory), fs.newDirectoryAttributes());
    DataLayout unused = fs.layouts().change(path(directory), before -> layout);
  }

  private Job begin(String id) throws IOException {
    Job job = Job.of(fs, SimulatedJobs.OUT, id);
    SimulatedJobs.setUp(job);
    return job;
  }

  private void write(Job job, String... files) throws IOException {
    TaskAttempt attempt = SimulatedJobs.attempt(0, 0);
    for (String file : files) {
      fs.write(job, attempt, file, 250);
    }
    TaskCommit unused = CommitTaskStage.run(job, attempt, 1);
  }

  private static void commit(Job job, Overwrite overwrite) throws IOException {
    JobCommit unused =
        CommitJobStage.run(
            job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, overwrite, true));
  }

  private Optional<String> pool(String file) throws IOException {
    FileData data = ((Entry.OfFile) fs.namespace().lookup(path(file)).orElseThrow()).data();
    return data.pool();
  }

  @Test
  void aJobsFilesAndNewDirectoriesTakeOverTheDestinations() throws IOException {
    set("/out", EC);
    set("/out/p=1", HOT);
    Job job = begin("j1");
    write(job, "part-0", "p=1/part-0", "p=1/q=2/part-0", "p=2/q=3/part-0");
    commit(job, Overwrite.NOTHING);
    assertThat(pool("/out/part-0")).contains("ec");
    assertThat(pool("/out/_SUCCESS")).contains("ec");
    assertThat(pool("/out/p=1/part-0")).contains("hot");
    assertThat(pool("/out/p=1/q=2/part-0")).contains("hot");
    assertThat(pool("/out/p=2/q=3/part-0")).contains("ec");
    assertThat(fs.layouts().of(path("/out/p=1/q=2")).pool()).contains("hot");
    assertThat(fs.layouts().of(path("/out/p=2"))).isEqualTo(fs.layouts().of(path("/out/p=2/q=3")));
    assertThat(fs.layouts().of(path("/out/p=2/q=3"))).isEqualTo(EC);
    fs.create("/out/p=2/q=3/later", 10);
    assertThat(pool("/out/p=2/q=3/later")).contains("ec");
    assertThat(cluster.objects(SimulatedJobs.POOL, "").keySet())
        .noneMatch(name -> name.contains("part-0"));
  }

  @Test
  void whatAnAbortedJobWroteIsRemovedFromItsPool() throws IOException {
    set("/out", EC);
    Job job = begin("j1");
    write(job, "part-0", "p=2/part-0");
    assertThat(cluster.objects("ec", "")).hasSizeGreaterThan(1);
    AbortJobStage.Outcome unused = AbortJobStage.run(job);
    assertThat(cluster.objects("ec", "")).containsOnlyKeys("//data-of/meta");
  }

  @Test
  void replacedDataIsRemovedFromThePoolThatItWasIn() throws IOException {
    Job first = begin("j1");
    write(first, "part-0");
    commit(first, Overwrite.NOTHING);
    set("/out", EC);
    Job second = begin("j2");
    write(second, "part-0");
    commit(second, Overwrite.of(SimulatedJobs.OUT));
    assertThat(pool("/out/part-0")).contains("ec");
    assertThat(cluster.objects(SimulatedJobs.POOL, "").keySet())
        .noneMatch(name -> name.contains("part-0"));
  }

  /** The process that commits may remember the directory, with the layout that went with it. */
  @Test
  void aDirectoryThatIsMadeAgainAfterAJobHasRemovedItIsAnother() throws IOException {
    set("/out/p=1", HOT);
    fs.createOrReplace("/out/p=1/old", 10);
    Job job = begin("j1");
    write(job, "part-0");
    commit(job, Overwrite.of(SimulatedJobs.OUT));
    assertThat(fs.namespace().lookup(path("/out/p=1"))).isEmpty();
    fs.createOrReplace("/out/p=1/new", 10);
    assertThat(pool("/out/p=1/new")).isEmpty();
  }

  private void commitsToADirectoryMadeSince(Job job) throws IOException {
    write(job, "p=1/part-0", "p=1/q=2/part-1");
    set("/out", EC);
    fs.namespace().mkdirs(path("/out/p=1/q=2"), fs.newDirectoryAttributes());
  }

  private void checkTheLayoutsOfEntries() throws IOException {
    for (String directory : List.of("/out/p=1", "/out/p=1/q=2")) {
      assertThat(fs.layouts().of(path(directory))).as(directory).isEqualTo(EC);
      fs.create(directory + "/later", 10);
      assertThat(pool(directory + "/later")).contains("ec");
    }
    assertThat(pool("/out/p=1/part-0")).as("written before").isEmpty();
  }

  /** Its index, which has none, is made by the commit. */
  @Test
  void aDirectoryThatIsMadeMeanwhileKeepsItsLayout() throws IOException {
    Job job = begin("j1");
    commitsToADirectoryMadeSince(job);
    commit(job, Overwrite.NOTHING);
    checkTheLayoutsOfEntries();
  }

  /** The deciding operation, and no intent, makes sure of the directories below the coordinator. */
  @Test
  void aDirectoryThatReplacesAnotherBelowTheDestinationKeepsItsLayout() throws IOException {
    set("/out/p=1", HOT);
    Job job = begin("j1");
    write(job, "part-0", "p=1/part-0");
    assertThat(fs.namespace().delete(path("/out/p=1"), true)).isTrue();
    fs.namespace().mkdirs(path("/out/p=1"), fs.newDirectoryAttributes());
    commit(job, Overwrite.NOTHING);
    assertThat(fs.layouts().of(path("/out/p=1"))).isEqualTo(DataLayout.DEFAULT);
    fs.create("/out/p=1/later", 10);
    assertThat(pool("/out/p=1/later")).isEmpty();
    assertThat(pool("/out/p=1/part-0")).as("written before").contains("hot");
  }

  /** Another driver goes on when the first has prepared so much. */
  @Test
  void soItDoesWhenAnotherDriverGoesOn() throws IOException {
    Job job = begin("j1");
    commitsToADirectoryMadeSince(job);
    boolean committed = false;
    for (int write = 1; !committed; write++) {
      SimulatedClient driver = cluster.client("driver" + write);
      driver.faults().atWrite(write, Fault.CRASH_BEFORE);
      try {
        commit(Job.of(new SimulatedJobs(driver), SimulatedJobs.OUT, "j1"), Overwrite.NOTHING);
        committed = true;
      } catch (ClientCrashed e) {
        committed = false;
      }
    }
    checkTheLayoutsOfEntries();
  }

  /** One read in each process for a job where there is no layout, whatever it writes. */
  @Test
  void whereThereIsNoneItIsOneReadForAJob() throws IOException {
    Job job = begin("j1");
    fs.write(job, SimulatedJobs.attempt(0, 0), "first", 10);
    int before = client.reads();
    fs.write(job, SimulatedJobs.attempt(0, 0), "p=1/second", 10);
    fs.write(job, SimulatedJobs.attempt(0, 0), "p=2/third", 10);
    assertThat(client.reads()).isEqualTo(before);
  }

  @Test
  void whereThereAreSomeADirectoryIsLookedAtOnce() throws IOException {
    set("/out", EC);
    Job job = begin("j1");
    fs.write(job, SimulatedJobs.attempt(0, 0), "p=1/first", 10);
    int before = client.reads();
    fs.write(job, SimulatedJobs.attempt(0, 0), "p=1/second", 10);
    assertThat(client.reads()).isEqualTo(before);
    fs.write(job, SimulatedJobs.attempt(0, 0), "p=2/third", 10);
    assertThat(client.reads()).isEqualTo(before + 3);
  }
}
