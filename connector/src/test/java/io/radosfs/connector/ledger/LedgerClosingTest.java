// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.HookedStore;
import io.radosfs.connector.store.simulation.ObjectView;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A process that closes its ledger in one thread, and begins something in another. */
class LedgerClosingTest {

  private static final String POOL = "meta";

  /** More than either has operations. */
  private static final int MOST = 20;

  /** What another thread does. */
  private interface Step {
    void run() throws IOException;
  }

  /** A ledger; another thread of its process does something before one of its operations, once. */
  private static final class Case {

    private final SimulatedCluster cluster = SimulatedCluster.withPools(POOL);
    private final ProcessLedger ledger;
    private int ops;
    private int at = -1;
    private Step step = () -> {};

    Case() throws IOException {
      ledger =
          new ProcessLedger(
              HookedStore.of(
                  cluster.client("a").open(POOL, ""),
                  (write, object) -> {
                    if (ops++ == at) {
                      step.run();
                    }
                  }),
              () -> 1);
    }

    /** Has it done before the operation that comes so many later. */
    void interrupting(int operation, Step between) {
      at = ops + operation;
      step = between;
    }

    boolean wasInterrupted() {
      return ops > at;
    }

    /** All that is written down is found by whoever reads the list. */
    void check(List<String> open) {
      Map<String, ObjectView> objects = cluster.objects(POOL, "");
      List<String> listed =
          objects.get(ObjectNames.LEDGERS).omap().keySet().stream()
              .map(ObjectNames::ledger)
              .toList();
      List<String> lines = new ArrayList<>();
      objects.forEach(
          (name, object) -> {
            if (!name.equals(ObjectNames.LEDGERS)) {
              assertThat(listed).as("the list of ledgers").contains(name);
              object.omap().keySet().stream()
                  .filter(key -> key.startsWith(LedgerKeys.OPEN_PREFIX))
                  .map(key -> key.substring(LedgerKeys.OPEN_PREFIX.length()))
                  .forEach(lines::add);
            }
          });
      assertThat(lines).containsAll(open);
    }
  }

  private static FsPath directory() throws IOException {
    return FsPath.parse("/d");
  }

  @Test
  void whatBeginsWhileItIsClosedIsFound() throws IOException {
    boolean reached = true;
    int operation = 0;
    for (; reached; operation++) {
      Case one = new Case();
      one.ledger.crossOut(one.ledger.beginIndex(directory()));
      List<String> open = new ArrayList<>();
      one.interrupting(operation, () -> open.add(one.ledger.beginIndex(directory())));
      one.ledger.close();
      reached = one.wasInterrupted();
      one.check(open);
      assertThat(operation).isLessThan(MOST);
    }
    assertThat(operation).as("operations that it may come before").isGreaterThan(1);
  }

  @Test
  void whatIsClosedWhileItBeginsIsFound() throws IOException {
    for (boolean first : List.of(true, false)) {
      boolean reached = true;
      int operation = 0;
      for (; reached; operation++) {
        Case one = new Case();
        if (!first) {
          one.ledger.crossOut(one.ledger.beginIndex(directory()));
        }
        one.interrupting(operation, one.ledger::close);
        String key = one.ledger.beginIndex(directory());
        reached = one.wasInterrupted();
        one.check(List.of(key));
        assertThat(operation).isLessThan(MOST);
      }
      assertThat(operation).as("operations that it may come before").isGreaterThan(1);
    }
  }

  @Test
  void itIsGoneWhenAllIsCrossedOut() throws IOException {
    Case one = new Case();
    one.ledger.crossOut(one.ledger.beginIndex(directory()));
    one.ledger.close();
    assertThat(one.cluster.objects(POOL, "")).containsOnlyKeys(ObjectNames.LEDGERS);
    assertThat(one.cluster.objects(POOL, "").get(ObjectNames.LEDGERS).omap()).isEmpty();
    String after = one.ledger.beginIndex(directory());
    one.check(List.of(after));
  }

  /** Takes over, as a collection does that any age is enough for. */
  private static List<Ledgers.Line> takeOver(Ledgers ledgers, List<Ledgers.Line> listed)
      throws IOException {
    List<Ledgers.Line> taken = new ArrayList<>();
    for (Ledgers.Line line : listed) {
      ledgers.takeOver(line, ledgers.read(line.object())).ifPresent(taken::add);
    }
    return taken;
  }

  /** What a collector makes of a ledger that it finds missing stays listed. */
  @Test
  void whatIsTakenOverWhileItIsClosedIsListed() throws IOException {
    for (boolean listedBefore : List.of(true, false)) {
      boolean reached = true;
      int operation = 0;
      for (; reached; operation++) {
        Case one = new Case();
        one.ledger.crossOut(one.ledger.beginIndex(directory()));
        Ledgers collector = new Ledgers(one.cluster.client("gc").open(POOL, ""), () -> 2);
        List<Ledgers.Line> before = collector.registered(Failures.END);
        one.interrupting(
            operation,
            () -> takeOver(collector, listedBefore ? before : collector.registered(Failures.END)));
        one.ledger.close();
        reached = one.wasInterrupted();
        one.check(List.of());
        assertThat(operation).isLessThan(MOST);
      }
      assertThat(operation).as("operations that it may come before").isGreaterThan(1);
    }
  }

  /** The same beside another collector, which forgets the ledger. */
  @Test
  void whatIsTakenOverWhileItIsForgottenIsListed() throws IOException {
    for (boolean listedBefore : List.of(true, false)) {
      for (int operation = 0; operation < 2; operation++) {
        Case one = new Case();
        one.ledger.crossOut(one.ledger.beginIndex(directory()));
        Ledgers other = new Ledgers(one.cluster.client("gc").open(POOL, ""), () -> 2);
        List<Ledgers.Line> before = other.registered(Failures.END);
        int[] ops = {operation};
        Step[] step = {() -> {}};
        Ledgers collector =
            new Ledgers(
                HookedStore.of(
                    one.cluster.client("gc 2").open(POOL, ""),
                    (write, object) -> {
                      if (ops[0]-- == 0) {
                        step[0].run();
                      }
                    }),
                () -> 2);
        ops[0] = Integer.MAX_VALUE;
        Ledgers.Line line = takeOver(collector, before).get(0);
        Ledgers.Ledger taken = collector.read(line.object());
        ops[0] = operation;
        step[0] = () -> takeOver(other, listedBefore ? before : other.registered(Failures.END));
        collector.forget(line, taken);
        assertThat(ops[0]).isNegative();
        one.check(List.of());
      }
    }
  }

  /** A collection after any of these finds what is left, and ends it. */
  @Test
  void whatIsLeftListedIsForgotten() throws IOException {
    Case one = new Case();
    one.ledger.crossOut(one.ledger.beginIndex(directory()));
    Ledgers collector = new Ledgers(one.cluster.client("gc").open(POOL, ""), () -> 2);
    one.interrupting(1, () -> takeOver(collector, collector.registered(Failures.END)));
    one.ledger.close();
    Ledgers.Line listed = collector.registered(Failures.END).get(0);
    Ledgers.Ledger taken = collector.read(listed.object());
    assertThat(taken.state()).isEqualTo(Ledgers.State.TAKEN);
    collector.forget(collector.takeOver(listed, taken).orElseThrow(), taken);
    assertThat(one.cluster.objects(POOL, "")).containsOnlyKeys(ObjectNames.LEDGERS);
    assertThat(one.cluster.objects(POOL, "").get(ObjectNames.LEDGERS).omap()).isEmpty();
  }

  /**
   * A process is held up while it makes its ledger, and for so long that a collector has forgotten
   * the ledger by then: what it writes down after that is found. (What was written down before is
   * what the collector has worked off.)
   */
  @Test
  void whatIsForgottenWhileItIsMadeIsFound() throws IOException {
    boolean reached = true;
    int operation = 0;
    for (; reached; operation++) {
      Case one = new Case();
      Ledgers collector = new Ledgers(one.cluster.client("gc").open(POOL, ""), () -> 2);
      one.interrupting(
          operation,
          () -> {
            for (Ledgers.Line line : takeOver(collector, collector.registered(Failures.END))) {
              collector.forget(line, collector.read(line.object()));
            }
          });
      String first = one.ledger.beginIndex(directory());
      reached = one.wasInterrupted();
      boolean wasThere = operation > 1 && reached;
      one.check(wasThere ? List.of() : List.of(first));
      one.check(List.of(one.ledger.beginIndex(directory())));
      assertThat(operation).isLessThan(MOST);
    }
    assertThat(operation).as("operations that it may come before").isGreaterThan(1);
  }
}
