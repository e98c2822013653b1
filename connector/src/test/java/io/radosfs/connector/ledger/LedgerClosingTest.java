// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
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

    /** All that is written down is found by who reads the list. */
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
    for (int operation = 0; reached; operation++) {
      Case one = new Case();
      one.ledger.settle(one.ledger.beginIndex(directory()));
      List<String> open = new ArrayList<>();
      one.interrupting(operation, () -> open.add(one.ledger.beginIndex(directory())));
      one.ledger.close();
      reached = one.wasInterrupted();
      one.check(open);
      assertThat(operation).isLessThan(MOST);
    }
  }

  @Test
  void whatIsClosedWhileItBeginsIsFound() throws IOException {
    for (boolean first : List.of(true, false)) {
      boolean reached = true;
      for (int operation = 0; reached; operation++) {
        Case one = new Case();
        if (!first) {
          one.ledger.settle(one.ledger.beginIndex(directory()));
        }
        one.interrupting(operation, one.ledger::close);
        String key = one.ledger.beginIndex(directory());
        reached = one.wasInterrupted();
        one.check(List.of(key));
        assertThat(operation).isLessThan(MOST);
      }
    }
  }

  @Test
  void itIsGoneWhenAllIsCrossedOut() throws IOException {
    Case one = new Case();
    one.ledger.settle(one.ledger.beginIndex(directory()));
    one.ledger.close();
    assertThat(one.cluster.objects(POOL, "")).containsOnlyKeys(ObjectNames.LEDGERS);
    assertThat(one.cluster.objects(POOL, "").get(ObjectNames.LEDGERS).omap()).isEmpty();
    String after = one.ledger.beginIndex(directory());
    one.check(List.of(after));
  }
}
