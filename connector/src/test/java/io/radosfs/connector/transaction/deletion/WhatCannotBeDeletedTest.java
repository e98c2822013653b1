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
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.transaction.Committed;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a directory lists for deletion and nobody can delete, as it is damaged, holds up nobody:
 * transactions there end, and the directory can be deleted or replaced.
 */
class WhatCannotBeDeletedTest extends DirectoryInAnother {

  private static final FsPath OUT = new FsPath("out");
  private static final List<FsPath> PARTITIONS =
      List.of(new FsPath("out/p=1"), new FsPath("out/p=2"));
  private static final Registration JOB =
      new Registration("job-1", OUT, ObjectNames.job(OUT, "job-1"));

  private void damage(String index) throws IOException {
    mount("damages")
        .store()
        .write(
            index, WriteOp.builder().setOmap("x/" + Uid.random(), new byte[] {'?', '!'}).build());
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
    assertThat(holds("/", "x/")).isTrue();
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

  private void isListedAlone(String removed) {
    assertThat(holds("up/", "j/")).isFalse();
    assertThat(holds("up/", "x/")).isTrue();
    assertThat(holds(removed, "x/")).isTrue();
    assertThat(objects()).doesNotContainKeys("up/to/f", "up/to/g");
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
    isListedAlone(damaged);
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
    isListedAlone("up/to/");
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
