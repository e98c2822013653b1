// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.TransactionAbortedException;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.resolve.Move;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A tree is moved or replaced while a file is renamed within it. Neither waits for the other to the
 * end: the rename cannot go on where the tree is locked, and its registration keeps the rest of the
 * tree from being locked.
 */
@Tag("exploration")
@Execution(ExecutionMode.CONCURRENT)
class LockAgainstRenameTest {

  private static final FsPath TOP = new FsPath("top");
  private static final Duration WAIT = Duration.ofSeconds(30);
  private static final Registration JOB =
      new Registration("job", FsPath.ROOT, ObjectNames.job(FsPath.ROOT, "job"));

  private static void setUp(SimulatedClient client) throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    mount.write("/top/a/f", "content");
    mount.write("/top/b/other", "other");
    mount.mkdirs("/away");
    mount.transactions().register(JOB);
  }

  private static void renameWithin(SimulatedClient client) throws IOException {
    try {
      SimulatedMount.of(client, WAIT)
          .namespace()
          .rename(FsPath.parse("/top/a/f"), FsPath.parse("/top/b/f"), false);
    } catch (FileNotFoundException e) {
      // The tree was faster.
      assertThat(e).isNotNull();
    }
  }

  private static void move(SimulatedClient client) throws IOException {
    SimulatedMount.of(client, WAIT).namespace().rename(TOP, new FsPath("moved"), false);
  }

  private static void replace(SimulatedClient client) throws IOException {
    Transactions transactions = SimulatedMount.of(client, WAIT).transactions();
    assertThat(transactions.commit(JOB, Map.of(), Set.of(TOP)).isResolved()).isTrue();
  }

  private static void check(Trial trial) throws IOException {
    check(trial, WAIT.dividedBy(2));
    assertThat(SimulatedMount.of(trial.observer()).tree()).doesNotContainKey("/top/");
  }

  private static void check(Trial trial, Duration wait) throws IOException {
    for (String client : List.of("tree", "file")) {
      assertThat(trial.outcome(client).failure()).isNull();
      assertThat(Duration.ofNanos(trial.cluster().client(client).waited())).isLessThan(wait);
    }
    PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
  }

  private static Experiment experiment(String name, Experiment.Action tree) {
    return Experiment.named(name)
        .setUp(LockAgainstRenameTest::setUp)
        .program("tree", tree)
        .program("file", LockAgainstRenameTest::renameWithin)
        .check(LockAgainstRenameTest::check);
  }

  /** A rename of {@link #TOP} that others have aborted, and one that goes on, by a lock. */
  private static void endsNoOthers(FsPath source, FsPath destination, String index)
      throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    setUp(cluster.client("setup"));
    SimulatedMount mount = SimulatedMount.of(cluster.client("tree"), WAIT);
    Move aborted = new Move(TOP, new FsPath("moved"));
    mount.transactions().register(aborted.registration());
    SimulatedClient file = cluster.client("file");
    var unused =
        file.faults().once(op -> op.write() && op.object().equals(index), Fault.CRASH_AFTER);
    SimulatedMount renaming = SimulatedMount.of(file);
    assertThatThrownBy(() -> renaming.namespace().rename(source, destination, false))
        .isInstanceOf(ClientCrashed.class);
    byte[] registered = status(cluster, destination.parent());
    assertThat(mount.transactions().abort(aborted.registration()))
        .isEqualTo(Transactions.State.ABORTED);
    Entry.OfDirectory entry = (Entry.OfDirectory) mount.namespace().lookup(TOP).orElseThrow();
    DirectoryLocker locker =
        mount.wiring().preparation().locker(aborted.id(), aborted.coordinator());
    assertThatThrownBy(() -> locker.lock(TOP, entry, TransactionMark::moving))
        .isInstanceOf(TransactionAbortedException.class);
    assertThat(status(cluster, destination.parent())).isEqualTo(registered);
  }

  /** The one status record in a directory. */
  private static byte[] status(SimulatedCluster cluster, FsPath directory) {
    return cluster
        .objects(SimulatedMount.POOL, "")
        .get(ObjectNames.index(directory))
        .omap()
        .entrySet()
        .stream()
        .filter(key -> key.getKey().startsWith(IndexKeys.TRANSACTION_STATUS_PREFIX))
        .map(Map.Entry::getValue)
        .reduce(
            (one, other) -> {
              throw new IllegalStateException("two of them");
            })
        .orElseThrow();
  }

  @Test
  void aLockThatIsAbortedEndsNoRenameThatIsRegistered() throws IOException {
    endsNoOthers(FsPath.parse("/top/a/f"), FsPath.parse("/top/b/f"), "top/b/");
  }

  @Test
  void aLockThatIsAbortedEndsNoRenameThatHasAMark() throws IOException {
    endsNoOthers(FsPath.parse("/top/a/f"), FsPath.parse("/away/f"), "top/a/");
  }

  @Test
  void aTreeIsMoved() {
    experiment("a tree is moved while a file is renamed in it", LockAgainstRenameTest::move)
        .randomInterleavings(20_261_126, 200);
  }

  @Test
  void aTreeIsReplaced() {
    experiment("a tree is replaced while a file is renamed in it", LockAgainstRenameTest::replace)
        .randomInterleavings(20_261_126, 200);
  }

  /** Each waits for a lock of what the other is registered in. */
  @Test
  void treesAreMovedIntoEachOther() {
    Experiment.named("two trees are moved, each into the other")
        .setUp(LockAgainstRenameTest::setUp)
        .program("tree", client -> moveInto(client, "/top/b", "/away/b"))
        .program("file", client -> moveInto(client, "/away", "/top/b/away"))
        .check(
            trial -> {
              check(trial, WAIT.dividedBy(2));
              assertThat(SimulatedMount.of(trial.observer()).tree())
                  .satisfiesAnyOf(
                      tree -> assertThat(tree).containsKey("/away/b/other"),
                      tree -> assertThat(tree).containsKey("/top/b/away/"));
            })
        .randomInterleavings(20_261_127, 200);
  }

  /** It may have come too late: then its source, or what it was to be moved into, has moved. */
  private static void moveInto(SimulatedClient client, String source, String destination)
      throws IOException {
    try {
      SimulatedMount.of(client, WAIT)
          .namespace()
          .rename(FsPath.parse(source), FsPath.parse(destination), false);
    } catch (FileNotFoundException e) {
      assertThat(e).isNotNull();
    }
  }
}
