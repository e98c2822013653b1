// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.job.JobUpkeep.Outcome;
import io.radosfs.connector.job.JobUpkeep.Silence;
import io.radosfs.connector.job.RegisteredJob;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.PathIOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A file is where a job's destination will be, or the directory of a partition. A job that replaces
 * it does so at the instant of its commit; until then, and if there is none, the file stays.
 */
@Execution(ExecutionMode.CONCURRENT)
class FileInTheWayTest {

  /**
   * A job and the files in its way.
   *
   * @param destination of the job, from the root
   * @param old files that are there before, of 120 bytes
   * @param kept those of them that stay
   * @param written files of 250 bytes, below the destination
   */
  record Case(
      String name,
      String destination,
      Overwrite overwrite,
      List<String> old,
      List<String> kept,
      List<String> written) {

    FsPath out() {
      return new FsPath(destination);
    }

    SortedMap<String, Long> before() {
      SortedMap<String, Long> tree = new TreeMap<>();
      old.forEach(path -> tree.put(path, 120L));
      return tree;
    }

    SortedMap<String, Long> after(boolean success) {
      SortedMap<String, Long> tree = new TreeMap<>();
      kept.forEach(path -> tree.put(path, 120L));
      written.forEach(path -> tree.put(destination + "/" + path, 250L));
      if (success) {
        tree.put(destination + "/_SUCCESS", -1L);
      }
      return tree;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    FsPath out = SimulatedJobs.OUT;
    return Stream.of(
        new Case(
            "destination",
            "out",
            Overwrite.of(out),
            List.of("beside", "out"),
            List.of("beside"),
            List.of("a", "p=1/b")),
        new Case(
            "destination, with partitions alone",
            "t/out",
            Overwrite.of(new FsPath("t/out")),
            List.of("t/beside", "t/out"),
            List.of("t/beside"),
            List.of("p=1/q=1/b")),
        new Case(
            "partition, all overwritten",
            "out",
            Overwrite.of(out),
            List.of("out/p=1", "out/p=2/q=1", "out/top"),
            List.of(),
            List.of("p=1/a", "p=2/q=1/b")),
        new Case(
            "level of partitions above",
            "out",
            Overwrite.of(out),
            List.of("out/p=1"),
            List.of(),
            List.of("p=1/q=1/a", "p=1/q=2/b")),
        new Case(
            "partition, that one overwritten",
            "out",
            Overwrite.of(new FsPath("out/p=1")),
            List.of("out/p=1", "out/p=2"),
            List.of("out/p=2"),
            List.of("p=1/a")),
        new Case(
            "partition, dynamic",
            "out",
            Overwrite.WRITTEN_PARTITIONS,
            List.of("out/p=1", "out/p=2", "out/p=3/old"),
            List.of("out/p=2"),
            List.of("p=1/a", "p=3/b")));
  }

  private static Job job(SimulatedClient client, Case of, String id) throws IOException {
    return Job.of(new SimulatedJobs(client), of.out(), id);
  }

  private static void setUp(Job job, Case of) throws IOException {
    SetupJobStage.run(
        job,
        SimulatedJobs.info(job.id()).replacing(of.overwrite().paths()),
        RequireEmpty.NOTHING,
        OverwriteConflict.WAIT,
        JobLease.NONE);
  }

  private static void write(Job job, Case of) throws IOException {
    for (int task = 0; task < of.written().size(); task++) {
      ((SimulatedJobs) job.fs())
          .write(job, SimulatedJobs.attempt(task, 0), of.written().get(task), 250);
      var unused = CommitTaskStage.run(job, SimulatedJobs.attempt(task, 0), 1);
    }
  }

  private static void prepared(SimulatedClient client, Case of) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(client);
    for (String path : of.old()) {
      fs.create("/" + path, 120);
    }
    Job job = job(client, of, "j1");
    setUp(job, of);
    write(job, of);
  }

  private static JobCommit commit(Job job, Overwrite overwrite, boolean success)
      throws IOException {
    return CommitJobStage.run(
        job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, overwrite, success));
  }

  private static SortedMap<String, Long> tree(SimulatedCluster cluster) throws IOException {
    SortedMap<String, Long> tree = new TreeMap<>();
    new JobPoolCheck(cluster)
        .tree()
        .forEach(
            (path, length) ->
                tree.put(
                    path.startsWith("__radosfs_elsewhere/")
                        ? path.substring("__radosfs_elsewhere/".length())
                        : path.isEmpty() ? "out" : "out/" + path,
                    length));
    return tree;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void itIsReplacedAtTheCommit(Case of) throws IOException {
    for (boolean success : new boolean[] {true, false}) {
      SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
      prepared(cluster.client("setup"), of);
      assertThat(tree(cluster)).isEqualTo(of.before());
      JobCommit committed =
          commit(job(cluster.client("driver"), of, "j1"), of.overwrite(), success);
      assertThat(committed.repeated()).isFalse();
      assertThat(tree(cluster)).isEqualTo(of.after(success));
      new JobPoolCheck(cluster).assertNothingLeft();
      assertThat(new SimulatedJobs(cluster.client("fsck")).check().run(true).findings()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void itStaysIfTheJobIsAborted(Case of) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    prepared(cluster.client("setup"), of);
    var unused = AbortJobStage.run(job(cluster.client("driver"), of, "j1"));
    assertThat(tree(cluster)).isEqualTo(of.before());
    new JobPoolCheck(cluster).assertNothingLeft();
    var again = AbortJobStage.run(job(cluster.client("driver2"), of, "j1"));
    assertThat(again).isEqualTo(AbortJobStage.Outcome.ABORTED);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aDeadDriversJobIsFoundAndItsFileStays(Case of) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    prepared(cluster.client("setup"), of);
    SimulatedJobs other = new SimulatedJobs(cluster.client("other"), SimulatedJobs.COLLECTING);
    for (FsPath top : List.of(FsPath.ROOT, of.out())) {
      List<RegisteredJob> jobs = other.registry().below(top, (what, e) -> fail(e));
      assertThat(jobs).hasSize(1);
      assertThat(jobs.get(0).destination()).isEqualTo(of.out());
      assertThat(jobs.get(0).id()).isEqualTo("j1");
      assertThat(new StagedJobUpkeep().describe(other, jobs.get(0)).committed())
          .isEqualTo(of.written().size());
    }
    assertThat(other.check().run(true).findings()).isEmpty();
    other.recover(SimulatedJobs.WORKING);
    assertThat(tree(cluster)).isEqualTo(of.before());
    new JobPoolCheck(cluster).assertNothingLeft();
  }

  private static void fail(IOException e) {
    throw new AssertionError(e);
  }

  /** Its set-up fails as ever, and makes nothing. */
  @Test
  void anAppendFailsInSetUp() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    SimulatedJobs fs = new SimulatedJobs(cluster.client("driver"));
    fs.create("/out", 120);
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    assertThatThrownBy(() -> SimulatedJobs.setUp(job))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage("/out is a file, not a directory");
    assertThat(job.record().head()).isEmpty();
    assertThat(fs.transactions().registered(FsPath.ROOT, Failures.END)).isEmpty();
  }

  /** A file that the job does not replace fails its commit, which names it. */
  @Test
  void anotherFileFailsTheCommit() throws IOException {
    for (Overwrite overwrite : List.of(Overwrite.NOTHING, Overwrite.WRITTEN_PARTITIONS)) {
      SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
      SimulatedJobs fs = new SimulatedJobs(cluster.client("driver"));
      fs.create("/out/p=1", 120);
      Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
      SimulatedJobs.setUp(job);
      fs.write(job, SimulatedJobs.attempt(0, 0), "p=1/q=1/a", 250);
      var unused = CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1);
      assertThatThrownBy(() -> commit(job, overwrite, true))
          .isInstanceOf(FileAlreadyExistsException.class)
          .hasMessage("/out/p=1 is a file, not a directory");
      var aborted = AbortJobStage.run(job);
      assertThat(aborted).isEqualTo(AbortJobStage.Outcome.ABORTED);
      assertThat(tree(cluster)).containsOnlyKeys("out/p=1");
      new JobPoolCheck(cluster).assertNothingLeft();
    }
  }

  /**
   * What is in a directory that has the name of the report is nobody's to remove, also if it comes
   * at any operation of the commit. A job that replaces all that is there replaces it, too.
   */
  @Test
  void aDirectoryInTheWayOfTheReportFailsTheCommit() throws IOException {
    for (Overwrite overwrite : List.of(Overwrite.NOTHING, Overwrite.WRITTEN_PARTITIONS)) {
      boolean more = true;
      for (int at = 1; more; at++) {
        SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
        SimulatedJobs fs = new SimulatedJobs(cluster.client("user"));
        fs.create("/d/theirs", 120);
        fs.create("/out/old", 120);
        Job job = SimulatedJobs.job(cluster.client("driver"), "j1");
        SimulatedJobs.setUp(job);
        ((SimulatedJobs) job.fs()).write(job, SimulatedJobs.attempt(0, 0), "p=1/a", 250);
        var unused = CommitTaskStage.run(job, SimulatedJobs.attempt(0, 0), 1);
        boolean[] moved = {false};
        int first = cluster.client("driver").ops() + at;
        var plan =
            cluster
                .client("driver")
                .faults()
                .before(
                    op -> {
                      if (op.number() == first) {
                        moved[0] = true;
                        rename(fs, "d", "out/_SUCCESS");
                      }
                    });
        try {
          var committed = commit(job, overwrite, true);
        } catch (FileAlreadyExistsException e) {
          assertThat(e).hasMessageContaining("/out/_SUCCESS is a directory, in the way of");
          assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
        }
        more = moved[0];
        boolean there = fs.namespace().lookup(new FsPath("d/theirs")).isPresent();
        boolean moving = fs.namespace().lookup(new FsPath("out/_SUCCESS/theirs")).isPresent();
        assertThat(there ^ moving).as("moved at operation %d", at).isTrue();
        new JobPoolCheck(cluster).assertNothingLeft();
      }
    }
  }

  /** By another client; refused if the report is there already. */
  private static void rename(SimulatedJobs fs, String from, String to) throws IOException {
    try {
      fs.namespace().rename(new FsPath(from), new FsPath(to), false);
    } catch (FileAlreadyExistsException | PathIOException e) {
      assertThat(fs.namespace().lookup(new FsPath(from))).isPresent();
    }
  }

  /** A job that writes nothing leaves an empty directory in the place of the file. */
  @Test
  void aJobWithoutFilesMakesTheDirectory() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    SimulatedJobs fs = new SimulatedJobs(cluster.client("driver"));
    fs.create("/t/out", 120);
    Case of =
        new Case(
            "nothing", "t/out", Overwrite.of(new FsPath("t/out")), List.of(), List.of(), List.of());
    Job job = job(cluster.client("driver2"), of, "j1");
    setUp(job, of);
    var unused = commit(job, of.overwrite(), false);
    assertThat(tree(cluster)).isEmpty();
    assertThat(fs.namespace().list(new FsPath("t/out"))).isEmpty();
    assertThat(fs.namespace().list(new FsPath("t"))).hasSize(1);
    new JobPoolCheck(cluster).assertNothingLeft();
  }

  /** Another job comes first: what is a directory by then is replaced as any. */
  @Test
  void twoJobsReplaceIt() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    Case of = cases().findFirst().orElseThrow();
    prepared(cluster.client("setup"), of);
    Job second = job(cluster.client("second"), of, "j2");
    setUp(second, of);
    ((SimulatedJobs) second.fs()).write(second, SimulatedJobs.attempt(0, 0), "c", 250);
    var unused = CommitTaskStage.run(second, SimulatedJobs.attempt(0, 0), 1);
    var first = commit(job(cluster.client("driver"), of, "j1"), of.overwrite(), true);
    assertThat(tree(cluster)).isEqualTo(of.after(true));
    var later = commit(second, of.overwrite(), false);
    assertThat(tree(cluster)).containsOnlyKeys("beside", "out/c");
    new JobPoolCheck(cluster).assertNothingLeft();
  }

  /** It is renamed away, or another file comes: what is there at the commit goes. */
  @Test
  void anotherFileIsThereByThen() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    Case of = cases().findFirst().orElseThrow();
    prepared(cluster.client("setup"), of);
    SimulatedJobs fs = new SimulatedJobs(cluster.client("user"));
    fs.namespace().rename(SimulatedJobs.OUT, new FsPath("elsewhere"), false);
    fs.create("/out", 130);
    var unused = commit(job(cluster.client("driver"), of, "j1"), of.overwrite(), true);
    SortedMap<String, Long> expected = of.after(true);
    expected.put("elsewhere", 120L);
    assertThat(tree(cluster)).isEqualTo(expected);
    new JobPoolCheck(cluster).assertNothingLeft();
  }

  private static void commit(SimulatedClient client, Case of) throws IOException {
    var unused = commit(job(client, of, "j1"), of.overwrite(), true);
  }

  private static void abort(SimulatedClient client, Case of) throws IOException {
    var unused = AbortJobStage.run(job(client, of, "j1"));
  }

  private static void oldOrNew(Trial trial, Case of) throws IOException {
    assertThat(tree(trial.cluster())).isIn(of.before(), of.after(true));
    new JobPoolCheck(trial.cluster()).assertNothingUnreachable();
  }

  /** Long after, when no process of the job is left. */
  private static void end(Trial trial, Case of) throws IOException {
    var unused = SimulatedJobs.endLongAfter(job(trial.observer(), of, "j1"));
  }

  private static void collect(Trial trial) throws IOException {
    for (long time = SimulatedJobs.COLLECTING; time <= 3 * SimulatedJobs.COLLECTING; time += 2000) {
      new SimulatedJobs(trial.cluster().client("janitor"), time + 2000).collect(time);
    }
    PoolChecker.check(trial.cluster().objects(SimulatedJobs.POOL, ""));
    new JobPoolCheck(trial.cluster()).assertNothingLeft();
  }

  private static Experiment experiment(String name, Case of) {
    return Experiment.named(name + ", a file in the way: " + of)
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(client -> prepared(client, of))
        .faults(Fault.ALL)
        .checkBeforeRecovery(trial -> oldOrNew(trial, of));
  }

  @ParameterizedTest
  @MethodSource("cases")
  @Tag("exploration")
  void aCommitThatStopsAnywhereIsRepeated(Case of) {
    experiment("commit, then again", of)
        .program("driver", client -> commit(client, of))
        .recover(client -> commit(client, of))
        .check(
            trial -> {
              assertThat(tree(trial.cluster())).isEqualTo(of.after(true));
              end(trial, of);
              new JobPoolCheck(trial.cluster()).assertNothingLeft();
            })
        .everyStoppingPoint();
  }

  @ParameterizedTest
  @MethodSource("cases")
  @Tag("exploration")
  void aCommitThatStopsAnywhereIsAborted(Case of) {
    experiment("commit, then abort", of)
        .program("driver", client -> commit(client, of))
        .recover(client -> abort(client, of))
        .check(
            trial -> {
              oldOrNew(trial, of);
              end(trial, of);
              new JobPoolCheck(trial.cluster()).assertNothingLeftButMarks();
            })
        .everyStoppingPoint();
  }

  @ParameterizedTest
  @MethodSource("cases")
  @Tag("exploration")
  void aCommitThatStopsAnywhereIsCollected(Case of) {
    experiment("commit, then gc", of)
        .program("driver", client -> commit(client, of))
        .recover(
            client ->
                new SimulatedJobs(client, SimulatedJobs.COLLECTING).collect(SimulatedJobs.WORKING))
        .check(
            trial -> {
              oldOrNew(trial, of);
              collect(trial);
            })
        .everyStoppingPoint();
  }

  @ParameterizedTest
  @MethodSource("cases")
  @Tag("exploration")
  void anAbortThatStopsAnywhereIsRepeated(Case of) {
    experiment("abort, then again", of)
        .program("driver", client -> abort(client, of))
        .recover(client -> abort(client, of))
        .check(
            trial -> {
              assertThat(tree(trial.cluster())).isEqualTo(of.before());
              end(trial, of);
              new JobPoolCheck(trial.cluster()).assertNothingLeft();
            })
        .everyStoppingPoint();
  }

  @Test
  @Tag("exploration")
  void aSetUpThatStopsAnywhereLeavesNothing() {
    Case of = cases().findFirst().orElseThrow();
    Experiment.named("set-up, a file in the way")
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(client -> new SimulatedJobs(client).create("/out", 120))
        .program("driver", client -> setUp(job(client, of, "j1"), of))
        .faults(Fault.ALL)
        .recover(client -> abort(client, of))
        .check(
            trial -> {
              assertThat(tree(trial.cluster())).containsOnlyKeys("out");
              collect(trial);
              assertThat(tree(trial.cluster())).containsOnlyKeys("out");
            })
        .everyStoppingPoint();
  }

  @ParameterizedTest
  @MethodSource("cases")
  @Tag("exploration")
  void twoDriversCommitIt(Case of) {
    experiment("two drivers", of)
        .program("driver", client -> commit(client, of))
        .program("other", client -> commit(client, of))
        .recover(client -> commit(client, of))
        .check(
            trial -> {
              for (String driver : List.of("driver", "other")) {
                assertThat(trial.outcome(driver).failure()).as(driver).isNull();
              }
              assertThat(tree(trial.cluster())).isEqualTo(of.after(true));
              end(trial, of);
              new JobPoolCheck(trial.cluster()).assertNothingLeft();
            })
        .everyInsertion();
  }

  /** A user renames what is there, the file or the directory: the outcome is whole all the same. */
  @Test
  @Tag("exploration")
  void aUserIsAtTheFileMeanwhile() {
    Case of = cases().findFirst().orElseThrow();
    experiment("commit beside a user", of)
        .program("driver", client -> commit(client, of))
        .program(
            "user",
            client -> {
              SimulatedJobs fs = new SimulatedJobs(client);
              fs.namespace().rename(SimulatedJobs.OUT, new FsPath("moved"), false);
            })
        .recover(client -> abort(client, of))
        .checkBeforeRecovery(trial -> {})
        .check(
            trial -> {
              Set<String> names = tree(trial.cluster()).keySet();
              assertThat(names).contains("beside");
              assertThat(
                      names.contains("moved")
                          || names.contains("moved/a")
                          || names.contains("out/a"))
                  .as("%s", names)
                  .isTrue();
              assertThat(names).doesNotContain("out");
              end(trial, of);
              collect(trial);
            })
        .everyInsertion();
  }

  /**
   * Found by the explorer. The directory above, which decides, is removed, and nothing is collected
   * yet: the list of removed jobs leads to what was prepared.
   */
  @Test
  void whatItHadPreparedIsNoLeakOnceTheDirectoryAboveIsRemoved() {
    Case of = cases().skip(1).findFirst().orElseThrow();
    Experiment.named("commit over a file, the directory above removed, and nothing collected")
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(client -> prepared(client, of))
        .program("driver", client -> commit(client, of))
        .recover(
            client -> {
              var unused = new SimulatedJobs(client).namespace().delete(of.out().parent(), true);
            })
        .check(trial -> PoolChecker.check(trial.cluster().objects(SimulatedJobs.POOL, "")))
        .faults(List.of(Fault.CRASH_BEFORE, Fault.CRASH_AFTER))
        .everyStoppingPoint();
  }

  @Test
  void theRecordOfAnEarlierVersionIsFoundInTheDestination() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    SimulatedJobs fs = new SimulatedJobs(cluster.client("driver"));
    fs.namespace().mkdirs(SimulatedJobs.OUT, fs.newDirectoryAttributes());
    Job job = Job.of(fs, SimulatedJobs.OUT, "j1");
    SimulatedJobs.setUp(job);
    assertThat(job.record().info().orElseThrow().coordinator(SimulatedJobs.OUT))
        .isEqualTo(SimulatedJobs.OUT);
    var recovered =
        RecoverJobStage.run(
            job, Transactions.State.PENDING, Silence.since(SimulatedJobs.COLLECTING));
    assertThat(recovered.outcome()).isEqualTo(Outcome.ABORTED);
    assertThat(recovered.rest()).isFalse();
  }
}
