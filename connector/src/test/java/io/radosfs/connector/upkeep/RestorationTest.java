// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.data.StripedInputStream;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.ledger.LedgerTakenOverException;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.ObjectView;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.Transactions.State;
import io.radosfs.connector.upkeep.Restoration.Kept;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Files are made of the data of replaced files, whoever collects meanwhile and whoever stops where:
 * what is visible is whole, what was kept is kept until it is due, and nothing is left in the end.
 */
@Execution(ExecutionMode.CONCURRENT)
class RestorationTest {

  private static final String OLD = "old, and more than one stripe";
  private static final String SHORT = "old";
  private static final String NEW = "new, in more than one stripe";
  private static final Duration KEPT = Duration.ofMinutes(5);
  private static final long DUE = SimulatedMount.WORKING + KEPT.toMillis();
  private static final long SEED = 20_261_124;
  private static final FsPath TOP = new FsPath("d");
  private static final Registration JOB =
      new Registration("job-1", TOP, ObjectNames.job(TOP, "job-1"));

  private static final Map<String, String> RESTORED = Map.of("/r/", "", "/r/f", OLD, "/r/g", SHORT);

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);

  private static SimulatedMount mount(SimulatedClient client, long now) throws IOException {
    return SimulatedMount.of(client, new Retention(KEPT, () -> now));
  }

  private static SimulatedMount working(SimulatedClient client) throws IOException {
    return mount(client, SimulatedMount.WORKING);
  }

  private SimulatedMount working(String client) throws IOException {
    return working(cluster.client(client));
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  private static void replace(SimulatedMount mount) throws IOException {
    mount.write("/d/f", OLD);
    mount.write("/d/g", SHORT);
    mount.write("/d/f", NEW, true);
    mount.write("/d/g", NEW, true);
  }

  private static List<Kept> kept(SimulatedMount mount) throws IOException {
    return mount.wiring().restoration().kept(TOP, Failures.END);
  }

  /** What is there by then is left alone. */
  private static void restore(SimulatedMount mount) throws IOException {
    for (Kept kept : kept(mount)) {
      restore(mount, kept);
    }
  }

  private static void restore(SimulatedMount mount, Kept kept) throws IOException {
    FsPath target = path("/r").resolve(kept.path().relativeTo(TOP));
    if (mount.namespace().lookup(target).isEmpty()) {
      mount.wiring().restoration().restore(kept, target);
    }
  }

  private void check() throws IOException {
    PoolChecker.check(cluster.objects(SimulatedMount.POOL, ""));
  }

  private static SortedMap<String, String> restored(SimulatedMount mount) throws IOException {
    SortedMap<String, String> below = new TreeMap<>(mount.tree());
    below.keySet().removeIf(name -> !name.startsWith("/r"));
    return below;
  }

  private static FileData data(SimulatedMount mount, String path) throws IOException {
    return ((Entry.OfFile) mount.namespace().lookup(path(path)).orElseThrow()).data();
  }

  @Test
  void replacedFilesAreFilesAgainWithoutAWriteOfData() throws IOException {
    SimulatedMount mount = working("a");
    replace(mount);
    Map<String, ObjectView> before = cluster.objects(SimulatedMount.POOL, "");
    restore(mount);
    assertThat(restored(mount)).isEqualTo(RESTORED);
    assertThat(mount.tree()).containsEntry("/d/f", NEW).containsEntry("/d/g", NEW);
    Map<String, ObjectView> after = cluster.objects(SimulatedMount.POOL, "");
    assertThat(data(after)).isEqualTo(data(before));
    assertThat(kept(mount)).isEmpty();
    check();
  }

  private static Map<String, String> data(Map<String, ObjectView> objects) {
    Map<String, String> data = new HashMap<>();
    objects.forEach(
        (name, object) -> {
          if (object.data().length > 0) {
            data.put(name, new String(object.data(), StandardCharsets.UTF_8));
          }
        });
    return data;
  }

  /** It outlives the retention, can be renamed, and goes with all its objects. */
  @Test
  void itIsAFileLikeOthers() throws IOException {
    SimulatedMount mount = working("a");
    replace(mount);
    restore(mount);
    mount(cluster.client("gc"), DUE).collect();
    mount(cluster.client("gc"), 2 * DUE).collect(2 * DUE, DUE);
    assertThat(restored(mount)).isEqualTo(RESTORED);
    check();
    mount.mkdirs("/e");
    mount.namespace().rename(path("/r"), path("/e/s"), false);
    assertThat(mount.read(path("/e/s/f"))).isEqualTo(OLD);
    mount.namespace().delete(path("/e"), true);
    mount.namespace().delete(path("/d"), true);
    check();
    assertThat(data(cluster.objects(SimulatedMount.POOL, ""))).isEmpty();
  }

  @Test
  void whatWasRestoredCanBeReplacedAndRestoredAgain() throws IOException {
    SimulatedMount mount = working("a");
    replace(mount);
    for (int i = 0; i < 3; i++) {
      for (Kept kept : kept(mount)) {
        if (!NEW.equals(mount.read(kept.file().data()))) {
          mount.wiring().restoration().restore(kept, path("/r").resolve(kept.path().name()));
        }
      }
      assertThat(restored(mount)).isEqualTo(RESTORED);
      mount.write("/r/f", NEW, true);
      mount.write("/r/g", NEW, true);
      check();
      if (i < 2) {
        mount.namespace().delete(path("/r"), true);
      }
    }
    mount(cluster.client("gc"), DUE).collect();
    check();
    assertThat(data(cluster.objects(SimulatedMount.POOL, "")).values())
        .noneMatch(content -> OLD.startsWith(content) || SHORT.equals(content));
    assertThat(mount.tree()).containsEntry("/r/f", NEW).containsEntry("/d/f", NEW);
  }

  @Test
  void readersOfTheReplacedFileFinish() throws IOException {
    SimulatedMount mount = working("a");
    mount.write("/d/f", OLD);
    try (StripedInputStream in = mount.open(data(mount, "/d/f"))) {
      assertThat(in.read()).isEqualTo(OLD.charAt(0));
      mount.write("/d/f", NEW, true);
      restore(mount);
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(OLD.substring(1));
    }
  }

  @Test
  void theLatestReplacedComesFirst() throws IOException {
    mount(cluster.client("1"), 10).write("/d/f", "first");
    mount(cluster.client("2"), 20).write("/d/f", "second", true);
    mount(cluster.client("3"), 30).write("/d/f", "third", true);
    SimulatedMount mount = working("a");
    List<Kept> kept = kept(mount);
    assertThat(kept)
        .extracting(Kept::until)
        .containsExactly(30 + KEPT.toMillis(), 20 + KEPT.toMillis());
    assertThat(mount.read(kept.get(0).file().data())).isEqualTo("second");
    assertThat(Restoration.latest(kept, Long.MAX_VALUE, 100)).containsExactly(kept.get(0));
    assertThat(Restoration.latest(kept, kept.get(0).until() - 1, 0)).containsExactly(kept.get(1));
    assertThat(Restoration.latest(kept, 5, 0)).isEmpty();
  }

  /** Names of jobs' files differ: those of several states of a table must not be mixed. */
  @Test
  void onlyWhatWasReplacedLastIsTheLatest() throws IOException {
    SimulatedMount mount = working("a");
    mount.write("/d/a1", OLD);
    mount.write("/d/b1", OLD);
    mount.write("/d/a2", OLD);
    mount(cluster.client("1"), 10_000).write("/d/a1", NEW, true);
    mount(cluster.client("2"), 80_000).write("/d/a2", NEW, true);
    mount(cluster.client("3"), 80_500).write("/d/b1", NEW, true);
    assertThat(Restoration.latest(kept(mount), Long.MAX_VALUE, 60_000))
        .extracting(kept -> kept.path().name())
        .containsExactly("a2", "b1");
    assertThat(Restoration.latest(kept(mount), Long.MAX_VALUE, Long.MAX_VALUE)).hasSize(3);
  }

  @Test
  void whatIsThereStays() throws IOException {
    SimulatedMount mount = working("a");
    replace(mount);
    mount.write("/r/f", "theirs");
    Restoration restoration = mount.wiring().restoration();
    Kept kept = kept(mount).get(0);
    assertThatThrownBy(() -> restoration.restore(kept, path("/r/f")))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> restoration.requireFree(kept, path("/r/f")))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(mount.read(path("/r/f"))).isEqualTo("theirs");
    assertThat(kept(mount)).hasSize(2);
    check();
  }

  @Test
  void whatIsGoneIsRefusedAndWhatIsLeftOfItIsCollected() throws IOException {
    SimulatedMount mount = working("a");
    replace(mount);
    List<Kept> kept = kept(mount);
    FileData old = kept.get(0).file().data();
    mount.store().write(old.stripe(2), WriteOp.builder().remove().build());
    Restoration restoration = mount.wiring().restoration();
    assertThatThrownBy(() -> restoration.restore(kept.get(0), path("/r/f")))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining(old.stripe(2));
    mount(cluster.client("gc"), DUE).collect();
    assertThatThrownBy(() -> restoration.restore(kept.get(1), path("/r/g")))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("--list");
    check();
    assertThat(mount.tree()).doesNotContainKeys("/r/f", "/r/g");
    assertThat(data(cluster.objects(SimulatedMount.POOL, "")).values())
        .noneMatch(content -> OLD.startsWith(content) || SHORT.equals(content));
  }

  /** It is given back, and is no file in part. */
  @Test
  void whatCannotBeTakenNowIsTakenByALaterTry() throws IOException {
    SimulatedMount mount = working("a");
    replace(mount);
    List<Kept> kept = kept(mount);
    String refusing = kept.get(0).file().data().stripe(2);
    FaultPlan faults = cluster.client("a").faults();
    FaultPlan unused =
        faults.always(
            op -> op.write() && op.object().equals(refusing),
            Fault.failWith(StoreException.Kind.OTHER));
    assertThatThrownBy(() -> restore(mount, kept.get(0))).hasMessageContaining(refusing);
    restore(mount, kept.get(1));
    assertThat(restored(mount)).containsOnlyKeys("/r/", "/r/g");
    check();
    unused = faults.clear();
    restore(mount);
    assertThat(restored(mount)).isEqualTo(RESTORED);
    check();
  }

  /** A table of directories that a job's commit replaces, files and whole partitions. */
  @Test
  void whatAJobHasReplacedIsThereAgain() throws IOException {
    SimulatedMount mount = working("a");
    mount.write("/d/a", OLD);
    mount.write("/d/p=1/b", SHORT);
    mount.write("/d/p=2/c", OLD);
    mount.write("/d/p=2/q=1/e", OLD);
    mount.transactions().register(JOB);
    Map<FsPath, DirectoryChange> changes = new HashMap<>();
    for (String name : List.of("/d/a", "/d/p=1/b")) {
      Entry removed = mount.namespace().lookup(path(name)).orElseThrow();
      changes.put(
          path(name).parent(), DirectoryChange.removing(Map.of(path(name).name(), removed)));
    }
    mount.transactions().commit(JOB, changes, Set.of(path("/d/p=2")));
    assertThat(mount.transactions().state(JOB)).contains(State.COMMITTED);
    mount.transactions().resolve(JOB, Set.of(TOP, path("/d/p=1"), path("/d/p=2")));
    mount.transactions().forget(JOB);

    SimulatedMount rescuer = working("b");
    rescuer.wiring().restoration().handOver(TOP, Failures.END);
    restore(rescuer);
    assertThat(restored(rescuer))
        .containsAllEntriesOf(
            Map.of("/r/a", OLD, "/r/p=1/b", SHORT, "/r/p=2/c", OLD, "/r/p=2/q=1/e", OLD));
    check();
    mount(cluster.client("gc"), DUE).collect();
    assertThat(restored(rescuer)).containsEntry("/r/p=2/q=1/e", OLD);
    check();
  }

  private static void checkPool(Trial trial) throws IOException {
    SortedMap<String, ObjectView> objects = trial.cluster().objects(SimulatedMount.POOL, "");
    PoolInspector.Kept unused = PoolChecker.check(objects);
    SimulatedMount reader = working(trial.observer());
    assertThat(reader.tree().values()).allMatch(Set.of("", OLD, SHORT, NEW)::contains);
    assertThat(reader.tree()).containsEntry("/d/f", NEW).containsEntry("/d/g", NEW);
    RESTORED.forEach(
        (path, content) -> {
          try {
            assertThat(reader.tree().getOrDefault(path, content)).isEqualTo(content);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** Nothing was lost: what is not visible yet can be restored, and then all is. */
  private static void checkNothingLost(Trial trial) throws IOException {
    checkPool(trial);
    SimulatedMount rescuer = working(trial.cluster().client("rescuer"));
    restore(rescuer);
    assertThat(restored(rescuer)).isEqualTo(RESTORED);
    checkNothingLeft(trial);
  }

  /** When all is due, nothing is there but what is visible; without that, nothing at all. */
  private static void checkNothingLeft(Trial trial) throws IOException {
    SimulatedMount late = mount(trial.cluster().client("late"), 2 * DUE);
    SortedMap<String, String> tree = late.tree();
    late.collect(2 * DUE, DUE);
    late.collect(3 * DUE, 3 * DUE);
    checkPool(trial);
    assertThat(late.tree()).isEqualTo(tree);
    late.namespace().delete(path("/d"), true);
    late.namespace().delete(path("/r"), true);
    late.collect(4 * DUE, 3 * DUE);
    late.collect(6 * DUE, 6 * DUE);
    SortedMap<String, ObjectView> objects = trial.cluster().objects(SimulatedMount.POOL, "");
    assertThat(data(objects)).as(PoolChecker.describe(objects)).isEmpty();
  }

  private static Experiment experiment(String name) {
    return Experiment.named(name)
        .setUp(client -> replace(working(client)))
        .program("restore", client -> restore(working(client)))
        .recover(client -> working(client).collect())
        .checkBeforeRecovery(RestorationTest::checkPool);
  }

  @Test
  @Tag("exploration")
  void whereverItStopsNothingIsLostAndNothingIsLeft() {
    Experiment experiment =
        experiment("restore").check(RestorationTest::checkNothingLost).faults(Fault.ALL);
    experiment.once();
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
    assertThat(experiment.everyStoppingPointOfRecovery().complete()).isTrue();
  }

  @Test
  void anOsdThatForgetsWhatItHasAppliedKeepsNothingFromBeingRestored() {
    Experiment experiment =
        experiment("restore")
            .check(
                trial -> {
                  assertThat(trial.outcome("restore").succeeded()).isTrue();
                  checkNothingLost(trial);
                })
            .writesOnly()
            .faults(List.of(Fault.TWICE));
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  /** The second collection gives back once more what the ledger notes. */
  @Test
  @Tag("exploration")
  void aCollectionWithAShorterRetentionKeepsItAsLongAsItWasKeptBefore() {
    for (Duration shorter : List.of(Duration.ZERO, Duration.ofMillis(1))) {
      Experiment experiment =
          experiment("restore, and a collection whose retention is " + shorter)
              .recover(client -> collectTwice(client, shorter))
              .check(RestorationTest::checkNothingLost);
      assertThat(experiment.everyStoppingPoint().complete()).isTrue();
    }
  }

  private static void collectTwice(SimulatedClient client, Duration retention) throws IOException {
    long last = DUE - 1;
    SimulatedMount gc =
        SimulatedMount.of(client, new Retention(retention, () -> SimulatedMount.WORKING));
    gc.collect(last, SimulatedMount.WORKING);
    gc.collect(last, SimulatedMount.WORKING);
  }

  /** What is listed as kept until a time is there until then, whole. */
  @Test
  void whatIsGivenBackIsKeptAsLongAsItIsSaidToBe() throws IOException {
    SimulatedMount mount = working("a");
    replace(mount);
    Kept large = kept(mount, "/d/f").orElseThrow();
    String first = large.file().data().stripe(0);
    FaultPlan unused =
        cluster
            .client("a")
            .faults()
            .once(op -> op.write() && op.object().equals(first), Fault.CRASH_AFTER);
    assertThatThrownBy(() -> restore(mount, large)).isInstanceOf(ClientCrashed.class);
    long later = SimulatedMount.WORKING + 60_000;
    mount(cluster.client("gc"), later).collect();

    for (long time = later; time <= 3 * DUE; time += 60_000) {
      SimulatedMount at = mount(cluster.client("at " + time), time);
      at.wiring().retainedData().collect(time, any -> {}, Failures.END);
      Optional<Kept> listed = kept(at, "/d/f");
      if (listed.isPresent()) {
        assertThat(listed.get().until()).isGreaterThan(time);
        assertThat(cluster.objects(SimulatedMount.POOL, "").keySet())
            .contains(large.file().data().stripe(0), large.file().data().stripe(1));
      }
    }
    assertThat(kept(working("looking"), "/d/f")).isEmpty();
  }

  private static Optional<Kept> kept(SimulatedMount mount, String path) throws IOException {
    return kept(mount).stream().filter(one -> one.path().toString().equals(path)).findFirst();
  }

  /** One that is held up for so long that it is taken for dead. */
  @Test
  @Tag("exploration")
  void besideACollectionThatTakesItForDead() {
    Experiment experiment =
        experiment("restore beside a collection of ledgers")
            .check(RestorationTest::checkNothingLost)
            .program("collector", client -> working(client).collect());
    experiment.everyInsertion();
    experiment.everyInsertionThenCrash();
    experiment.everyInsertionOfCrash();
    experiment.randomInterleavings(SEED, 100);
  }

  /** What is due may be gone; but what is visible is whole, and stays. */
  @Test
  @Tag("exploration")
  void besideACollectionThatFindsItDue() {
    Experiment experiment =
        experiment("restore beside a collection of replaced data")
            .check(RestorationTest::checkNothingLeft)
            .program("collector", RestorationTest::collectDue);
    experiment.everyInsertion();
    experiment.everyInsertionThenCrash();
    experiment.everyInsertionOfCrash();
    experiment.randomInterleavings(SEED, 300);
  }

  private static void collectDue(SimulatedClient client) throws IOException {
    mount(client, DUE).wiring().retainedData().collect(DUE, any -> {}, (subject, failure) -> {});
  }

  /** The replaced file of the latest set-up, so that no list is read in the race. */
  private Kept listed;

  private Experiment ofOneFile(String name) {
    return Experiment.named(name)
        .setUp(
            client -> {
              SimulatedMount mount = working(client);
              mount.write("/d/g", NEW);
              mount.write("/d/f", OLD);
              mount.write("/d/f", NEW, true);
              listed = kept(mount).get(0);
            })
        .program("restore", client -> restoreIfThere(working(client)))
        .recover(client -> working(client).collect())
        .checkBeforeRecovery(RestorationTest::checkPool)
        .check(RestorationTest::checkNothingLeft);
  }

  private void restoreIfThere(SimulatedMount mount) throws IOException {
    try {
      mount.wiring().restoration().restore(listed, path("/r/f"));
    } catch (FileNotFoundException | FileAlreadyExistsException e) {
      assertThat(e).hasMessageMatching("(?s).*(gone|exists).*");
    }
  }

  @Test
  @Tag("exploration")
  void everyInterleavingWithItsRemoval() {
    Experiment race =
        ofOneFile("restore a file as it is collected")
            .program(
                "collector",
                client -> working(client).wiring().remover().remove(listed.file().data()));
    assertThat(race.everyInterleaving(100_000).complete()).isTrue();
  }

  @Test
  @Tag("exploration")
  void everyInterleavingOfTwoThatRestoreIt() {
    Experiment race =
        ofOneFile("restore a file twice")
            .program("other", client -> restoreIfThere(working(client)));
    assertThat(race.everyInterleaving(100_000, 3).complete()).isTrue();
  }

  /** Who comes second is refused, and what it had taken can be restored again. */
  @Test
  @Tag("exploration")
  void besideOneWhoWritesAFileOfThatName() {
    Experiment race =
        ofOneFile("restore a file beside a writer")
            .program(
                "writer",
                client -> {
                  try {
                    working(client).write("/r/f", NEW);
                  } catch (FileAlreadyExistsException e) {
                    assertThat(e).hasMessageContaining("exists");
                  }
                })
            .checkBeforeRecovery(trial -> checkObjects(trial))
            .check(this::checkRefused);
    race.everyInsertion();
    race.everyInsertionThenCrash();
    race.randomInterleavings(SEED, 100);
  }

  private static void checkObjects(Trial trial) throws IOException {
    PoolInspector.Kept unused = PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
  }

  private void checkRefused(Trial trial) throws IOException {
    checkObjects(trial);
    SimulatedMount mount = working(trial.cluster().client("rescuer"));
    assertThat(mount.read(path("/r/f"))).isIn(OLD, NEW);
    if (mount.read(path("/r/f")).equals(NEW)) {
      assertThat(kept(mount)).hasSize(1);
      mount.wiring().restoration().restore(kept(mount).get(0), path("/s"));
      assertThat(mount.read(path("/s"))).isEqualTo(OLD);
    }
    assertThat(kept(mount)).isEmpty();
    checkObjects(trial);
  }

  /** Removes what was given back, as a collection does that comes to its line first. */
  static void removeReturned(SimulatedMount gc) throws IOException {
    List<FileData> returned = new ArrayList<>();
    gc.wiring()
        .retainedData()
        .list(
            line -> {
              if (!line.uid().equals(line.file().data().written())) {
                returned.add(line.file().data());
              }
            });
    gc.wiring().remover().removeAll(returned);
  }

  /**
   * One that is taken for dead goes on to take stripes, and dies, when what a collector has given
   * back for it is collected already, and the rest of the replaced file is not yet. As long as the
   * ledger is there, so is what leads to these stripes.
   */
  @Test
  @Tag("exploration")
  void whatIsTakenAfterItWasGivenBackIsCollected() throws IOException {
    boolean reached = true;
    for (int held = 1; reached; held++) {
      boolean died = true;
      for (int dies = held; died; dies++) {
        SimulatedCluster one = SimulatedCluster.withPools(SimulatedMount.POOL);
        replace(working(one.client("setup")));
        SimulatedClient client = one.client("restore");
        SimulatedMount gc = working(one.client("gc"));
        int at = held;
        FaultPlan unused =
            client
                .faults()
                .before(
                    op -> {
                      if (op.number() == at) {
                        gc.collect(SimulatedMount.COLLECTING, SimulatedMount.WORKING);
                        removeReturned(gc);
                      }
                    })
                .atOp(dies, Fault.CRASH_AFTER);
        String when = "held up at " + held + ", dead after " + dies;
        try {
          restore(working(client));
        } catch (ClientCrashed | LedgerTakenOverException e) {
          // as it should be
        } catch (FileNotFoundException e) {
          assertThat(e).as(when).hasMessageContaining("gone");
        }
        died = client.crashed();
        reached = client.ops() >= held;
        for (int i = 2; i < 6; i++) {
          mount(one.client("late"), i * DUE).collect(i * DUE, SimulatedMount.COLLECTING * 2);
        }
        SimulatedMount reader = working(one.client("reader"));
        reader.namespace().delete(path("/r"), true);
        reader.namespace().delete(path("/d"), true);
        SortedMap<String, ObjectView> objects = one.objects(SimulatedMount.POOL, "");
        assertThat(data(objects)).as(when).isEmpty();
      }
    }
  }
}
