// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.rename;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.commit.LockedTree;
import io.radosfs.connector.transaction.resolve.Move;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Indexes that somebody has made and not come to open. */
@Execution(ExecutionMode.CONCURRENT)
class LeftOverIndexTest {

  private static final DataLayout SCRATCH = new DataLayout(Optional.of("ec"), Optional.of(4));
  private static final FsPath OUT = new FsPath("out");
  private static final FsPath DAY = new FsPath("out/day");
  private static final Registration JOB =
      new Registration("job-1", OUT, ObjectNames.job(OUT, "job-1"));

  private final SimulatedCluster cluster =
      SimulatedCluster.withPools(SimulatedMount.POOL).addErasureCodedPool("ec");

  private SimulatedMount mount(String client) throws IOException {
    return SimulatedMount.of(cluster.client(client));
  }

  /** What is left of a job that wrote to a directory of that path when it had another layout. */
  private void leaveIndex(FsPath directory) throws IOException {
    assertThat(
            mount("gone")
                .wiring()
                .indexes()
                .writer()
                .apply(
                    IndexChange.creating(directory, IndexHead.opening("gone"))
                        .set(IndexKeys.LAYOUT, SCRATCH.encode())))
        .isTrue();
  }

  private DataLayout layout(FsPath directory) throws IOException {
    return mount("observer").layouts().of(directory);
  }

  @Test
  void aDirectoryMadeThereHasTheLayoutOfItsEntry() throws IOException {
    SimulatedMount mount = mount("a");
    mount.mkdirs("/out");
    leaveIndex(DAY);
    mount.mkdirs("/out/day");
    mount.write("/out/day/file", "content");
    assertThat(layout(DAY)).isEqualTo(DataLayout.DEFAULT);
    Entry.OfFile file = (Entry.OfFile) mount.namespace().lookup(DAY.child("file")).orElseThrow();
    assertThat(file.data().pool()).isEmpty();
  }

  @Test
  void aDirectoryThatACommitMakesThereHasTheLayoutOfItsEntry() throws IOException {
    SimulatedMount mount = mount("a");
    mount.mkdirs("/out");
    leaveIndex(DAY);
    commitTo(mount, DAY);
    assertThat(layout(DAY)).isEqualTo(DataLayout.DEFAULT);
    assertThat(mount.tree()).containsKey("/out/day/file");
  }

  private static void commitTo(SimulatedMount mount, FsPath directory) throws IOException {
    FsPath path = directory.child("file");
    FileData data = new FileData(path, Uid.random(), false, 0, 8, Optional.empty());
    mount.transactions().register(JOB);
    mount
        .transactions()
        .commit(
            JOB,
            Map.of(
                directory,
                DirectoryChange.adding(
                    Map.of("file", new Entry.OfFile(data, 0, SimulatedMount.ATTRIBUTES)))),
            Set.of());
  }

  @Test
  void aDirectoryThatIsRenamedKeepsTheLayoutOfItsEntry() throws IOException {
    SimulatedMount mount = mount("a");
    mount.mkdirs("/out/day");
    leaveIndex(DAY);
    mount.namespace().rename(DAY, OUT.child("night"), false);
    assertThat(layout(OUT.child("night"))).isEqualTo(DataLayout.DEFAULT);
  }

  /** Its new indexes are opened from below, before anything above has its entry. */
  @Test
  void aTreeThatIsRenamedToThereKeepsItsLayouts() throws IOException {
    renameToWhereIndexesAreLeft(mount("a"));
  }

  /** Explorer, seed 20261759: the new name is then resolved after the new index. */
  @Test
  void aTreeThatIsRenamedIntoADirectoryWithShardsKeepsItsLayouts() throws IOException {
    renameToWhereIndexesAreLeft(SimulatedMount.of(cluster.client("a"), new Sharding(1, 2)));
  }

  private void renameToWhereIndexesAreLeft(SimulatedMount mount) throws IOException {
    mount.mkdirs("/out/day/hour");
    mount.mkdirs("/out/other");
    mount.write("/out/day/hour/file", "content");
    FsPath night = OUT.child("night");
    leaveIndex(night);
    leaveIndex(night.child("hour"));
    mount.namespace().rename(DAY, night, false);
    assertThat(layout(night)).isEqualTo(DataLayout.DEFAULT);
    assertThat(layout(night.child("hour"))).isEqualTo(DataLayout.DEFAULT);
  }

  @Test
  void aRenameThatIsGivenUpLeavesTheLayoutOfTheEntry() throws IOException {
    SimulatedMount mount = mount("a");
    mount.mkdirs("/out/day");
    leaveIndex(DAY);
    FsPath night = OUT.child("night");
    Move move = new Move(DAY, night);
    mount.transactions().register(move.registration());
    Entry.OfDirectory day = (Entry.OfDirectory) mount.namespace().lookup(DAY).orElseThrow();
    LockedTree unused =
        mount.wiring().preparation().locker(move.id(), OUT).lock(DAY, day, TransactionMark::moving);
    mount("b").write("/out/day/file", "content");
    assertThat(layout(DAY)).isEqualTo(DataLayout.DEFAULT);
  }

  /**
   * The path turns out to be a file's, between the look at it and the making of its index. Whatever
   * else goes wrong then, the ledger leads to the index.
   */
  @Test
  void anIndexMadeForWhatIsAFileByNowIsTakenBack() {
    Experiment experiment =
        Experiment.named("opening of what turns out to be a file")
            .setUp(client -> SimulatedMount.of(client).mkdirs("/out/day"))
            .program("a", client -> openDay(client))
            .program(
                "b",
                client -> {
                  SimulatedMount mount = SimulatedMount.of(client);
                  mount.namespace().delete(DAY, true);
                  mount.write("/out/day", "a file");
                })
            .recover(client -> SimulatedMount.of(client).collect())
            .checkBeforeRecovery(
                trial -> {
                  PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
                  if (trial.outcome("a").failed() && !trial.outcome("a").crashed()) {
                    assertThat(trial.cluster().objects(SimulatedMount.POOL, ""))
                        .doesNotContainKey(ObjectNames.index(DAY));
                  }
                })
            .check(
                trial ->
                    assertThat(SimulatedMount.of(trial.observer()).tree())
                        .containsEntry("/out/day", "a file"));
    experiment.everyInsertion();
    experiment.everyInsertionThenCrash();
  }

  private static void openDay(SimulatedClient client) throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    mount.wiring().openIndexes().open(DAY, SimulatedMount.ATTRIBUTES);
    mount.ledger().close();
  }

  /** An error between the making of an index and its opening, and the directory is gone. */
  @Test
  void anIndexIsInTheLedgerUntilItIsOpen() {
    for (int n = 1; n <= 8; n++) {
      int failing = n;
      Experiment.named("opening with an error at op " + n)
          .setUp(client -> SimulatedMount.of(client).mkdirs("/out/day"))
          .program("a", LeftOverIndexTest::openThenAnother)
          .program(
              "b",
              client -> {
                SimulatedMount mount = SimulatedMount.of(client);
                mount.namespace().delete(DAY, true);
                mount.ledger().close();
              })
          .standingFault("a", plan -> plan.atOp(failing, Fault.failWith(Kind.PERMISSION_DENIED)))
          .recover(
              client -> {
                SimulatedMount mount = SimulatedMount.of(client);
                mount.collect();
                mount.collectLongAfter();
              })
          .checkBeforeRecovery(LeftOverIndexTest::nothingLeaks)
          .check(LeftOverIndexTest::nothingLeaks)
          .everyInsertion();
    }
  }

  private static void nothingLeaks(Trial trial) throws IOException {
    PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
  }

  /** A later line in the ledger takes those away that are resolved. */
  private static void openThenAnother(SimulatedClient client) throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    try {
      mount.wiring().openIndexes().open(DAY, SimulatedMount.ATTRIBUTES);
    } finally {
      mount.mkdirs("/other");
      mount.write("/other/file", "content");
    }
  }
}
