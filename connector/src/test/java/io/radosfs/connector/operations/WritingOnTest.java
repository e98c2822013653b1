// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * A process that was taken for dead goes on with a long file, and is killed before it could find
 * that out. No stripe of it stays.
 */
class WritingOnTest {

  private static final int KILLED_AT = 50;

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);

  interface Step {
    void run() throws IOException;
  }

  private SimulatedMount mount(String client) throws IOException {
    return SimulatedMount.of(cluster.client(client));
  }

  private static boolean isStripe(OpInfo op, int number) {
    return op.write() && op.object().endsWith(String.format("/%08x", number));
  }

  private void writeALongFileAndDie() throws IOException {
    SimulatedMount writer = mount("a");
    assertThatThrownBy(() -> writer.write("/d/f", "12345678".repeat(60)))
        .isInstanceOf(ClientCrashed.class);
  }

  /** The writer dies with this stripe on the wire. */
  private void collectBeforeAStripeArrives(int number) throws IOException {
    mount("user").write("/d/e", "e");
    FaultPlan unused =
        cluster.client("a").faults().once(op -> isStripe(op, number), Fault.CRASH_LATE);
    writeALongFileAndDie();
    mount("gc").collect();
    assertThat(cluster.landDelayedOps()).isEqualTo(1);
    mount("gc2").collect();
    mount("gc3").collectLongAfter();
    check();
  }

  /** Takes the steps ten stripes from each other, from the 20th on, kills the writer after. */
  private void whileItWrites(Step... steps) throws IOException {
    mount("user").write("/d/e", "e");
    Iterator<Step> left = List.of(steps).iterator();
    int[] next = {20};
    FaultPlan unused =
        cluster
            .client("a")
            .faults()
            .before(
                op -> {
                  if (left.hasNext() && isStripe(op, next[0])) {
                    next[0] += 10;
                    left.next().run();
                  }
                })
            .once(op -> isStripe(op, KILLED_AT), Fault.CRASH_AFTER);
    writeALongFileAndDie();
    assertThat(left).isExhausted();
  }

  private void check() throws IOException {
    PoolChecker.check(cluster, SimulatedMount.POOL);
  }

  private void collectTwiceMore(long from) throws IOException {
    mount("gc8").collect(from + 1_000, from);
    check();
    mount("gc9").collect(from + 3_000, from + 2_000);
    assertThat(cluster.objects(SimulatedMount.POOL, "").keySet())
        .noneMatch(name -> name.startsWith("//ledger/"));
  }

  /** One more stripe arrives after a collection, of a file longer than two windows. */
  @Test
  void aStripeThatArrivesAfterACollectionIsFoundByTheNext() throws IOException {
    collectBeforeAStripeArrives(40);
  }

  /** The same in the first two windows. */
  @Test
  void aStripeThatArrivesEarlyInAFileIsFound() throws IOException {
    collectBeforeAStripeArrives(4);
  }

  @Test
  void whatIsWrittenAfterACollectionIsFoundByTheNext() throws IOException {
    whileItWrites(() -> mount("gc").collect());
    mount("gc2").collect();
    mount("gc3").collectLongAfter();
    check();
  }

  /** It writes on after the collection that would forget its ledger. */
  @Test
  void theLedgerStaysIfACollectionFindsMore() throws IOException {
    whileItWrites(() -> mount("gc").collect(), () -> mount("gc2").collectLongAfter());
    collectTwiceMore(10_000);
  }

  /** The first collection has taken the ledger over and done nothing else. */
  @Test
  void theLedgerStaysIfTheFirstCollectionDied() throws IOException {
    FaultPlan unused =
        cluster
            .client("gc")
            .faults()
            .once(op -> op.write() && op.object().startsWith("//ledger/"), Fault.CRASH_AFTER);
    whileItWrites(
        () -> assertThatThrownBy(() -> mount("gc").collect()).isInstanceOf(ClientCrashed.class),
        () -> mount("gc2").collectLongAfter());
    collectTwiceMore(10_000);
  }

  /** What a collection has found is looked for again only after as long as a dead process has. */
  @Test
  void theLedgerStaysIfOneCollectionFollowsTheOtherSoon() throws IOException {
    whileItWrites(
        () -> mount("gc").collect(),
        () -> {
          mount("gc2").collect(10_000, 9_000);
          mount("gc3").collect(10_001, 9_001);
        });
    collectTwiceMore(20_000);
  }

  /** The first removal of each stripe has no answer, and the second finds nothing. */
  @Test
  void theLedgerStaysIfWhatACollectionFindsIsRemovedWithoutAnAnswer() throws IOException {
    Set<String> removed = new HashSet<>();
    FaultPlan unused =
        cluster
            .client("gc2")
            .faults()
            .always(
                op -> op.write() && op.object().startsWith("d/f//") && removed.add(op.object()),
                Fault.LOSE_ANSWER);
    whileItWrites(
        () -> mount("gc").collect(),
        () -> {
          mount("gc2").collect(10_000, 9_000);
          mount("gc3").collect(10_001, 9_001);
        });
    assertThat(removed).hasSizeGreaterThan(9);
    collectTwiceMore(20_000);
  }

  /** Another collection comes before each operation of the one that finds more. */
  @Test
  void theLedgerStaysIfAnotherCollectionFindsNothing() throws IOException {
    boolean reached = true;
    int held = 1;
    for (; reached; held++) {
      WritingOnTest each = new WritingOnTest();
      AtomicBoolean met =
          each.cluster
              .client("gc2")
              .faults()
              .before(new TreeMap<>(Map.of(held, op -> each.mount("gc3").collect(10_000, 9_000))));
      each.whileItWrites(
          () -> each.mount("gc").collect(), () -> each.mount("gc2").collect(10_000, 9_000));
      each.collectTwiceMore(20_000);
      reached = met.get();
    }
    assertThat(held).as("operations that it may come before").isGreaterThan(3);
  }
}
