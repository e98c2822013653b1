// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.RemovedJobs;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.TransactionConflictException;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.Transactions.State;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What is still registered in a directory that is to be moved or replaced whole: renames of clients
 * that died, and jobs that have ended.
 */
@Execution(ExecutionMode.CONCURRENT)
class LeftRegistrationsTest {

  private static final FsPath TO = new FsPath("to");
  private static final FsPath MOVED = new FsPath("moved");
  private static final FsPath ELSEWHERE = new FsPath("elsewhere");
  private static final Registration ABOVE = job(FsPath.ROOT, "above");
  private static final Registration WITHIN = job(TO, "within");

  private static Registration job(FsPath directory, String id) {
    return new Registration(id, directory, ObjectNames.job(directory, id));
  }

  private static void setUp(SimulatedClient client) throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    mount.write("/from/tree/below/f", "content");
    mount.write("/to/other", "other");
  }

  private static void rename(SimulatedClient client) throws IOException {
    SimulatedMount.of(client)
        .namespace()
        .rename(FsPath.parse("/from/tree"), FsPath.parse("/to/tree"), false);
  }

  private static Experiment renameInto(String then) {
    return Experiment.named("rename into a directory, then " + then)
        .setUp(LeftRegistrationsTest::setUp)
        .program("client", LeftRegistrationsTest::rename)
        .writesOnly();
  }

  private static boolean isThere(SimulatedMount mount, FsPath path) throws IOException {
    return mount.namespace().lookup(path).isPresent();
  }

  private static SortedMap<String, String> checked(Trial trial) throws IOException {
    PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
    return SimulatedMount.of(trial.observer()).tree();
  }

  @Test
  void aDirectoryIsMovedAfterARenameIntoItThatStoppedAnywhere() {
    Experiment experiment =
        renameInto("move that")
            .recover(
                client -> {
                  SimulatedMount mount = SimulatedMount.of(client);
                  if (isThere(mount, TO)) {
                    mount.namespace().rename(TO, MOVED, false);
                  }
                })
            .check(
                trial -> {
                  SortedMap<String, String> tree = checked(trial);
                  boolean renamed = tree.containsKey("/moved/tree/below/f");
                  assertThat(tree).containsEntry("/moved/other", "other");
                  assertThat(tree.containsKey("/from/tree/below/f")).isEqualTo(!renamed);
                  assertThat(renamed || !trial.outcome("client").succeeded()).isTrue();
                });
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  @Test
  void aDirectoryIsReplacedAfterARenameIntoItThatStoppedAnywhere() {
    Experiment experiment =
        renameInto("replace that")
            .recover(
                client -> {
                  SimulatedMount mount = SimulatedMount.of(client);
                  if (isThere(mount, TO)) {
                    mount.transactions().register(ABOVE);
                    replace(mount);
                  }
                })
            .check(
                trial -> {
                  SortedMap<String, String> tree = checked(trial);
                  assertThat(tree).doesNotContainKeys("/to/", "/to/tree/below/f");
                  boolean renamed = !tree.containsKey("/from/tree/below/f");
                  assertThat(renamed || !trial.outcome("client").succeeded()).isTrue();
                });
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  /** Replaces the directory by nothing, as the job above it. */
  private static void replace(SimulatedMount mount) throws IOException {
    Transactions transactions = mount.transactions();
    assertThat(transactions.commit(ABOVE, Map.of(), Set.of(TO)).isResolved()).isTrue();
    transactions.forget(ABOVE);
  }

  private static Entry.OfFile written(SimulatedMount mount, FsPath path) throws IOException {
    byte[] bytes = "new".getBytes(StandardCharsets.UTF_8);
    FileData data = new FileData(path, Uid.random(), true, bytes.length, 8, Optional.empty());
    mount.writeStripe(data, bytes);
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return new Entry.OfFile(data, (int) crc.getValue(), SimulatedMount.ATTRIBUTES);
  }

  /** Removes the directory of a job, by another client. */
  private interface Removing {
    void remove(SimulatedMount mount) throws IOException;
  }

  /** Until the job that committed them is resolved there, only its registration shows it. */
  private static void committedElsewhereStays(Sharding sharding, Removing removing)
      throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedMount mount = SimulatedMount.of(cluster.client("client"), sharding);
    for (int i = 0; i < 4; i++) {
      mount.write("/to/f" + i, "f");
    }
    mount.mkdirs("/elsewhere");
    SimulatedClient driver = cluster.client("driver");
    SimulatedMount driving = SimulatedMount.of(driver);
    driving.transactions().register(WITHIN);
    Entry.OfFile file = written(driving, ELSEWHERE.child("f"));
    // The only change of the directory's index that is left is the decision.
    var unused =
        driver.faults().once(op -> op.write() && op.object().equals("to/"), Fault.CRASH_AFTER);
    var killed =
        catchThrowable(
            () ->
                driving
                    .transactions()
                    .commit(
                        WITHIN,
                        Map.of(ELSEWHERE, DirectoryChange.adding(Map.of("f", file))),
                        Set.of()));
    assertThat(driver.crashed()).as("%s", killed).isTrue();
    assertThat(mount.transactions().state(WITHIN)).contains(State.COMMITTED);

    removing.remove(SimulatedMount.of(cluster.client("removing"), sharding));
    SimulatedMount reading = SimulatedMount.of(cluster.client("reader"));
    assertThat(reading.tree()).containsOnlyKeys("/elsewhere/", "/elsewhere/f");
    assertThat(new RemovedJobs(reading.store()).find(WITHIN.owner())).isPresent();
  }

  @Test
  void whatAJobHasCommittedElsewhereStaysWhereItsDirectoryIsReplaced() throws IOException {
    committedElsewhereStays(
        new Sharding(65_536, 64),
        mount -> {
          mount.transactions().register(ABOVE);
          replace(mount);
        });
  }

  /** As one that commits after the removal has looked at what is registered. */
  @Test
  void whatAJobHasCommittedElsewhereStaysWhereItsShardsAreRemoved() throws IOException {
    committedElsewhereStays(
        new Sharding(2, 2),
        mount -> {
          assertThat(mount.shards("/to")).isEqualTo(2);
          Uid uid = ((Entry.OfDirectory) mount.namespace().lookup(TO).orElseThrow()).uid();
          mount.wiring().removals().remove(TO, uid, false);
        });
  }

  /**
   * Removes the directory of a job that has committed elsewhere.
   *
   * @param disturbances that others make just before the directory is changed
   * @return operations on what the job has elsewhere
   */
  private static int resolving(Removing removing, int disturbances) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedMount other = SimulatedMount.of(cluster.client("other"));
    other.mkdirs("/to");
    other.mkdirs("/elsewhere");
    other.transactions().register(WITHIN);
    Entry.OfFile file = written(other, ELSEWHERE.child("f"));
    var unused =
        other
            .transactions()
            .commit(WITHIN, Map.of(ELSEWHERE, DirectoryChange.adding(Map.of("f", file))), Set.of());
    SimulatedClient client = cluster.client("removing");
    AtomicInteger left = new AtomicInteger(disturbances);
    AtomicInteger elsewhere = new AtomicInteger();
    var plan =
        client
            .faults()
            .before(
                op -> {
                  if (op.object().equals("elsewhere/")) {
                    elsewhere.incrementAndGet();
                  } else if (op.write()
                      && op.object().equals("to/")
                      && left.getAndDecrement() > 0) {
                    other.write("/to/f" + left, "f");
                  }
                });
    removing.remove(SimulatedMount.of(client));
    assertThat(left.get()).as("disturbances left of %s", plan).isNegative();
    return elsewhere.get();
  }

  private static void isResolvedOnce(Removing removing) throws IOException {
    int undisturbed = resolving(removing, 0);
    assertThat(undisturbed).isPositive();
    assertThat(resolving(removing, 5)).isEqualTo(undisturbed);
  }

  /** What is committed stays so: whoever tries again need not look there again. */
  @Test
  void whatAJobHasElsewhereIsResolvedOnceWhereItsDirectoryIsReplaced() throws IOException {
    isResolvedOnce(
        mount -> {
          mount.transactions().register(ABOVE);
          replace(mount);
        });
  }

  @Test
  void whatAJobHasElsewhereIsResolvedOnceWhereItsDirectoryIsDeleted() throws IOException {
    isResolvedOnce(mount -> assertThat(mount.namespace().delete(TO, true)).isTrue());
  }

  /** Its driver may be alive, and is not told to end by others. */
  @Test
  void aJobThatHasNotEndedKeepsItsDirectory() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedMount mount = SimulatedMount.of(cluster.client("client"));
    mount.mkdirs("/to");
    mount.transactions().register(WITHIN);
    mount.transactions().register(ABOVE);
    assertThatThrownBy(() -> replace(mount))
        .isInstanceOf(TransactionConflictException.class)
        .hasMessageContaining("while a job writes to it");
    assertThat(mount.transactions().state(WITHIN)).contains(State.PENDING);
  }

  /** Their records would lead nowhere: what is registered does not go with the directory. */
  @Test
  void aJobThatHasEndedKeepsItsDirectoryFromBeingMovedAlone() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedMount mount = SimulatedMount.of(cluster.client("client"));
    mount.mkdirs("/to");
    mount.transactions().register(WITHIN);
    assertThat(mount.transactions().abort(WITHIN)).isEqualTo(State.ABORTED);
    assertThatThrownBy(() -> mount.namespace().rename(TO, MOVED, false))
        .isInstanceOf(TransactionConflictException.class)
        .hasMessageContaining("job within has ended there");
    mount.transactions().register(ABOVE);
    replace(mount);
    assertThat(new RemovedJobs(mount.store()).find(WITHIN.owner()))
        .hasValueSatisfying(
            line -> assertThat(line.state()).isEqualTo(TransactionStatus.State.ABORTED));
  }
}
