// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.deletion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.transaction.Committed;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.upkeep.CollectionLog;
import io.radosfs.connector.upkeep.Finding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a directory lists for deletion and nobody can delete, as it is damaged, or as its pool gives
 * no right to, holds up nobody: transactions there end, the directory can be deleted or replaced,
 * and another one can be made, used and deleted at its path.
 */
class WhatCannotBeDeletedTest extends DirectoryInAnother {

  private static final FsPath OUT = new FsPath("out");
  private static final List<FsPath> PARTITIONS =
      List.of(new FsPath("out/p=1"), new FsPath("out/p=2"));
  private static final Registration JOB =
      new Registration("job-1", OUT, ObjectNames.job(OUT, "job-1"));
  private static final byte[] DAMAGED = {'?', '!'};
  private static final String HANDED_OVER = ObjectNames.replaced(0);

  private void damage(String index) throws IOException {
    mount("damages")
        .store()
        .write(index, WriteOp.builder().setOmap("x/" + Uid.random(), DAMAGED).build());
  }

  private static FileData data(FsPath path) {
    return new FileData(path, Uid.random(), false, 0, 8, Optional.empty());
  }

  /** A job that adds a file to each partition, and removes one of the destination. */
  private static Map<FsPath, DirectoryChange> changes(SimulatedMount mount) throws IOException {
    Map<FsPath, DirectoryChange> changes = new HashMap<>();
    for (FsPath partition : PARTITIONS) {
      FileData added = data(partition.child("new"));
      mount.writeStripe(added, new byte[0]);
      changes.put(
          partition,
          DirectoryChange.adding(
              Map.of("new", new Entry.OfFile(added, 0, SimulatedMount.ATTRIBUTES))));
    }
    Entry old = mount.namespace().lookup(OUT.child("old")).orElseThrow();
    changes.put(OUT, DirectoryChange.removing(Map.of("old", old)));
    return changes;
  }

  private void setUpJob() throws IOException {
    SimulatedMount user = mount("user");
    user.write("/out/old", "old");
    for (FsPath partition : PARTITIONS) {
      user.write(partition + "/f", "f");
    }
    user.transactions().register(JOB);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aJobIsResolvedInAllItsDirectories(boolean byAnother) throws IOException {
    setUpJob();
    damage("out/");
    SimulatedClient client = cluster.client("driver");
    SimulatedMount driver = SimulatedMount.of(client);
    if (byAnother) {
      FaultPlan unused =
          client
              .faults()
              .once(
                  op -> op.write() && op.object().equals("out/") && op.summary().contains("j/job"),
                  Fault.CRASH_AFTER);
      assertThatThrownBy(() -> driver.transactions().commit(JOB, changes(driver), Set.of()))
          .isInstanceOf(ClientCrashed.class);
      mount("other").transactions().resolve(JOB, PARTITIONS);
    } else {
      Committed committed = driver.transactions().commit(JOB, changes(driver), Set.of());
      assertThat(committed.isResolved()).isTrue();
    }
    for (String index : List.of("out/", "out/p=1/", "out/p=2/")) {
      assertThat(holds(index, "t/") || holds(index, "p/")).as(index).isFalse();
    }
    assertThat(objects()).doesNotContainKey("out/old");
    assertThat(holds("out/", "x/")).isTrue();
    mount("other").transactions().forget(JOB);
    assertThat(mount("reader").tree())
        .containsKeys("/out/p=1/new", "/out/p=2/new")
        .doesNotContainKey("/out/old");
  }

  /** Each further operation would wait as long again. */
  @Test
  void aResolutionEndsWhereAnOsdDoesNotAnswer() throws IOException {
    setUpJob();
    damage("out/");
    SimulatedClient client = cluster.client("driver");
    FaultPlan silent =
        client
            .faults()
            .always(
                op -> op.write() && op.object().startsWith("out/old"),
                Fault.LOSE_REQUEST.waitedForInFull());
    SimulatedMount driver = SimulatedMount.of(client);
    Committed committed = driver.transactions().commit(JOB, changes(driver), Set.of());
    assertThat(committed.isResolved()).isFalse();
    assertThat(silent.struck()).hasSize(1);
    assertThat(holds("out/p=1/", "t/")).isTrue();
    SimulatedMount other = mount("other");
    other.transactions().resolve(JOB, PARTITIONS);
    other.transactions().forget(JOB);
    assertThat(objects()).doesNotContainKey("out/old");
    assertThat(other.tree()).containsKeys("/out/p=1/new", "/out/p=2/new");
  }

  private void isDeletedAtOnce(FsPath directory) throws IOException {
    Namespace namespace = mount("deletes " + directory).namespace();
    assertThat(namespace.delete(directory, true)).isTrue();
    assertThat(namespace.lookup(directory)).isEmpty();
  }

  @Test
  void theDirectoryAboveARemovedOneCanBeDeleted() throws IOException {
    setUpSharded();
    damage("up/");
    isDeletedAtOnce(TO);
    assertThat(holds("up/", "j/")).isFalse();
    isDeletedAtOnce(UP);
    assertThat(holds("/", "x/")).isFalse();
    assertThat(holds(HANDED_OVER, "")).isTrue();
    assertThat(mount("reader").tree()).isEmpty();
  }

  @Test
  void theDirectoryAboveOneWhoseRemovalStoppedCanBeDeleted() throws IOException {
    setUpSharded();
    damage("up/");
    SimulatedClient dying = cluster.client("dying");
    FaultPlan unused = dying.faults().once(DirectoryInAnother::decides, Fault.CRASH_AFTER);
    assertThatThrownBy(() -> SimulatedMount.of(dying).namespace().delete(TO, true))
        .isInstanceOf(ClientCrashed.class);
    assertThat(holds("up/", "j/")).isTrue();
    isDeletedAtOnce(UP);
    assertThat(mount("reader").tree()).isEmpty();
  }

  @Test
  void aDirectoryIntoWhichARenameStoppedIsDeletedAtOnce() throws IOException {
    mount("user").write("/from/f", "f");
    mount("user").write("/up/other", "o");
    damage("up/");
    SimulatedClient dying = cluster.client("renames");
    FaultPlan unused =
        dying
            .faults()
            .once(op -> op.write() && op.summary().contains("e/moved"), Fault.CRASH_AFTER);
    assertThatThrownBy(
            () ->
                SimulatedMount.of(dying)
                    .namespace()
                    .rename(new FsPath("from/f"), new FsPath("up/moved"), false))
        .isInstanceOf(ClientCrashed.class);
    assertThat(holds("up/", "j/")).isTrue();
    isDeletedAtOnce(UP);
    assertThat(mount("reader").tree()).containsOnlyKeys("/from/");
  }

  /** The damaged line, handed over as it was. */
  private void isAllThatIsLeft() throws IOException {
    assertThat(holds("up/", "j/") || holds("up/", "x/")).isFalse();
    assertThat(objects().keySet()).noneMatch(name -> name.startsWith("up/to/"));
    assertThat(objects().get(HANDED_OVER).omap().values()).containsExactly(DAMAGED);
    isNamed();
  }

  /** By {@code radosfs gc}, each time. */
  private void isNamed() throws IOException {
    for (int run = 0; run < 2; run++) {
      List<CollectionLog.Event> told = new ArrayList<>();
      mount("collects").collect(new CollectionLog(told::add));
      assertThat(told).filteredOn(event -> event.toString().contains(HANDED_OVER)).hasSize(1);
    }
    PoolChecker.check(objects(), found -> found.kind() == Finding.Kind.UNREADABLE);
  }

  /** Another directory is made, used and deleted there. */
  private void itsPathIsOfUse() throws IOException {
    SimulatedMount another = mount("another");
    another.write(TO + "/f", "new");
    assertThat(another.tree()).containsEntry("/up/to/f", "new");
    assertThat(another.namespace().delete(TO, true)).isTrue();
    assertThat(another.tree()).doesNotContainKey("/up/to/");
    another.mkdirs("/" + TO);
    assertThat(another.tree()).containsKey("/up/to/");
  }

  @Test
  void aDirectoryThatListsWhatCannotBeReadCanBeMadeAgain() throws IOException {
    mount("user").write(TO + "/f", "f");
    damage("up/to/");
    isDeletedAtOnce(TO);
    isAllThatIsLeft();
    itsPathIsOfUse();
    isNamed();
  }

  private static boolean removes(OpInfo op, String object) {
    return op.write() && op.object().equals(object) && op.summary().endsWith(" remove");
  }

  private FaultPlan mayNotRemove(String client, String object) {
    return cluster
        .client(client)
        .faults()
        .always(op -> removes(op, object), Fault.failWith(StoreException.Kind.PERMISSION_DENIED));
  }

  /** Whether it was in the directory, or had been deleted there before. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDirectoryWhoseDataMayNotBeDeletedCanBeMadeAgain(boolean deletedBefore) throws IOException {
    SimulatedMount user = mount("user");
    user.write(TO + "/f", "f");
    user.write(TO + "/g", "g");
    FaultPlan unused = mayNotRemove("user", "up/to/f");
    if (deletedBefore) {
      assertThat(user.namespace().delete(TO.child("f"), false)).isTrue();
      assertThat(holds("up/to/", "x/")).isTrue();
    }
    assertThat(user.namespace().delete(TO, true)).isTrue();
    assertThat(objects()).containsKey("up/to/f").doesNotContainKeys("up/to/g", "up/to/");
    assertThat(holds("up/", "x/")).isFalse();
    PoolChecker.check(objects());
    assertThat(mount("restores").wiring().restoration().kept(UP, Failures.END)).isEmpty();

    FaultPlan old = mayNotRemove("another", "up/to/f");
    itsPathIsOfUse();
    assertThat(old.struck()).as("tries to delete what was handed over").isEmpty();
    PoolChecker.check(objects());
    mount("collects").collect();
    assertThat(objects()).doesNotContainKey("up/to/f");
    assertThat(mount("reader").tree()).containsOnlyKeys("/up/", "/up/to/");
  }

  /** Below a directory that is deleted whole, nothing is left that leads there but one line. */
  @Test
  void noDirectoryAboveStays() throws IOException {
    SimulatedMount user = mount("user");
    user.write("/up/to/child/f", "f");
    FaultPlan refused = mayNotRemove("user", "up/to/child/f");
    assertThat(user.namespace().delete(UP, true)).isTrue();
    assertThat(refused.struck()).hasSize(1);
    assertThat(objects().keySet().stream().filter(name -> name.startsWith("up/")))
        .containsExactly("up/to/child/f");
    PoolChecker.check(objects());
  }

  /** Each further operation would wait as long again, as that which hands it over. */
  @Test
  void nothingIsHandedOverWhereAnOsdDoesNotAnswer() throws IOException {
    SimulatedMount user = mount("user");
    user.write(TO + "/f", "f");
    FaultPlan silent =
        cluster
            .client("user")
            .faults()
            .always(op -> removes(op, "up/to/f"), Fault.LOSE_REQUEST.waitedForInFull());
    assertThat(user.namespace().delete(TO, true)).isTrue();
    assertThat(silent.struck()).hasSize(1);
    assertThat(holds("up/", "x/")).isTrue();
    itsPathIsOfUse();
    PoolChecker.check(objects());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDirectoryWithShardsIsDeleted(boolean isInShard) throws IOException {
    setUpSharded();
    String damaged =
        isInShard
            ? objects().keySet().stream()
                .filter(name -> name.startsWith("up/to//shard/"))
                .findFirst()
                .orElseThrow()
            : "up/to/";
    damage(damaged);
    isDeletedAtOnce(TO);
    isAllThatIsLeft();
    isDeletedAtOnce(UP);
    assertThat(mount("reader").tree()).isEmpty();
  }

  @Test
  void aDirectoryIsReplacedByAJob() throws IOException {
    mount("user").write(TO + "/f", "f");
    damage("up/to/");
    Registration job = new Registration("job-1", UP, ObjectNames.job(UP, "job-1"));
    Transactions transactions = mount("driver").transactions();
    transactions.register(job);
    assertThat(transactions.commit(job, Map.of(), Set.of(TO)).isResolved()).isTrue();
    transactions.forget(job);
    isAllThatIsLeft();
    assertThat(mount("reader").tree()).containsOnlyKeys("/up/");
  }

  /** Its new index would not lead to what the old one lists. */
  @Test
  void itsDirectoryCannotBeRenamed() throws IOException {
    mount("user").write(TO + "/f", "f");
    damage("up/to/");
    assertThatThrownBy(() -> mount("renames").namespace().rename(TO, new FsPath("moved"), false))
        .isInstanceOf(LayoutException.class);
    assertThat(mount("reader").tree()).containsKey("/up/to/f").doesNotContainKey("/moved/");
    assertThat(holds("up/to/", "x/")).isTrue();
  }
}
