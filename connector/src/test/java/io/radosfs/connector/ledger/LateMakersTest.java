// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.ForwardingObjectStore;
import io.radosfs.connector.store.HookedStore;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.ObjectView;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A process or a collector is held up, for so long that collectors have forgotten the ledger that
 * it is about to make or to remove. Whatever is there in the end is listed, with all its lines.
 */
class LateMakersTest {

  private static final String POOL = "meta";
  private static final String PROCESS = "0123456789abcdef01234567";
  private static final String OBJECT = ObjectNames.ledger(PROCESS);

  /** More than any of them has operations. */
  private static final int MOST = 20;

  private SimulatedCluster cluster = SimulatedCluster.withPools(POOL);

  private ObjectStore store(String client) throws IOException {
    return cluster.client(client).open(POOL, "");
  }

  private Ledgers ledgers(String client, long now) throws IOException {
    return new Ledgers(store(client), () -> now);
  }

  private void checkAllListed() {
    Map<String, ObjectView> objects = new HashMap<>(cluster.objects(POOL, ""));
    ObjectView list = objects.remove(ObjectNames.LEDGERS);
    assertThat(list.omap().keySet()).extracting(ObjectNames::ledger).containsAll(objects.keySet());
  }

  /** A process has listed its ledger, and died before it made it. */
  private void listOne() throws IOException {
    store("dead")
        .write(
            ObjectNames.LEDGERS,
            WriteOp.builder().createIfMissing().setOmap(PROCESS, LedgerKeys.bytes(OBJECT)).build());
  }

  private static Optional<Ledgers.Line> takeOver(Ledgers ledgers) throws IOException {
    Ledgers.Line listed = ledgers.registered(Failures.END).get(0);
    return ledgers.takeOver(listed, ledgers.read(listed.object()));
  }

  private static void takeOverAndForget(Ledgers ledgers) throws IOException {
    Ledgers.Line line = takeOver(ledgers).orElseThrow();
    ledgers.forget(line, ledgers.read(line.object()));
  }

  /** Does something before the operation of that number, once. */
  private ObjectStore interrupted(String client, int operation, LateStep step, int[] operations)
      throws IOException {
    return HookedStore.of(
        store(client),
        (write, object) -> {
          if (operations[0]++ == operation) {
            step.run();
          }
        });
  }

  /** What others do meanwhile. */
  private interface LateStep {
    void run() throws IOException;
  }

  @Test
  void aLedgerThatACollectorMakesLateIsListed() throws IOException {
    int[] operations = {0};
    boolean reached = true;
    int held = 0;
    for (; reached; held++) {
      cluster = SimulatedCluster.withPools(POOL);
      listOne();
      operations[0] = 0;
      Ledgers other = ledgers("other", 3);
      Ledgers late =
          new Ledgers(
              interrupted("late", held, () -> takeOverAndForget(other), operations), () -> 2);
      for (Ledgers.Line line : late.registered(Failures.END)) {
        late.takeOver(line, late.read(line.object())).ifPresent(own -> {});
      }
      reached = operations[0] > held;
      checkAllListed();
      assertThat(held).isLessThan(MOST);
    }
    assertThat(held).as("operations that it may come before").isGreaterThan(3);
  }

  /** The ledger has been made again by its process since, and taken over: with other lines. */
  @Test
  void aLedgerThatWasMadeAgainIsNotForgottenForTheFormerOne() throws IOException {
    int[] operations = {0};
    boolean reached = true;
    int held = 0;
    for (; reached; held++) {
      cluster = SimulatedCluster.withPools(POOL);
      listOne();
      Ledgers.Line line = takeOver(ledgers("first", 2)).orElseThrow();
      operations[0] = 0;
      boolean[] again = {false};
      Ledgers late =
          new Ledgers(
              interrupted(
                  "late",
                  held,
                  () -> {
                    if (!ledgers("other", 3).registered(Failures.END).isEmpty()) {
                      takeOverAndForget(ledgers("other", 3));
                    }
                    makeAgain();
                    again[0] = takeOver(ledgers("third", 4)).isPresent();
                  },
                  operations),
              () -> 2);
      late.forget(line, late.read(OBJECT));
      reached = operations[0] > held;
      checkAllListed();
      if (again[0]) {
        assertThat(cluster.objects(POOL, "").get(OBJECT).omap())
            .as("held at %s", held)
            .containsKey(LedgerKeys.OPEN_PREFIX + "key");
      }
      assertThat(held).isLessThan(MOST);
    }
    assertThat(held).as("operations that it may come before").isGreaterThan(3);
  }

  /** As its process does. */
  private void makeAgain() throws IOException {
    LedgerEntry entry = new LedgerEntry.NewIndex(FsPath.ofKey("d"));
    store("process")
        .write(
            OBJECT,
            WriteOp.builder()
                .createExclusive()
                .setOmap(LedgerKeys.STATE, LedgerKeys.open())
                .setOmap(LedgerKeys.RENEWED, LedgerKeys.time(3))
                .setOmap(LedgerKeys.OPEN_PREFIX + "key", entry.encode())
                .build());
    listOne();
  }

  /** The thread that is held up finds that another has looked for the line. */
  @Test
  void aLedgerThatASecondThreadMakesLateIsListed() throws IOException {
    int[] operations = {0};
    boolean reached = true;
    int held = 0;
    for (; reached; held++) {
      cluster = SimulatedCluster.withPools(POOL);
      operations[0] = 0;
      ProcessLedger[] ledger = new ProcessLedger[1];
      ledger[0] =
          new ProcessLedger(
              interrupted(
                  "process",
                  held,
                  () -> {
                    if (cluster.objects(POOL, "").containsKey(ObjectNames.LEDGERS)) {
                      String unused = ledger[0].beginIndex(FsPath.ofKey("first"));
                      takeOverAndForget(ledgers("gc", 3));
                    }
                  },
                  operations),
              () -> 1);
      try {
        String unused = ledger[0].beginIndex(FsPath.ofKey("second"));
      } catch (LedgerTakenOverException e) {
        assertThat(e).hasMessageContaining("write it again");
      }
      reached = operations[0] > held;
      checkAllListed();
      assertThat(held).isLessThan(MOST);
    }
    assertThat(held).as("operations that it may come before").isGreaterThan(3);
  }

  /** The removal of its line is still on its way when the process looks for that. */
  @Test
  void aLedgerThatIsMadeAgainWhileItIsForgottenIsListed() throws IOException {
    SimulatedClient client = cluster.client("process");
    LateRemoval removal = new LateRemoval(store("gc"));
    Ledgers gc = new Ledgers(removal, () -> 3);
    boolean[] lost = {false};
    client
        .faults()
        .before(
            op -> {
              if (lost[0]) {
                lost[0] = false;
                takeOverAndForget(gc);
              }
            })
        .once(
            op -> {
              boolean made = op.write() && op.object().startsWith(ObjectNames.ledger(""));
              lost[0] |= made;
              return made;
            },
            Fault.LOSE_ANSWER);
    String unused = new ProcessLedger(client.open(POOL, ""), () -> 1).beginIndex(FsPath.ofKey("d"));
    removal.arrive();
    assertThat(cluster.objects(POOL, "")).hasSize(2);
    checkAllListed();
  }

  /** Answers the removal of a line before it takes effect. */
  private static final class LateRemoval extends ForwardingObjectStore {

    private boolean isLedgerRemoved;
    private Optional<WriteOp> late = Optional.empty();

    LateRemoval(ObjectStore store) {
      super(store);
    }

    @Override
    public void write(String object, WriteOp op) throws IOException {
      if (isLedgerRemoved && object.equals(ObjectNames.LEDGERS)) {
        late = Optional.of(op);
      } else {
        super.write(object, op);
        isLedgerRemoved |= op.steps().stream().anyMatch(WriteOp.Remove.class::isInstance);
      }
    }

    /** It may be refused. */
    void arrive() throws IOException {
      isLedgerRemoved = false;
      WriteOp op = late.orElseThrow();
      try {
        super.write(ObjectNames.LEDGERS, op);
      } catch (StoreException e) {
        assertThat(e.kind()).isEqualTo(StoreException.Kind.GUARD_FAILED);
      }
    }
  }
}
