// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.ObjectView;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.upkeep.Finding;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is locked with a directory that is removed whole is closed before the transaction is
 * forgotten, also where the data below could not be deleted. Else it would be taken for what stays.
 */
class LockedBelowTest extends DirectoryInAnother {

  private static final FsPath CHILD = new FsPath("up/to/child");
  private static final Fault FAILS = Fault.failWith(Kind.OTHER);

  /** Others make a directory there when the children are removed, and nothing is locked yet. */
  private void makeChildInTheWindow(SimulatedClient client) {
    boolean[] made = {false};
    client
        .faults()
        .before(
            op -> {
              if (!made[0] && registers(op)) {
                made[0] = true;
                mount("other").write(CHILD + "/below/f", "f");
                mount("other").write(CHILD + "/g", "g");
              }
            });
  }

  /** Operations in an index that come after another operation. */
  private static Predicate<OpInfo> after(Predicate<OpInfo> first, String index) {
    boolean[] came = {false};
    return op -> {
      came[0] |= first.test(op);
      return came[0] && op.object().equals(index);
    };
  }

  /** Fails a client's next operation in an index once the decision is made. */
  private static FaultPlan failingOnce(SimulatedClient client, String index) {
    return client.faults().once(after(DirectoryInAnother::decides, index), FAILS);
  }

  /** Fails all that a client does in an index once the status record is forgotten. */
  private static FaultPlan failingAfterTheEnd(SimulatedClient client, String index) {
    return client
        .faults()
        .always(after(op -> registers(op) && op.summary().contains("removeOmap(j/"), index), FAILS);
  }

  private void nothingIsLeftAfterASweep() throws IOException {
    PoolChecker.check(objects());
    mount("sweeping").sweep();
    PoolChecker.check(objects());
    assertThat(mount("reader").tree()).containsOnlyKeys("/up/");
    assertThat(objects().keySet()).noneMatch(name -> name.startsWith("up/to"));
    assertThat(holds("up/", "j/") || holds("up/", "x/")).isFalse();
  }

  /** Where the record had gone, the child would be taken for one whose removal was given up. */
  @ParameterizedTest
  @ValueSource(strings = {"up/to/child/", "up/to/child/below/"})
  void whatIsLockedBelowIsClosedBeforeARemovalIsForgotten(String index) throws IOException {
    setUpSharded();
    SimulatedClient client = cluster.client("deletes");
    makeChildInTheWindow(client);
    FaultPlan unused = failingOnce(client, index);
    FaultPlan failed = failingAfterTheEnd(client, index);
    assertThat(SimulatedMount.of(client).namespace().delete(TO, true)).isTrue();
    assertThat(failed.struck()).hasSizeGreaterThan(1);
    assertThat(holds("up/", "j/")).isFalse();
    nothingIsLeftAfterASweep();
  }

  @Test
  void aRemovalIsNotForgottenWhereWhatIsLockedBelowCannotBeClosed() throws IOException {
    setUpSharded();
    SimulatedClient client = cluster.client("deletes");
    makeChildInTheWindow(client);
    FaultPlan failed =
        client.faults().always(after(DirectoryInAnother::decides, "up/to/child/"), FAILS);
    assertThat(SimulatedMount.of(client).namespace().delete(TO, true)).isTrue();
    assertThat(failed.struck()).isNotEmpty();
    assertThat(holds("up/", "j/")).isTrue();
    nothingIsLeftAfterASweep();
  }

  /** The same for a directory that a job replaces whole. */
  @ParameterizedTest
  @CsvSource({
    "up/to/child/, false",
    "up/to/child/below/, false",
    "up/to/child/, true",
    "up/to/child/below/, true"
  })
  void whatIsLockedBelowIsClosedBeforeAJobIsForgotten(String index, boolean hasShards)
      throws IOException {
    SimulatedMount user = hasShards ? sharding("user") : mount("user");
    user.write(CHILD + "/below/f", "f");
    user.write(CHILD + "/g", "g");
    assertThat(user.shards(CHILD.toString())).isEqualTo(hasShards ? 2 : 1);
    Registration job = new Registration("job-1", UP, ObjectNames.job(UP, "job-1"));
    SimulatedClient client = cluster.client("driver");
    FaultPlan failed = failingOnce(client, index);
    Transactions transactions = SimulatedMount.of(client).transactions();
    transactions.register(job);
    assertThat(transactions.commit(job, Map.of(), Set.of(TO)).isResolved()).isTrue();
    transactions.forget(job);
    assertThat(failed.struck()).hasSize(1);
    nothingIsLeftAfterASweep();
  }

  /** Whatever of it fails besides: what a job replaces whole is there as before, or gone. */
  @Test
  void aJobWhoseOperationsFailLeavesNothingBehind() {
    Registration job = new Registration("job-1", UP, ObjectNames.job(UP, "job-1"));
    Experiment experiment =
        Experiment.named("replacement of a directory, with a damaged line above")
            .setUp(
                client -> {
                  SimulatedMount user = SimulatedMount.of(client);
                  user.write(CHILD + "/below/f", "f");
                  user.write(CHILD + "/g", "g");
                  byte[] damaged = {'?', '!'};
                  user.store()
                      .write(
                          "up/", WriteOp.builder().setOmap("x/" + Uid.random(), damaged).build());
                  user.transactions().register(job);
                })
            .program(
                "driver",
                client -> {
                  Transactions transactions = SimulatedMount.of(client).transactions();
                  if (transactions.commit(job, Map.of(), Set.of(TO)).isResolved()) {
                    transactions.forget(job);
                  }
                })
            .faults(List.of(FAILS, Fault.failWith(Kind.TIMED_OUT)))
            .recover(
                client -> {
                  SimulatedMount other = SimulatedMount.of(client);
                  Transactions.State unused = other.transactions().abort(job);
                  other.transactions().resolve(job, Set.of(TO));
                  other.transactions().forget(job);
                  other.wiring().sweep().sweep(FsPath.ROOT, (subject, failure) -> {});
                  // Data that could not be deleted with its directory.
                  other.wiring().retainedData().collect(SimulatedMount.WORKING, removed -> {});
                })
            .check(
                trial -> {
                  SortedMap<String, ObjectView> objects =
                      trial.cluster().objects(SimulatedMount.POOL, "");
                  PoolChecker.check(objects, found -> found.kind() == Finding.Kind.UNREADABLE);
                  Set<String> tree = SimulatedMount.of(trial.observer()).tree().keySet();
                  if (tree.contains("/up/to/")) {
                    assertThat(tree).contains("/up/to/child/g", "/up/to/child/below/f");
                  } else {
                    assertThat(objects.keySet()).noneMatch(name -> name.startsWith("up/to"));
                  }
                });
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }
}
