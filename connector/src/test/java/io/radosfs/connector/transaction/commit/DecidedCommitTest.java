// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.Outcome;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.Committed;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.Transactions.State;
import io.radosfs.connector.transaction.resolve.Move;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What fails after a decision fails no commit, rename or removal. */
class DecidedCommitTest {

  private static final FsPath OUT = new FsPath("out");
  private static final FsPath DAY = new FsPath("out/day");
  private static final FsPath HOUR = new FsPath("out/day/hour");
  private static final Registration JOB = job("job-1");

  private static final List<Fault> FAULTS =
      List.of(Fault.failWith(Kind.PERMISSION_DENIED), Fault.failWith(Kind.TIMED_OUT));

  private static Registration job(String id) {
    return new Registration(id, OUT, ObjectNames.job(OUT, id));
  }

  private static Map<FsPath, DirectoryChange> adding(FsPath directory, String name)
      throws IOException {
    FileData data =
        new FileData(directory.child(name), Uid.random(), false, 0, 8, Optional.empty());
    return Map.of(
        directory,
        DirectoryChange.adding(Map.of(name, new Entry.OfFile(data, 0, SimulatedMount.ATTRIBUTES))));
  }

  private static Committed commit(SimulatedClient client) throws IOException {
    return SimulatedMount.of(client)
        .transactions()
        .commit(JOB, adding(new FsPath("out/new"), "file"), Set.of(DAY));
  }

  @Test
  void aCommitThatFailsIsNotCommitted() {
    Experiment.named("commit with an operation that fails")
        .setUp(
            client -> {
              SimulatedMount mount = SimulatedMount.of(client);
              mount.write("/out/day/old", "old");
              mount.transactions().register(JOB);
            })
        .computation("driver", DecidedCommitTest::commit)
        .faults(FAULTS)
        .check(
            trial -> {
              Outcome driver = trial.outcome("driver");
              State state =
                  SimulatedMount.of(trial.observer()).transactions().state(JOB).orElseThrow();
              assertThat(state == State.COMMITTED)
                  .as("%s, and the job is %s", driver, state)
                  .isEqualTo(driver.succeeded());
            })
        .everyStoppingPoint();
  }

  /**
   * Wherever the commit stops: who sees the directory that it makes can make a file there, and who
   * does not see it cannot. The commit's own client goes no further in between.
   */
  @Test
  void aDirectoryIsThereForAWriterIffItIsForAReader() {
    Set<Boolean> seen = new HashSet<>();
    Experiment.named("a file in a directory that a commit makes")
        .setUp(
            client -> {
              SimulatedMount mount = SimulatedMount.of(client);
              mount.mkdirs("/out/day");
              mount.transactions().register(JOB);
            })
        .computation(
            "driver",
            client ->
                SimulatedMount.of(client)
                    .transactions()
                    .commit(JOB, adding(HOUR, "file"), Set.of()))
        .check(
            trial -> {
              SimulatedMount observer = SimulatedMount.of(trial.observer());
              boolean visible = observer.namespace().lookup(HOUR).isPresent();
              seen.add(visible);
              Throwable failure =
                  catchThrowable(
                      () ->
                          observer
                              .write(
                                  HOUR.child("other"),
                                  observer
                                      .namespace()
                                      .create(
                                          HOUR.child("other"),
                                          /* overwrite= */ false,
                                          /* createParent= */ false,
                                          SimulatedMount.ATTRIBUTES))
                              .close());
              if (visible) {
                assertThat(failure).isNull();
              } else {
                assertThat(failure).isInstanceOf(FileNotFoundException.class);
              }
            })
        .everyStoppingPoint();
    assertThat(seen).containsOnly(true, false);
  }

  @Test
  void aRenameThatFailsHasNotTakenEffect() {
    Experiment.named("rename with an operation that fails")
        .setUp(
            client -> {
              SimulatedMount mount = SimulatedMount.of(client);
              mount.write("/out/day/file", "f");
              mount.mkdirs("/dst");
            })
        .program(
            "a",
            client ->
                SimulatedMount.of(client).namespace().rename(DAY, new FsPath("dst/day"), false))
        .faults(FAULTS)
        .check(
            trial -> {
              Outcome a = trial.outcome("a");
              boolean renamed =
                  SimulatedMount.of(trial.observer()).tree().containsKey("/dst/day/file");
              if (!(a.failure() instanceof OutcomeUnknownException)) {
                assertThat(renamed).as("%s", a).isEqualTo(a.succeeded());
              }
            })
        .everyStoppingPoint();
  }

  /**
   * An append, whose directory still lists one that was replaced, when at that path there is
   * another by now, which a third client is about to remove or rename.
   */
  @Test
  void whatIsListedToBeDeletedConcernsNoOtherDirectoryMadeThere() throws IOException {
    for (String owner : List.of(job("other").owner(), new Move(DAY, new FsPath("dst")).owner())) {
      SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
      SimulatedMount mount = SimulatedMount.of(cluster.client("driver"));
      mount.write("/out/day/file", "f");
      mount.transactions().register(JOB);
      Uid gone = Uid.random();
      mount
          .store()
          .write(
              ObjectNames.index(OUT),
              WriteOp.builder()
                  .setOmap(
                      "x/" + gone,
                      DeferredDeletion.of(
                              DAY,
                              new Entry.OfDirectory(
                                  gone,
                                  SimulatedMount.ATTRIBUTES,
                                  io.radosfs.connector.layout.DataLayout.DEFAULT))
                          .encode())
                  .build());
      SimulatedMount other = SimulatedMount.of(cluster.client("other"));
      Registration pending = new Registration("other", OUT, owner);
      other.transactions().register(pending);
      Entry.OfDirectory day = (Entry.OfDirectory) other.namespace().lookup(DAY).orElseThrow();
      other
          .wiring()
          .preparation()
          .locker("other", OUT)
          .lockToRemove(DAY, day, TransactionMark::replacing, JobsThere.NONE);

      // Twice, as what the append itself adds needs no resolving that would meet the list.
      Committed committed = mount.transactions().commit(JOB, adding(OUT, "appended"), Set.of());
      assertThat(committed.unresolved()).isEmpty();
      mount.wiring().deferredDeletions().carryOut(OUT);

      assertThat(mount.transactions().state(JOB)).contains(State.COMMITTED);
      assertThat(mount.transactions().state(pending)).contains(State.PENDING);
      DirectoryView view = mount.wiring().indexes().reader().keys(DAY, List.of());
      assertThat(view.head()).contains(IndexHead.frozen("other"));
      assertThat(mount.tree()).containsKeys("/out/appended", "/out/day/file");
    }
  }
}
