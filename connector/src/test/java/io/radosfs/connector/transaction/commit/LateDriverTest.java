// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Report;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.TransactionChanges;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.Transactions.State;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A driver is suspended at any point of its commit. Another takes the job over and commits it; then
 * what the job has added is removed. When the first driver goes on, nothing of it may come back:
 * its data is gone.
 */
@Execution(ExecutionMode.CONCURRENT)
class LateDriverTest {

  private static final FsPath OUT = new FsPath("out");
  private static final FsPath OLD = new FsPath("out/p=1");
  private static final FsPath NEW = new FsPath("out/p=2");
  private static final Registration JOB =
      new Registration("job-1", OUT, ObjectNames.job(OUT, "job-1"));

  private static Entry.OfFile file(FsPath path) {
    Uid uid = new Uid(String.format("%024x", path.key().hashCode() & 0xffffffffL));
    FileData data = new FileData(path, uid, false, 3, 1 << 20, Optional.empty());
    return new Entry.OfFile(data, 0, SimulatedMount.ATTRIBUTES);
  }

  private static void setUp(SimulatedClient client) throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    mount.write("/out/p=1/other", "other");
    mount.store().write(JOB.owner(), WriteOp.builder().createExclusive().build());
    for (FsPath directory : Set.of(OUT, OLD, NEW)) {
      mount.writeStripe(file(directory.child("new")).data(), new byte[3]);
    }
    mount.transactions().register(JOB);
  }

  private static void commit(SimulatedMount mount, boolean besideOthers) throws IOException {
    Map<FsPath, DirectoryChange> changes =
        Map.of(
            OUT, DirectoryChange.adding(Map.of("new", file(OUT.child("new")))),
            OLD, DirectoryChange.adding(Map.of("new", file(OLD.child("new")))),
            NEW, DirectoryChange.adding(Map.of("new", file(NEW.child("new")))));
    var unused =
        mount.transactions().commit(JOB, TransactionChanges.of(changes), Set.of(), besideOthers);
  }

  /** What it throws, its caller answers by a look at the state, as the committer does. */
  private static void driver(SimulatedClient client) throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    try {
      commit(mount, false);
    } catch (IOException e) {
      if (mount.transactions().state(JOB).filter(State.COMMITTED::equals).isEmpty()) {
        throw e;
      }
    }
  }

  private static void takeOverAndRemove(SimulatedClient client) throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    if (mount.transactions().state(JOB).filter(State.PENDING::equals).isPresent()) {
      commit(mount, true);
    }
    for (FsPath path : Set.of(OUT.child("new"), OLD.child("new"), NEW)) {
      assertThat(mount.namespace().delete(path, true)).isTrue();
    }
  }

  private static void end(SimulatedClient client) throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    Transactions transactions = mount.transactions();
    if (transactions.state(JOB).isPresent()) {
      transactions.resolve(JOB, Set.of(OLD, NEW));
      mount.store().write(JOB.owner(), WriteOp.builder().remove().build());
      transactions.forget(JOB);
    }
  }

  private static void check(Trial trial) throws IOException {
    look(trial);
    PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
  }

  private static void look(Trial trial) throws IOException {
    SimulatedMount mount = SimulatedMount.of(trial.cluster().client("observer"));
    assertThat(mount.namespace().list(OUT)).extracting(child -> child.path()).containsExactly(OLD);
    assertThat(mount.namespace().list(OLD))
        .extracting(child -> child.path())
        .containsExactly(OLD.child("other"));
  }

  @Test
  void whatWasRemovedSinceDoesNotComeBack() {
    Report report =
        Experiment.named("a driver goes on after another has committed its job")
            .setUp(LateDriverTest::setUp)
            .program("driver", LateDriverTest::driver)
            .program("other", LateDriverTest::takeOverAndRemove)
            .recover(LateDriverTest::end)
            .checkBeforeRecovery(LateDriverTest::look)
            .check(LateDriverTest::check)
            .everyInsertion();
    assertThat(report.toString()).isNotEmpty();
  }

  /** Found by the explorer: a takeover that finds the job aborted is not told that it committed. */
  @Test
  void aJobThatIsAbortedMeanwhileIsNotCommitted() {
    Experiment.named("a second driver commits while the job is aborted")
        .setUp(LateDriverTest::setUp)
        .computation(
            "driver",
            client -> {
              commit(SimulatedMount.of(client), true);
              return State.COMMITTED;
            })
        .computation("abort", client -> SimulatedMount.of(client).transactions().abort(JOB))
        .check(
            trial -> {
              State decided = (State) trial.outcome("abort").value();
              assertThat(trial.outcome("driver").succeeded())
                  .as("told that it is committed, as it is %s", decided)
                  .isEqualTo(decided == State.COMMITTED);
            })
        .everyInsertion();
  }
}
