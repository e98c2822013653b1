// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.committer.stages.StoppingPointsTest.Scenario;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.job.JobPaths;
import io.radosfs.connector.job.JobUpkeep;
import io.radosfs.connector.job.JobUpkeep.Silence;
import io.radosfs.connector.job.RegisteredJob;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.ledger.LedgerTakenOverException;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.ObjectView;
import io.radosfs.connector.store.simulation.Outcome;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.TransactionAbortedException;
import io.radosfs.connector.transaction.TransactionConflictException;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Collects jobs that stopped at any operation of their whole lives, and jobs that are alive all the
 * while: they are committed whole or not at all, and in the end nothing is left of them.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("exploration")
class JobCollectionTest {

  private static final long SEED = 20_261_121;

  static Stream<Scenario> scenarios() {
    Set<String> wanted =
        Set.of("append to several directories", "static overwrite", "overwrite elsewhere");
    return StoppingPointsTest.scenarios().filter(scenario -> wanted.contains(scenario.name()));
  }

  private static void old(SimulatedClient client, Scenario scenario) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(client);
    fs.namespace().mkdirs(SimulatedJobs.OUT, fs.newDirectoryAttributes());
    for (String path : scenario.old()) {
      fs.create(Scenario.full(path).toString(), 120);
    }
  }

  /** As an engine runs a job: set up, tasks, commit; aborted if anything of that fails. */
  private static void run(SimulatedClient client, String id, Scenario scenario) throws IOException {
    Job job = Job.of(new SimulatedJobs(client), SimulatedJobs.OUT, id);
    try {
      setUpWithTasks(job, scenario);
      var unused = CommitJobStage.run(job, scenario.request());
    } catch (IOException e) {
      try {
        var unused = AbortJobStage.run(job);
      } catch (IOException more) {
        e.addSuppressed(more);
      }
      throw e;
    }
  }

  private static void setUpWithTasks(Job job, Scenario scenario) throws IOException {
    setUp(job, 1);
    for (int task = 0; task < 2; task++) {
      TaskAttempt attempt = SimulatedJobs.attempt(task, task == 0 ? 1 : 0);
      for (String file : scenario.files()[task]) {
        ((SimulatedJobs) job.fs()).write(job, attempt, file, 250);
      }
      var unused = CommitTaskStage.run(job, attempt, 1);
    }
  }

  private static void collect(SimulatedClient client) throws IOException {
    new SimulatedJobs(client, SimulatedJobs.COLLECTING).collect(SimulatedJobs.WORKING);
  }

  /** A job that has no record yet. */
  private static Job registered(SimulatedCluster cluster, String id) throws IOException {
    SimulatedJobs fs = new SimulatedJobs(cluster.client("driver"));
    fs.namespace().mkdirs(SimulatedJobs.OUT, fs.newDirectoryAttributes());
    Job job = Job.of(fs, SimulatedJobs.OUT, id);
    fs.transactions().register(job.registration());
    return job;
  }

  /** Found by the swarm: its record had a state then, and nothing else that could be read. */
  @Test
  void aJobThatIsAbortedWhenItWasOnlyNoticedIsOver() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    Job job = registered(cluster, "noticed");
    collect(cluster.client("collector"));
    assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    for (long time = SimulatedJobs.COLLECTING; time <= 3 * SimulatedJobs.COLLECTING; time += 2000) {
      new SimulatedJobs(cluster.client("janitor"), time + 2000).collect(time);
    }
    new JobPoolCheck(cluster).assertNothingLeft();
  }

  /** Dies with what makes or notices a job's record still on its way. */
  private static SimulatedClient dyingAtTheRecord(SimulatedCluster cluster, String name, Job job) {
    SimulatedClient client = cluster.client(name);
    FaultPlan unused =
        client
            .faults()
            .once(op -> op.write() && op.object().equals(job.record().name()), Fault.CRASH_LATE);
    return client;
  }

  private static void nothingLeftLongAfter(SimulatedCluster cluster) throws IOException {
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    for (long time = SimulatedJobs.COLLECTING; time <= 4 * SimulatedJobs.COLLECTING; time += 2000) {
      new SimulatedJobs(cluster.client("janitor"), time + 2000).collect(time);
      PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    }
    new JobPoolCheck(cluster).assertNothingLeft();
    assertThat(cluster.objects(SimulatedJobs.POOL, "").get(ObjectNames.LEDGERS).omap()).isEmpty();
  }

  /** Found by the explorer: what makes the record comes when all seems over. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRecordThatComesAfterTheAbort(boolean abortedTwice) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    Job job = SimulatedJobs.job(cluster.client("other"), "late");
    SimulatedClient driver = dyingAtTheRecord(cluster, "driver", job);
    assertThatThrownBy(() -> SimulatedJobs.setUp(SimulatedJobs.job(driver, "late")))
        .isInstanceOf(ClientCrashed.class);
    assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    if (abortedTwice) {
      assertThat(AbortJobStage.run(job)).isEqualTo(AbortJobStage.Outcome.ABORTED);
    } else {
      collect(cluster.client("collector"));
    }
    cluster.landDelayedOps();
    assertThat(cluster.objects(SimulatedJobs.POOL, "")).containsKey(job.record().name());
    nothingLeftLongAfter(cluster);
  }

  /** Found by the explorer: what a driver said last comes to what was noticed since. */
  @ParameterizedTest
  @EnumSource(
      value = TransactionStatus.State.class,
      names = {"COMMITTED", "ABORTED"})
  void aDecisionThatComesToANotice(TransactionStatus.State decision) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    String record = SimulatedJobs.job(cluster.client("other"), "late").record().name();
    ObjectStore store = cluster.client("driver").open(SimulatedJobs.POOL, "");
    store.write(
        ObjectNames.LEDGERS,
        WriteOp.builder()
            .createIfMissing()
            .setOmap(
                IndexKeys.REMOVED_JOB_PREFIX + record,
                new TransactionStatus(decision, record).encode())
            .build());
    byte[] state = decision.toString().getBytes(StandardCharsets.UTF_8);
    byte[] time = "1001".getBytes(StandardCharsets.UTF_8);
    store.write(
        record, WriteOp.builder().createIfMissing().setOmap(Map.of("r", time, "s", state)).build());
    nothingLeftLongAfter(cluster);
  }

  /** Has something happen while a driver is about to make the record of its job. */
  private static SimulatedClient suspendedAtTheRecord(
      SimulatedCluster cluster, String name, Job job, InvocationRaisingIOE meanwhile) {
    SimulatedClient driver = cluster.client(name);
    FaultPlan unused =
        driver
            .faults()
            .once(
                op -> {
                  boolean makes = op.write() && op.object().equals(job.record().name());
                  if (makes) {
                    try {
                      meanwhile.apply();
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  }
                  return makes;
                },
                Fault.LOSE_REQUEST);
    return driver;
  }

  /** A driver is suspended for so long that all seems over, and goes on then. */
  @ParameterizedTest
  @ValueSource(longs = {0, 500})
  void aRecordThatIsMadeWhenItsRegistrationHasGone(long lease) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    Job seen = SimulatedJobs.job(cluster.client("other"), "late");
    SimulatedClient client =
        suspendedAtTheRecord(cluster, "driver", seen, () -> nothingLeftLongAfter(cluster));
    Job job = SimulatedJobs.job(client, "late");
    assertThatThrownBy(() -> setUp(job, lease))
        .isInstanceOf(JobEndedException.class)
        .hasMessageContaining(job.toString())
        .hasMessageContaining("ABORTED");
    new JobPoolCheck(cluster).assertNothingLeft();
    nothingLeftLongAfter(cluster);
  }

  /** The collector has removed the record, and is about to remove the registration. */
  @ParameterizedTest
  @ValueSource(longs = {0, 500})
  void aRecordThatIsMadeWhileItsRegistrationGoes(long lease) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    SimulatedClient collector = cluster.client("collector");
    Job seen = SimulatedJobs.job(cluster.client("other"), "late");
    SimulatedClient client =
        suspendedAtTheRecord(
            cluster,
            "driver",
            seen,
            () -> {
              collect(cluster.client("notices"));
              FaultPlan unused =
                  collector
                      .faults()
                      .once(
                          op -> op.write() && op.summary().contains("removeOmap(j/late)"),
                          Fault.CRASH_LATE);
              assertThatThrownBy(
                      () ->
                          new SimulatedJobs(collector, 3 * SimulatedJobs.COLLECTING)
                              .collect(2 * SimulatedJobs.COLLECTING))
                  .isInstanceOf(ClientCrashed.class);
            });
    Job job = SimulatedJobs.job(client, "late");
    assertThatThrownBy(() -> setUp(job, lease)).isInstanceOf(JobEndedException.class);
    cluster.landDelayedOps();
    PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
    nothingLeftLongAfter(cluster);
  }

  private static void setUp(Job job, long lease) throws IOException {
    SetupJobStage.run(
        job,
        SimulatedJobs.info(job.id()),
        RequireEmpty.NOTHING,
        OverwriteConflict.WAIT,
        SimulatedJobs.lease(lease));
  }

  /** Dies when the commit of job "late" is decided. */
  private static SimulatedClient dyingAtTheDecision(SimulatedCluster cluster) {
    SimulatedClient driver = cluster.client("driver");
    DeathAtTheDecision.of(driver, "late", Fault.CRASH_AFTER);
    return driver;
  }

  /** Has others do something before one operation of a client; returns whether it came to that. */
  private static boolean[] before(
      SimulatedClient client, int operation, FaultPlan.Interlude interlude) {
    boolean[] ran = {false};
    FaultPlan unused =
        client
            .faults()
            .before(
                op -> {
                  if (op.number() == operation) {
                    ran[0] = true;
                    interlude.before(op);
                  }
                });
    return ran;
  }

  /** What one is told who aborts a job that was found undecided, or has it recovered. */
  private static boolean isFoundCommitted(Job job, boolean isAborted, long now) throws IOException {
    return isAborted
        ? AbortJobStage.run(job) == AbortJobStage.Outcome.COMMITTED
        : RecoverJobStage.run(job, Transactions.State.PENDING, Silence.since(now)).outcome()
            == JobUpkeep.Outcome.COMMITTED;
  }

  /**
   * Who looks after jobs, or aborts one, finds one that is not decided. Before any of their next
   * operations it is committed, its files are renamed, and its destination is removed.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aJobWhoseDestinationIsRemovedBetweenTwoLooks(boolean isAborted) throws IOException {
    Scenario scenario = scenarios().findFirst().orElseThrow();
    boolean more = true;
    int at = 1;
    for (; more; at++) {
      SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
      old(cluster.client("before"), scenario);
      SimulatedClient driver = dyingAtTheDecision(cluster);
      Job job = SimulatedJobs.job(driver, "late");
      setUpWithTasks(job, scenario);
      SimulatedClient janitor = cluster.client("janitor");
      boolean[] ran = before(janitor, at, op -> commitAndMove(cluster, job, scenario));
      Job found = SimulatedJobs.job(janitor, "late");
      boolean committed = isFoundCommitted(found, isAborted, SimulatedJobs.WORKING);
      boolean kept = cluster.objects(SimulatedJobs.POOL, "").containsKey("out/p=1/part-0");
      PoolChecker.check(cluster.objects(SimulatedJobs.POOL, ""));
      SimulatedJobs observer = new SimulatedJobs(cluster.client("observer"));
      boolean visible = observer.namespace().lookup(new FsPath("kept")).isPresent();
      assertThat(committed).as("before operation %d", at).isEqualTo(visible);
      assertThat(kept).isEqualTo(visible);
      nothingLeftLongAfter(cluster);
      more = ran[0];
    }
    assertThat(at).as("operations that it may come before").isGreaterThan(3);
  }

  /** The driver dies when it has decided, unless the job has ended. */
  private static void commitAndMove(SimulatedCluster cluster, Job job, Scenario scenario)
      throws IOException {
    try {
      var unused = CommitJobStage.run(job, scenario.request());
    } catch (ClientCrashed e) {
      Namespace users = new SimulatedJobs(cluster.client("user")).namespace();
      users.rename(Scenario.full("p=1/part-0"), new FsPath("kept"), false);
      boolean unused = users.delete(SimulatedJobs.OUT, true);
    } catch (JobEndedException e) {
      assertThat(e).hasMessageContaining("late");
    }
  }

  /**
   * Found by the explorer: its driver died when the commit was decided, and who had found no record
   * before the job was set up took the decision away, and with it the files.
   */
  @ParameterizedTest
  @MethodSource("scenarios")
  void aJobThatCommitsWhileItIsTakenForOneWithoutARecord(Scenario scenario) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    old(cluster.client("before"), scenario);
    SimulatedClient driver = dyingAtTheDecision(cluster);
    SimulatedJobs fs = new SimulatedJobs(driver);
    fs.transactions().register(Job.of(fs, SimulatedJobs.OUT, "late").registration());
    SimulatedClient janitor = cluster.client("janitor");
    janitor
        .faults()
        .before(
            op -> {
              if (op.number() == 2) {
                assertThatThrownBy(() -> run(driver, "late", scenario))
                    .isInstanceOf(ClientCrashed.class);
              }
            });
    assertThat(
            RecoverJobStage.run(
                    SimulatedJobs.job(janitor, "late"),
                    Transactions.State.PENDING,
                    Silence.since(SimulatedJobs.WORKING))
                .outcome())
        .isEqualTo(JobUpkeep.Outcome.COMMITTED);
    assertThat(new JobPoolCheck(cluster).tree()).isEqualTo(scenario.after());
    nothingLeftLongAfter(cluster);
  }

  /** Found by the explorer: it was listed as one that is being set up. */
  @Test
  void aJobThatWasNoticedAndHasCommittedIsNotShownAnyMore() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    Job job = registered(cluster, "noticed");
    collect(cluster.client("collector"));
    SimulatedJobs other = new SimulatedJobs(cluster.client("other"));
    assertThat(shown(other)).containsExactly("noticed");
    SimulatedJobs.setUp(job);
    assertThat(shown(other)).containsExactly("noticed");
    var unused =
        CommitJobStage.run(
            job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, false));
    assertThat(shown(other)).isEmpty();
  }

  /** The jobs that {@code radosfs jobs list} shows. */
  private static List<String> shown(SimulatedJobs fs) throws IOException {
    List<String> shown = new ArrayList<>();
    for (RegisteredJob job : fs.registry().below(FsPath.ROOT, Failures.END)) {
      if (!new StagedJobUpkeep().describe(fs, job).hasEnded()) {
        shown.add(job.id());
      }
    }
    return shown;
  }

  /** What a collector noticed of a job comes when another has brought it to its end. */
  @Test
  void aNoticeThatComesAfterTheJobsEnd() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    Job job = registered(cluster, "late");
    SimulatedClient first = dyingAtTheRecord(cluster, "first", job);
    assertThatThrownBy(() -> collect(first)).isInstanceOf(ClientCrashed.class);
    SimulatedJobs.setUp(job);
    collect(cluster.client("second"));
    cluster.landDelayedOps();
    nothingLeftLongAfter(cluster);
  }

  /**
   * Two collectors find a job that was noticed long ago. One ends it, and takes it from the list
   * when the other has seen it there, and is about to note that there is no record.
   */
  @Test
  void aNoticeThatComesWhenAnotherForgetsTheJob() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    Job job = registered(cluster, "late");
    collect(cluster.client("notices"));
    SimulatedClient first = cluster.client("first");
    FaultPlan dies =
        first
            .faults()
            .once(
                op ->
                    op.object().equals(ObjectNames.LEDGERS)
                        && op.summary().contains("removeOmap(job/"),
                Fault.CRASH_LATE);
    SimulatedClient second = cluster.client("second");
    boolean[] began = {false};
    second
        .faults()
        .before(
            op -> {
              boolean atRecord = op.object().equals(job.record().name());
              if (atRecord && !began[0]) {
                began[0] = true;
                assertThatThrownBy(() -> longAfter(first)).isInstanceOf(ClientCrashed.class);
              } else if (atRecord && op.write()) {
                cluster.landDelayedOps();
              }
            });
    longAfter(second);
    assertThat(dies.struck()).hasSize(1);
    nothingLeftLongAfter(cluster);
  }

  private static void longAfter(SimulatedClient client) throws IOException {
    new SimulatedJobs(client, 3 * SimulatedJobs.COLLECTING).recover(2 * SimulatedJobs.COLLECTING);
  }

  /**
   * Who ends a job finds it undecided. Before any of the next operations it is committed, and what
   * a collector noticed of it long ago makes a record again.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aNoticeThatComesAfterTheCommitWhileAnotherEndsTheJob(boolean isAborted) throws IOException {
    Scenario scenario = scenarios().findFirst().orElseThrow();
    boolean more = true;
    int at = 1;
    for (; more; at++) {
      SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
      old(cluster.client("before"), scenario);
      Job job = registered(cluster, "late");
      SimulatedClient collector = dyingAtTheRecord(cluster, "collector", job);
      assertThatThrownBy(() -> collect(collector)).isInstanceOf(ClientCrashed.class);
      setUpWithTasks(job, scenario);
      SimulatedClient other = cluster.client("other");
      boolean[] ran =
          before(
              other,
              at,
              op -> {
                try {
                  var done = CommitJobStage.run(job, scenario.request());
                } catch (JobEndedException e) {
                  assertThat(e).hasMessageContaining("late");
                }
                cluster.landDelayedOps();
              });
      Job found = SimulatedJobs.job(other, "late");
      boolean committed = isFoundCommitted(found, isAborted, SimulatedJobs.COLLECTING);
      boolean visible = new JobPoolCheck(cluster).tree().equals(scenario.after());
      assertThat(committed).as("before operation %d", at).isEqualTo(visible);
      nothingLeftLongAfter(cluster);
      more = ran[0];
    }
    assertThat(at).as("operations that it may come before").isGreaterThan(3);
  }

  /** Whatever has happened: old or new, and something leads to every object. */
  private static SortedMap<String, Long> oldOrNew(Trial trial, Scenario scenario)
      throws IOException {
    PoolChecker.check(trial.cluster().objects(SimulatedJobs.POOL, ""));
    SortedMap<String, Long> tree = new JobPoolCheck(trial.cluster()).tree();
    assertThat(tree).isIn(scenario.before(), scenario.after());
    return tree;
  }

  /** Long after: the same files, no job, no ledger, no other object. */
  private static void nothingLeft(Trial trial) throws IOException {
    SortedMap<String, Long> tree = new JobPoolCheck(trial.cluster()).tree();
    for (long time = SimulatedJobs.COLLECTING; time <= 3 * SimulatedJobs.COLLECTING; time += 2000) {
      new SimulatedJobs(trial.cluster().client("janitor"), time + 2000).collect(time);
    }
    JobPoolCheck check = new JobPoolCheck(trial.cluster());
    check.assertNothingLeft();
    assertThat(check.tree()).isEqualTo(tree);
    SortedMap<String, ObjectView> objects = trial.cluster().objects(SimulatedJobs.POOL, "");
    PoolChecker.check(objects);
    assertThat(objects.keySet()).noneMatch(name -> name.startsWith("//ledger/"));
    if (objects.containsKey(ObjectNames.LEDGERS)) {
      assertThat(objects.get(ObjectNames.LEDGERS).omap()).isEmpty();
    }
  }

  private static Experiment experiment(String name, Scenario scenario) {
    return Experiment.named(name + ": " + scenario)
        .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
        .setUp(client -> old(client, scenario))
        .program("driver", client -> run(client, "j1", scenario))
        .checkBeforeRecovery(trial -> oldOrNew(trial, scenario))
        .recover(JobCollectionTest::collect)
        .check(
            trial -> {
              SortedMap<String, Long> tree = oldOrNew(trial, scenario);
              Outcome driver = trial.outcome("driver");
              if (driver.succeeded()) {
                assertThat(tree).isEqualTo(scenario.after());
              } else if (driver.failed()) {
                assertThat(driver.failure())
                    .isInstanceOfAny(
                        JobEndedException.class,
                        TransactionAbortedException.class,
                        LedgerTakenOverException.class);
                assertThat(tree).isEqualTo(scenario.before());
              }
              nothingLeft(trial);
            });
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void afterAJobThatStoppedAnywhere(Scenario scenario) {
    Experiment experiment =
        experiment("collect after a job", scenario)
            .faults(Fault.ALL)
            .check(
                trial -> {
                  oldOrNew(trial, scenario);
                  nothingLeft(trial);
                });
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  @Test
  void aCollectionThatStoppedAnywhereIsTakenUp() {
    Scenario scenario = scenarios().findFirst().orElseThrow();
    Experiment experiment =
        experiment("collect after a job, and again", scenario)
            .check(
                trial -> {
                  oldOrNew(trial, scenario);
                  nothingLeft(trial);
                });
    assertThat(experiment.everyStoppingPointOfRecovery().complete()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void besideAJobThatIsAlive(Scenario scenario) {
    Experiment experiment =
        experiment("collect beside a job", scenario)
            .program("collector", JobCollectionTest::collect);
    experiment.everyInsertion();
    experiment.randomInterleavings(SEED, 40);
  }

  @Test
  void aCollectionBesideAJobStopsAnywhere() {
    Scenario scenario = scenarios().findFirst().orElseThrow();
    Experiment experiment =
        experiment("collect beside a job, and die", scenario)
            .program("collector", JobCollectionTest::collect);
    experiment.everyInsertionThenCrash();
    experiment.everyInsertionOfCrash();
  }

  /** The third way of recovery: whoever writes to the destination next does it on the way. */
  @ParameterizedTest
  @MethodSource("scenarios")
  void theNextJobOnTheDestinationRecovers(Scenario scenario) {
    Experiment experiment =
        Experiment.named("the next job: " + scenario)
            .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
            .setUp(client -> old(client, scenario))
            .program("driver", client -> run(client, "j1", scenario))
            .faults(Fault.ALL)
            .checkBeforeRecovery(trial -> oldOrNew(trial, scenario))
            .recover(JobCollectionTest::setUpLater)
            .check(
                trial -> {
                  oldOrNew(trial, scenario);
                  List<String> records = new ArrayList<>();
                  for (Map.Entry<String, ObjectView> object :
                      trial.cluster().objects(SimulatedJobs.POOL, "").entrySet()) {
                    if (object.getKey().contains("//job/")) {
                      String state = new String(object.getValue().omap().get("s"));
                      records.add(ObjectNames.jobOf(object.getKey()) + " " + state);
                    }
                  }
                  assertThat(records).contains("j2 RUNNING");
                  assertThat(records).doesNotContain("j1 RUNNING", "j1 COMMITTING");
                });
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  private static void setUpLater(SimulatedClient client) throws IOException {
    Job job = Job.of(new SimulatedJobs(client, SimulatedJobs.COLLECTING), SimulatedJobs.OUT, "j2");
    SetupJobStage.run(
        job,
        SimulatedJobs.info("j2"),
        RequireEmpty.NOTHING,
        OverwriteConflict.WAIT,
        SimulatedJobs.LEASE);
  }

  /**
   * What a committed job made visible stays, wherever it is by the time that its record is found.
   */
  @Test
  void filesOfACommittedJobSurviveItsDestination() {
    Scenario scenario =
        StoppingPointsTest.scenarios()
            .filter(s -> s.name().equals("append elsewhere"))
            .findFirst()
            .orElseThrow();
    Experiment experiment =
        Experiment.named("destination gone")
            .cluster(() -> SimulatedCluster.withPools(SimulatedJobs.POOL))
            .setUp(client -> old(client, scenario))
            .program("driver", client -> run(client, "j1", scenario))
            .recover(
                client -> {
                  Namespace namespace = new SimulatedJobs(client).namespace();
                  FsPath written = Scenario.full("p=1/part-0");
                  if (namespace.lookup(written).isPresent()) {
                    namespace.rename(written, new FsPath("kept"), false);
                  }
                  try {
                    boolean unused = namespace.delete(SimulatedJobs.OUT, true);
                  } catch (TransactionConflictException e) {
                    // What the job has prepared keeps the directory from being removed.
                    collect(client);
                    boolean unused = namespace.delete(SimulatedJobs.OUT, true);
                  }
                  collect(client);
                })
            .check(
                trial -> {
                  // Which also finds that the files that are visible have their objects.
                  nothingLeft(trial);
                  SortedMap<String, Long> tree = new JobPoolCheck(trial.cluster()).tree();
                  boolean committed = tree.containsKey(JobPaths.ELSEWHERE + "/kept");
                  assertThat(tree.containsKey(JobPaths.ELSEWHERE + "/new/deep/part-1"))
                      .isEqualTo(committed);
                  assertThat(committed || !trial.outcome("driver").succeeded()).isTrue();
                })
            .faults(Fault.ALL);
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }
}
