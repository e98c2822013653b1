// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.ObjectView;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a process could not clean up, or does not know the outcome of, is collected while it lives
 * and is at work on other files; those stay its own.
 */
class LeftByTheLivingTest {

  private static final String LONG = "more than one stripe of it";
  private static final long LATER = 10_000;

  /** Bytes that a stream gathers before it writes any. */
  private static final int GATHERED = 8 << 10;

  /** Far more operations than any step has. */
  private static final int MOST = 200;

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
  private final SimulatedClient living = cluster.client("lives");

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  private SortedMap<String, ObjectView> objects() {
    return cluster.objects(SimulatedMount.POOL, "");
  }

  /** A file that is being written all the while. */
  private static StripedOutputStream begin(SimulatedMount mount, String file) throws IOException {
    FsPath at = path(file);
    StripedOutputStream out =
        mount.write(at, mount.namespace().create(at, false, true, SimulatedMount.ATTRIBUTES));
    out.write(LONG.getBytes(StandardCharsets.UTF_8));
    out.write(new byte[GATHERED]);
    return out;
  }

  /** Two heartbeats; what has had none since the first is collected. */
  private void collectWhatIsNotRenewed(SimulatedMount mount) throws IOException {
    living.setClockAhead(LATER);
    mount.ledger().renew();
    living.setClockAhead(3 * LATER);
    mount.ledger().renew();
    SimulatedMount.of(cluster.client("collects"))
        .collect(4 * LATER, SimulatedMount.WORKING + 2 * LATER);
  }

  /**
   * Long after the process has ended: a ledger goes with a collection after that which takes it.
   */
  private void forgetAll() throws IOException {
    SimulatedMount janitor = SimulatedMount.of(cluster.client("janitor"));
    janitor.collect(20 * LATER, 10 * LATER);
    janitor.collect(40 * LATER, 30 * LATER);
    assertThat(objects().keySet()).noneMatch(name -> name.startsWith("//ledger/"));
    PoolChecker.check(objects());
  }

  private static boolean removes(OpInfo op) {
    return op.write() && op.summary().endsWith(" remove");
  }

  @Test
  void whatItCouldNotRemoveIsCollectedBesideAFileThatItWrites() throws IOException {
    SimulatedMount mount = SimulatedMount.of(living);
    StripedOutputStream kept = begin(mount, "/kept");
    StripedOutputStream left = begin(mount, "/d/left");
    FaultPlan failing =
        living.faults().always(LeftByTheLivingTest::removes, Fault.failWith(Kind.OTHER));
    assertThat(left.abort().anyCleanupException()).isNotNull();
    assertThat(failing.struck()).isNotEmpty();
    failing.clear();
    assertThat(objects().keySet()).anyMatch(name -> name.startsWith("d/left"));
    int before = living.ops();
    collectWhatIsNotRenewed(mount);
    int heartbeats = 2;
    int moved = 3;
    assertThat(living.ops() - before).isEqualTo(heartbeats + moved);
    assertThat(objects().keySet()).noneMatch(name -> name.startsWith("d/left"));
    PoolChecker.check(objects());
    kept.close();
    assertThat(mount.read(path("/kept"))).startsWith(LONG);
    mount.close();
    forgetAll();
  }

  private void isNotAtWork(SimulatedMount mount) throws IOException {
    int before = living.ops();
    mount.ledger().renew();
    assertThat(living.ops()).isEqualTo(before);
  }

  @Test
  void aHeartbeatCostsNothingWhereNothingIsLeft() throws IOException {
    SimulatedMount mount = SimulatedMount.of(living);
    isNotAtWork(mount);
    mount.write("/d/f", LONG);
    isNotAtWork(mount);
    StripedOutputStream given = begin(mount, "/d/given");
    assertThat(given.abort().anyCleanupException()).isNull();
    isNotAtWork(mount);
  }

  /** Whether it enters a file of the directory d. */
  private static boolean publishes(OpInfo op) {
    return op.write() && op.object().equals("d/") && op.summary().contains("setOmap(e/f");
  }

  /** Nobody tells the process what became of its publication. */
  private void publishWithoutAnAnswer(SimulatedMount mount, Fault fault) throws IOException {
    mount.write("/d/other", "o");
    boolean[] sent = new boolean[1];
    FaultPlan faults =
        living
            .faults()
            .once(
                op -> {
                  sent[0] |= publishes(op);
                  return publishes(op);
                },
                fault)
            .always(
                op -> sent[0] && !op.write() && op.object().equals("d/"),
                Fault.failWith(Kind.TIMED_OUT));
    assertThatThrownBy(() -> mount.write("/d/f", LONG)).isInstanceOf(OutcomeUnknownException.class);
    assertThat(sent[0]).isTrue();
    faults.clear();
  }

  @Test
  void aFileThatHasBecomeVisibleStays() throws IOException {
    SimulatedMount mount = SimulatedMount.of(living);
    publishWithoutAnAnswer(mount, Fault.LOSE_ANSWER);
    String atWork = mount.ledger().beginIndex(path("/kept"));
    collectWhatIsNotRenewed(mount);
    assertThat(mount.read(path("/d/f"))).isEqualTo(LONG);
    mount.ledger().crossOut(atWork);
    mount.close();
    forgetAll();
    assertThat(SimulatedMount.of(cluster.client("reads")).read(path("/d/f"))).isEqualTo(LONG);
  }

  /** The directory is fenced before anything is removed. */
  @Test
  void aFileThatWasCollectedDoesNotBecomeVisible() throws IOException {
    SimulatedMount mount = SimulatedMount.of(living);
    publishWithoutAnAnswer(mount, Fault.OVERTAKEN.waitedForInFull());
    String atWork = mount.ledger().beginIndex(path("/kept"));
    collectWhatIsNotRenewed(mount);
    assertThat(objects().keySet()).noneMatch(name -> name.startsWith("d/f"));
    cluster.landDelayedOps();
    assertThat(mount.namespace().lookup(path("/d/f"))).isEmpty();
    mount.ledger().crossOut(atWork);
    mount.close();
    forgetAll();
  }

  /** What a process does. */
  private enum Step {
    WRITE {
      @Override
      void run(SimulatedMount mount) throws IOException {
        mount.write("/new/d/f", LONG);
      }
    },
    RENAME {
      @Override
      void run(SimulatedMount mount) throws IOException {
        mount.namespace().rename(path("/d"), path("/e/d"), false);
      }
    },
    DELETE {
      @Override
      void run(SimulatedMount mount) throws IOException {
        boolean unused = mount.namespace().delete(path("/d"), true);
      }
    },
    SPLIT {
      @Override
      void run(SimulatedMount mount) throws IOException {
        mount.write("/e/one", LONG);
        mount.write("/e/two", LONG);
      }
    };

    abstract void run(SimulatedMount mount) throws IOException;
  }

  /** Whatever fails, from any operation on: no ledger of a living process alone leads to it. */
  @ParameterizedTest
  @EnumSource(Step.class)
  void nothingIsLeftThatOnlyItsOwnLedgerLeadsTo(Step step) throws IOException {
    for (Fault fault : new Fault[] {Fault.LOSE_ANSWER, Fault.failWith(Kind.OTHER)}) {
      int operation = 0;
      while (isStruck(step, operation, fault)) {
        operation++;
      }
      assertThat(operation).isBetween(3, MOST);
    }
  }

  /** Returns false if the step has fewer operations. */
  private static boolean isStruck(Step step, int from, Fault fault) throws IOException {
    LeftByTheLivingTest one = new LeftByTheLivingTest();
    SimulatedMount user = one.sharding("user");
    user.write("/d/f", LONG);
    user.write("/d/g", LONG);
    user.mkdirs("/d/empty");
    user.write("/e/zero", LONG);
    user.close();
    SimulatedMount mount = one.sharding("lives");
    String atWork = mount.ledger().beginIndex(path("/kept"));
    int begun = one.living.ops();
    FaultPlan failing = one.living.faults().always(op -> op.number() > begun + from, fault);
    try {
      step.run(mount);
    } catch (IOException e) {
      // What it tells is not of interest here.
    }
    boolean struck = !failing.struck().isEmpty();
    failing.clear();
    one.collectWhatIsNotRenewed(mount);
    SortedMap<String, ObjectView> objects = one.objects();
    String own = mount.ledger().object();
    assertThat(objects).containsKey(own);
    PoolChecker.check(objects);
    objects.remove(own);
    objects.remove(ObjectNames.LEDGERS);
    objects.keySet().removeIf(name -> name.startsWith("//ledger/"));
    PoolChecker.check(objects);
    mount.ledger().crossOut(atWork);
    mount.close();
    one.forgetAll();
    return struck;
  }

  private SimulatedMount sharding(String client) throws IOException {
    return SimulatedMount.of(cluster.client(client), new Sharding(1, 2));
  }
}
