package io.radosfs.connector.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.simulation.ObjectView;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A process that closes its ledger in one thread, and begins something in another. */
class ProcessLedgerTest {

  private static final String POOL = "meta";

  /** A step of another thread. */
  private interface Step {
    void run() throws IOException;
  }

  /** A ledger, between whose operations another thread of the process does something, once. */
  private static final class Case {

    private final SimulatedCluster cluster = SimulatedCluster.withPools(POOL);
    private final ProcessLedger ledger;
    private int ops;
    private int at = -1;
    private Step step = () -> {};

    Case() throws IOException {
      ObjectStore store = cluster.client("a").open(POOL, "");
      ObjectStore between =
          (ObjectStore)
              Proxy.newProxyInstance(
                  ObjectStore.class.getClassLoader(),
                  new Class<?>[] {ObjectStore.class},
                  (proxy, method, arguments) -> {
                    other();
                    try {
                      return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                      throw e.getCause();
                    } finally {
                      other();
                    }
                  });
      ledger = new ProcessLedger(between, () -> 1);
    }

    private void other() throws IOException {
      if (ops++ == at) {
        step.run();
      }
    }

    /** Has the step done before or after the operation that comes so many later. */
    void interrupting(int instant, Step between) {
      at = ops + instant;
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
    for (int instant = 0; reached; instant++) {
      Case one = new Case();
      one.ledger.settle(one.ledger.beginIndex(directory()));
      List<String> open = new ArrayList<>();
      one.interrupting(instant, () -> open.add(one.ledger.beginIndex(directory())));
      one.ledger.close();
      reached = one.wasInterrupted();
      one.check(open);
      assertThat(instant).isLessThan(20);
    }
  }

  @Test
  void whatIsClosedWhileItBeginsIsFound() throws IOException {
    for (boolean first : List.of(true, false)) {
      boolean reached = true;
      for (int instant = 0; reached; instant++) {
        Case one = new Case();
        if (!first) {
          one.ledger.settle(one.ledger.beginIndex(directory()));
        }
        one.interrupting(instant, one.ledger::close);
        String key = one.ledger.beginIndex(directory());
        reached = one.wasInterrupted();
        one.check(List.of(key));
        assertThat(instant).isLessThan(20);
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
