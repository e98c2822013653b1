// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.upkeep.Adoption;
import io.radosfs.connector.upkeep.Restoration.Kept;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that has lost one answer is held up, and others undo, repeat or replace what it did. */
@Execution(ExecutionMode.CONCURRENT)
class HeldUpAndTakenAwayTest {

  private static final DataLayout OTHER =
      new DataLayout(Optional.of(SimulatedMount.OTHER_POOL), Optional.empty());
  private static final DataLayout SMALL = new DataLayout(Optional.empty(), Optional.of(5));
  private static final String LONG = "more than one stripe of it";
  private static final Duration KEPT = Duration.ofMinutes(5);
  private static final long DUE = SimulatedMount.WORKING + KEPT.toMillis();

  private SimulatedCluster cluster =
      SimulatedCluster.withPools(SimulatedMount.POOL, SimulatedMount.OTHER_POOL);

  interface Step {
    void run() throws IOException;
  }

  private SimulatedMount mount(String client) throws IOException {
    return SimulatedMount.of(cluster.client(client));
  }

  private SimulatedMount keeping(String client, Duration kept, long now) throws IOException {
    return SimulatedMount.of(cluster.client(client), new Retention(kept, () -> now));
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  private FileData data(String path) throws IOException {
    return ((Entry.OfFile) mount("reader").namespace().lookup(path(path)).orElseThrow()).data();
  }

  private void check() throws IOException {
    PoolChecker.check(cluster, SimulatedMount.POOL, SimulatedMount.OTHER_POOL);
  }

  /** The first such write of "a" goes wrong; others do something before its next operation. */
  private void strike(Predicate<OpInfo> lost, Fault fault, Step meanwhile) {
    int[] since = {-1};
    FaultPlan unused =
        cluster
            .client("a")
            .faults()
            .before(
                op -> {
                  if (since[0] == 0) {
                    since[0] = 1;
                    meanwhile.run();
                  }
                })
            .once(
                op -> {
                  boolean here = since[0] < 0 && op.write() && lost.test(op);
                  if (here) {
                    since[0] = 0;
                  }
                  return here;
                },
                fault);
  }

  private static Optional<IOException> failure(Step step) {
    try {
      step.run();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e);
    }
  }

  /** The x/ key of a directory's uid is forgotten, whatever directory it lists. */
  @Test
  void aDirectoryThatIsRenamedAndThenRemovedByOneThatDies() throws IOException {
    mount("user").write("/d/f", LONG);
    SimulatedMount a = mount("a");
    strike(
        op -> op.object().equals("d/"),
        Fault.LOSE_REQUEST,
        () -> {
          SimulatedMount other = mount("other");
          other.namespace().rename(path("/d"), path("/e"), false);
          other.ledger().close(); // or its line for the new index would still lead there
          SimulatedClient dying = cluster.client("dying");
          SimulatedMount removing = SimulatedMount.of(dying);
          FaultPlan unused =
              dying.faults().once(op -> op.write() && op.object().equals("/"), Fault.CRASH_AFTER);
          try {
            boolean removed = removing.namespace().delete(path("/e"), true);
          } catch (ClientCrashed e) {
            // As it was to.
          }
          check();
        });
    Optional<IOException> ignored = failure(() -> a.namespace().delete(path("/d"), true));
    mount("gc").collect();
    mount("gc2").collectLongAfter();
    check();
  }

  /** Data that another client has replaced, and that is retained, is deleted at once. */
  @Test
  void aFileThatIsRenamedAndReplacedByOneThatRetainsIt() throws IOException {
    mount("user").write("/d/f", LONG);
    SimulatedMount a = mount("a");
    strike(
        op -> op.object().equals("d/"),
        Fault.LOSE_REQUEST,
        () -> {
          mount("other").namespace().rename(path("/d/f"), path("/d/g"), false);
          SimulatedClient dying = cluster.client("dying");
          SimulatedMount replacing =
              SimulatedMount.of(dying, new Retention(KEPT, () -> SimulatedMount.WORKING));
          FaultPlan unused =
              dying.faults().once(op -> op.write() && op.object().equals("d/"), Fault.CRASH_AFTER);
          try {
            replacing.write("/d/g", "new", true);
          } catch (ClientCrashed e) {
            // Before the data is handed over.
          }
        });
    Optional<IOException> ignored = failure(() -> a.namespace().delete(path("/d/f"), false));
    SimulatedMount rescuer = keeping("rescuer", KEPT, SimulatedMount.WORKING);
    rescuer.wiring().restoration().handOver(path("/d"), Failures.END);
    List<Kept> kept = rescuer.wiring().restoration().kept(path("/d"), Failures.END);
    assertThat(kept).as("what was replaced is kept for five minutes").hasSize(1);
    assertThat(rescuer.read(kept.get(0).file().data())).isEqualTo(LONG);
  }

  /** A thread remembers a directory after another has changed its layout. */
  @Test
  void aLayoutThatThisProcessChangesWhileItPublishes() throws IOException {
    mount("user").write("/d/e", "e");
    SimulatedMount a = mount("a");
    strike(
        op -> op.object().equals("d/") && op.summary().contains("e/f"),
        Fault.LOSE_ANSWER,
        () -> {
          // Another thread of the same process.
          DataLayout unused = a.layouts().change(path("/d"), before -> OTHER);
        });
    a.write("/d/f", "f", true);
    assertThat(data("/d/f").pool()).isEmpty();
    a.write("/d/g", "g", true);
    assertThat(data("/d/g").pool()).isEqualTo(OTHER.pool());
  }

  /** The same without a lost answer, by a thread that is held up after its write. */
  @Test
  void aDirectoryThatThisProcessRemovesWhileItPublishes() throws IOException {
    SimulatedMount user = mount("user");
    user.mkdirs("/d");
    DataLayout set = user.layouts().change(path("/d"), before -> OTHER);
    SimulatedMount a = mount("a");
    strike(
        op -> op.object().equals("d/") && op.summary().contains("e/f"),
        Fault.LOSE_ANSWER,
        () -> {
          a.namespace().rename(path("/d"), path("/x"), false);
          a.namespace().rename(path("/x"), path("/d"), false);
          DataLayout unused = a.layouts().change(path("/d"), before -> DataLayout.DEFAULT);
        });
    a.write("/d/f", "f", true);
    a.write("/d/g", "g", true);
    assertThat(data("/d/g").pool()).isEmpty();
  }

  /** A layout that others have set already is set, for this process too. */
  @Test
  void aLayoutThatIsThereAlready() throws IOException {
    mount("user").write("/d/e", "e");
    SimulatedMount a = mount("a");
    a.write("/d/f", "f", true);
    DataLayout set = mount("other").layouts().change(path("/d"), before -> OTHER);
    assertThat(a.layouts().change(path("/d"), before -> OTHER)).isEqualTo(set);
    a.write("/d/g", "g", true);
    assertThat(data("/d/g").pool()).isEqualTo(OTHER.pool());
  }

  /** What removes an unused directory does not forget it. */
  @Test
  void aDirectoryThatThisProcessHasRemovedUnused() throws IOException {
    SimulatedMount a = mount("a");
    DataLayout set = a.layouts().change(path("/"), before -> OTHER);
    Uid made = a.namespace().makeDirectory(path("/d"), SimulatedMount.ATTRIBUTES).orElseThrow();
    a.write("/d/f", "f", true);
    assertThat(data("/d/f").pool()).isEqualTo(OTHER.pool());
    assertThat(a.namespace().delete(path("/d/f"), false)).isTrue();
    DataLayout back = a.layouts().change(path("/"), before -> DataLayout.DEFAULT);
    assertThat(a.namespace().removeUnused(path("/d"), made, "job-1")).isTrue();
    a.mkdirs("/d");
    a.write("/d/g", "g", true);
    assertThat(data("/d/g").pool()).isEmpty();
  }

  private void layoutThatIsSetBack(DataLayout first, DataLayout second) throws IOException {
    SimulatedMount user = mount("user");
    user.write("/d/f", "f");
    DataLayout set = user.layouts().change(path("/d"), before -> first);
    SimulatedMount a = mount("a");
    strike(
        op -> op.object().equals("d/"),
        Fault.LOSE_ANSWER,
        () -> {
          assertThat(mount("other").layouts().of(path("/d"))).isEqualTo(second);
          DataLayout unused = mount("other").layouts().change(path("/d"), before -> first);
        });
    Optional<IOException> ignored =
        failure(() -> assertThat(a.layouts().change(path("/d"), was -> second)).isEqualTo(second));
    assertThat(mount("reader").layouts().of(path("/d"))).isEqualTo(first);
  }

  @Test
  void aLayoutThatIsSetBackToTheDefault() throws IOException {
    layoutThatIsSetBack(DataLayout.DEFAULT, SMALL);
  }

  @Test
  void aLayoutThatIsSetBackToAnother() throws IOException {
    layoutThatIsSetBack(OTHER, SMALL);
  }

  /** The fence proves that it had no effect, whatever else has changed. */
  @Test
  void aLayoutThatWasNotSetIsSetAlthoughOthersMakeFiles() throws IOException {
    mount("user").write("/d/f", "f");
    SimulatedMount a = mount("a");
    strike(
        op -> op.object().equals("d/"),
        Fault.LOSE_REQUEST,
        () -> mount("other").write("/d/g", "g"));
    assertThat(a.layouts().change(path("/d"), was -> SMALL)).isEqualTo(SMALL);
    assertThat(mount("reader").layouts().of(path("/d"))).isEqualTo(SMALL);
  }

  /**
   * A locked index made for a directory that is gone tells the next one's layout; and one that was
   * locked for such a directory, but was made with the next one, is not believed to tell its own.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theNextDirectoryHasItsOwnLayout(boolean inherited) throws IOException {
    DataLayout next = inherited ? DataLayout.DEFAULT : OTHER;
    FsPath gone = path("/a");
    boolean more = true;
    for (int at = 1; more; at++) {
      more = false;
      for (int asked = at + 1; asked <= at + 20; asked++) {
        cluster = SimulatedCluster.withPools(SimulatedMount.POOL, SimulatedMount.OTHER_POOL);
        if (inherited) {
          DataLayout unused = mount("user").layouts().change(path("/"), before -> OTHER);
        }
        mount("user").mkdirs("/a");
        TreeMap<Integer, FaultPlan.Interlude> meanwhile = new TreeMap<>();
        boolean[] anew = {false};
        meanwhile.put(
            at,
            op -> {
              SimulatedMount other = mount("other");
              if (other.namespace().delete(gone, true)) {
                if (inherited) {
                  DataLayout root = other.layouts().change(path("/"), b -> DataLayout.DEFAULT);
                }
                other.mkdirs("/a");
                if (!inherited) {
                  DataLayout own = other.layouts().change(gone, b -> OTHER);
                }
                anew[0] = true;
              }
            });
        String when = "removed and made anew before operation " + at + ", asked before " + asked;
        meanwhile.put(
            asked,
            op -> {
              SimulatedMount reader = mount("reader");
              if (anew[0] && reader.namespace().lookup(gone).isPresent()) {
                assertThat(reader.layouts().of(gone)).as(when).isEqualTo(next);
                assertThat(reader.layouts().inherited(gone)).as(when).isEqualTo(next);
              }
            });
        AtomicBoolean reached = cluster.client("a").faults().before(meanwhile);
        try {
          mount("a").namespace().rename(gone, path("/e"), false);
        } catch (FileNotFoundException e) {
          assertThat(e).hasMessageContaining("/a");
        }
        more |= reached.get();
      }
    }
  }

  private static Adoption.Adopted adopt(SimulatedMount by, boolean resume) throws IOException {
    return by.wiring()
        .adoption(by.store())
        .fileAt(FsPath.ofKey("d/f"), SimulatedMount.ATTRIBUTES, resume, false);
  }

  /** Taken for dead, it makes an entry of an object that is another file's by now. */
  @Test
  void anObjectThatIsAdoptedByAnotherAndRenamed() throws IOException {
    mount("user").write("/d/e", "e");
    mount("user").put("d/f", LONG);
    SimulatedMount a = mount("a");
    strike(op -> op.object().equals("d/f"), Fault.LOSE_ANSWER, () -> {});
    boolean[] done = {false};
    FaultPlan unused =
        cluster
            .client("a")
            .faults()
            .before(
                op -> {
                  if (!done[0] && op.write() && op.object().equals("d/")) {
                    done[0] = true;
                    SimulatedMount other = mount("other");
                    assertThat(adopt(other, true).outcome()).isEqualTo(Adoption.Outcome.ADOPTED);
                    other.namespace().rename(path("/d/f"), path("/d/g"), false);
                  }
                });
    Optional<IOException> ignored =
        failure(
            () ->
                assertThat(adopt(a, false).outcome())
                    .as("it is not: the data is that of /d/g")
                    .isNotEqualTo(Adoption.Outcome.ADOPTED));
    assertThat(done[0]).isTrue();
    assertThat(mount("reader").tree()).isEqualTo(Map.of("/d/", "", "/d/e", "e", "/d/g", LONG));
  }

  /** A retained line of the file that was to be restored clears its ledger's line. */
  @Test
  void aCollectorThatDiesWhenItHasRetainedWhatWasToBeRestored() throws IOException {
    SimulatedMount writer = keeping("writer", KEPT, SimulatedMount.WORKING);
    writer.write("/d/f", LONG);
    writer.write("/d/f", "new", true);
    SimulatedMount a = keeping("a", KEPT, SimulatedMount.WORKING);
    FaultPlan late =
        cluster
            .client("a")
            .faults()
            .once(
                op -> op.write() && op.summary().contains("setXattr(radosfs.owner"),
                Fault.CRASH_LATE);
    Kept kept = a.wiring().restoration().kept(path("/d"), Failures.END).get(0);
    try {
      a.wiring().restoration().restore(kept, path("/r/f"));
    } catch (ClientCrashed e) {
      // Its operation is on the wire.
    }
    Duration shorter = Duration.ofSeconds(1);
    SimulatedMount dying = keeping("gc1", shorter, 2_000);
    FaultPlan dies =
        cluster
            .client("gc1")
            .faults()
            .once(op -> op.write() && op.object().startsWith("//replaced/"), Fault.CRASH_AFTER);
    try {
      dying.collect(2_000, SimulatedMount.WORKING);
    } catch (ClientCrashed e) {
      // Before the ledger notes it.
    }
    keeping("gc2", shorter, 2_000).collect(2_000, SimulatedMount.WORKING);
    keeping("gc3", shorter, 4_000).collect(4_000, SimulatedMount.WORKING);
    int unused = cluster.landDelayedOps();
    // The ledger is still there: it was taken over after WORKING.
    keeping("gc4", shorter, 5_000).collect(5_000, SimulatedMount.WORKING);
    check();
    keeping("gc5", shorter, DUE).collect(DUE, SimulatedMount.WORKING);
    keeping("gc6", shorter, 2 * DUE).collect(2 * DUE, DUE);
    check();
  }

  /** A directory that others removed is made again. */
  @Test
  void aDirectoryThatIsRemovedOnceItWasMade() throws IOException {
    mount("user").write("/d/e", "e");
    SimulatedMount a = mount("a");
    strike(
        op -> op.object().equals("d/"),
        Fault.LOSE_ANSWER,
        () -> assertThat(mount("other").namespace().delete(path("/d/s"), false)).isTrue());
    Optional<IOException> unused = failure(() -> a.mkdirs("/d/s"));
    assertThat(mount("reader").tree()).isEqualTo(Map.of("/d/", "", "/d/e", "e"));
  }

  /** The call is not at its end: what others remove before is made again. */
  @Test
  void aDirectoryAboveThatIsRemovedIsMadeAgain() throws IOException {
    int removals = 0;
    boolean reached = true;
    for (int at = 1; reached; at++) {
      cluster = SimulatedCluster.withPools(SimulatedMount.POOL, SimulatedMount.OTHER_POOL);
      mount("user").write("/d/e", "e");
      boolean[] met = new boolean[2];
      int first = at;
      FaultPlan unused =
          cluster
              .client("a")
              .faults()
              .before(
                  op -> {
                    if (op.number() == first) {
                      met[0] = true;
                      SimulatedMount other = mount("other");
                      boolean empty = other.tree().keySet().stream().noneMatch("/d/s/t/"::equals);
                      met[1] = empty && other.namespace().delete(path("/d/s"), false);
                    }
                  });
      mount("a").mkdirs("/d/s/t");
      reached = met[0];
      removals += met[1] ? 1 : 0;
      assertThat(mount("reader").tree())
          .as("removed before operation " + at)
          .isEqualTo(Map.of("/d/", "", "/d/e", "e", "/d/s/", "", "/d/s/t/", ""));
      check();
    }
    assertThat(removals).isPositive();
  }
}
