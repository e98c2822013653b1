// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.data.StripedInputStream;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.ObjectView;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.Transactions.State;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The data of replaced files is kept for readers in the middle of them, whoever stops where, and
 * goes after that: it is accounted for at every instant, and nothing is left in the end.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("exploration")
class ReplacedDataTest {

  private static final String OLD = "old, and more than one stripe";
  private static final String NEW = "new, in more than one stripe";
  private static final Duration KEPT = Duration.ofMinutes(5);
  private static final long DUE = SimulatedMount.WORKING + KEPT.toMillis();
  private static final long SEED = 20_261_121;

  private static final FsPath OUT = new FsPath("out");
  private static final Registration JOB =
      new Registration("job-1", OUT, ObjectNames.job(OUT, "job-1"));

  /** Something done to a mounted file system. */
  interface Step {
    void on(SimulatedMount mount) throws IOException;
  }

  /** The files of the latest set-up, as readers have them open. */
  private final Map<FsPath, FileData> opened = new HashMap<>();

  private static SimulatedMount mount(SimulatedClient client, long now) throws IOException {
    return SimulatedMount.of(client, new Retention(KEPT, () -> now));
  }

  private static SimulatedMount working(SimulatedClient client) throws IOException {
    return mount(client, SimulatedMount.WORKING);
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  private void openAll(SimulatedMount mount) throws IOException {
    opened.clear();
    openAll(mount, FsPath.ROOT);
  }

  private void openAll(SimulatedMount mount, FsPath directory) throws IOException {
    for (Namespace.Child child : mount.namespace().list(directory)) {
      if (child.entry() instanceof Entry.OfFile file) {
        opened.put(child.path(), file.data());
      } else {
        openAll(mount, child.path());
      }
    }
  }

  private static PoolInspector.Kept checkPool(Trial trial) throws IOException {
    return PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
  }

  /** All objects are accounted for, and whoever has a file open can read all of it. */
  private void checkReaders(Trial trial) throws IOException {
    PoolInspector.Kept unused = checkPool(trial);
    SimulatedMount reader = working(trial.observer());
    for (Map.Entry<FsPath, FileData> file : opened.entrySet()) {
      assertThat(reader.read(file.getValue())).as("%s", file).isIn(OLD, NEW);
    }
    assertThat(reader.tree().values()).allMatch(content -> Set.of("", OLD, NEW).contains(content));
  }

  /** A moment before it is due everything is there, and then what is replaced is gone. */
  private void checkCollected(Trial trial) throws IOException {
    SortedMap<String, String> tree = working(trial.observer()).tree();
    mount(trial.cluster().client("gc-1"), DUE - 1).collect();
    checkReaders(trial);
    checkNothingLeft(trial);
    assertThat(working(trial.observer()).tree()).isEqualTo(tree);
  }

  private void checkNothingLeft(Trial trial) throws IOException {
    mount(trial.cluster().client("gc-2"), DUE).collect();
    SortedMap<String, ObjectView> objects = trial.cluster().objects(SimulatedMount.POOL, "");
    assertThat(PoolChecker.check(objects)).isEqualTo(new PoolInspector.Kept(0, 0));
    SimulatedMount reader = working(trial.observer());
    ReplacedDataTest now = new ReplacedDataTest();
    now.openAll(reader);
    for (FileData data : opened.values()) {
      if (!now.opened.containsValue(data)) {
        assertThat(objectsOf(data, objects)).as("objects of %s", data).isEmpty();
      }
    }
  }

  private static List<String> objectsOf(FileData data, SortedMap<String, ObjectView> objects) {
    byte[] uid = data.uid().value().getBytes(StandardCharsets.UTF_8);
    return objects.entrySet().stream()
        .filter(
            object ->
                object.getKey().contains(data.uid().value())
                    || Arrays.equals(object.getValue().xattrs().get(FileData.UID_XATTR), uid))
        .map(Map.Entry::getKey)
        .toList();
  }

  private Experiment experiment(String name, Step setUp, Step replace, Step recovery) {
    return Experiment.named(name)
        .setUp(
            client -> {
              SimulatedMount mount = working(client);
              setUp.on(mount);
              openAll(mount);
            })
        .program("writer", client -> replace.on(working(client)))
        .recover(client -> recovery.on(working(client)))
        .checkBeforeRecovery(this::checkReaders)
        .check(this::checkCollected)
        .faults(Fault.ALL);
  }

  private void explore(String name, Step setUp, Step replace) {
    explore(name, setUp, replace, SimulatedMount::collect);
  }

  private void explore(String name, Step setUp, Step replace, Step recovery) {
    Experiment experiment = experiment(name, setUp, replace, recovery);
    experiment.once();
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  private static void writeOld(SimulatedMount mount) throws IOException {
    mount.write("/d/f", OLD);
    mount.write("/d/g", OLD);
  }

  private static void overwrite(SimulatedMount mount) throws IOException {
    mount.write("/d/f", NEW, true);
  }

  @Test
  void byCreation() {
    explore("replace by create", ReplacedDataTest::writeOld, ReplacedDataTest::overwrite);
  }

  @Test
  void byCreationTwice() {
    explore(
        "replace by create, twice",
        ReplacedDataTest::writeOld,
        m -> {
          overwrite(m);
          overwrite(m);
        });
  }

  @Test
  void byRenamingWithinTheDirectory() {
    explore(
        "replace by rename",
        m -> {
          writeOld(m);
          m.write("/d/n", NEW);
        },
        m -> m.namespace().rename(path("/d/n"), path("/d/f"), true));
  }

  @Test
  void byRenamingFromAnotherDirectory() {
    explore(
        "replace by rename from elsewhere",
        m -> {
          writeOld(m);
          m.write("/e/n", NEW);
        },
        m -> m.namespace().rename(path("/e/n"), path("/d/f"), true));
  }

  /** What a rename prepares may arrive late, after it was given up: no matter of this test. */
  @Test
  void inADirectoryThatIsThenRenamed() {
    Experiment experiment =
        experiment(
                "replace and rename the directory",
                ReplacedDataTest::writeOld,
                m -> {
                  overwrite(m);
                  m.namespace().rename(path("/d"), path("/e"), false);
                },
                SimulatedMount::collect)
            .faults(Fault.STANDARD);
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  @Test
  void aCollectionThatStopsAnywhereIsTakenUp() {
    for (Step replace : List.<Step>of(ReplacedDataTest::overwrite, ReplacedDataTest::commit)) {
      Experiment experiment =
          experiment(
              "replace, and collect twice",
              m -> {
                writeOld(m);
                writeTable(m);
              },
              replace,
              m -> {
                commit(m);
                m.collect();
              });
      assertThat(experiment.everyStoppingPointOfRecovery().complete()).isTrue();
    }
  }

  private static void writeTable(SimulatedMount mount) throws IOException {
    mount.write("/out/a", OLD);
    mount.write("/out/p=1/b", OLD);
    mount.write("/out/p=2/c", OLD);
    mount.write("/out/p=2/q=1/d", OLD);
    mount.transactions().register(JOB);
  }

  /** As a job does that replaces files and whole directories; the same again, to recover. */
  private static void commit(SimulatedMount mount) throws IOException {
    if (mount.transactions().state(JOB).filter(s -> s == State.PENDING).isPresent()) {
      Map<FsPath, DirectoryChange> changes = new HashMap<>();
      for (String name : List.of("/out/a", "/out/p=1/b")) {
        FsPath path = path(name);
        changes.put(
            path.parent(),
            DirectoryChange.removing(
                Map.of(path.name(), mount.namespace().lookup(path).orElseThrow())));
      }
      mount.transactions().commit(JOB, changes, Set.of(path("/out/p=2")));
    }
    finish(mount);
  }

  private static void finish(SimulatedMount mount) throws IOException {
    mount.transactions().resolve(JOB, Set.of(OUT, path("/out/p=1"), path("/out/p=2")));
    mount.transactions().forget(JOB);
  }

  @Test
  void byACommit() {
    explore(
        "replace by a commit",
        ReplacedDataTest::writeTable,
        ReplacedDataTest::commit,
        ReplacedDataTest::commit);
  }

  @Test
  void byACommitThatIsGivenUp() {
    explore(
        "replace by a commit that is given up",
        ReplacedDataTest::writeTable,
        ReplacedDataTest::commit,
        m -> {
          State unused = m.transactions().abort(JOB);
          finish(m);
        });
  }

  @Test
  void byACommitAfterWhichADirectoryIsMadeAnew() {
    explore(
        "replace by a commit, and make a directory anew",
        ReplacedDataTest::writeTable,
        m -> {
          commit(m);
          m.write("/out/p=2/c", NEW);
        },
        m -> {
          commit(m);
          m.collect();
        });
  }

  private void exploreBeside(String name, Step setUp, Step replace, long now) {
    Experiment experiment =
        experiment(name, setUp, replace, SimulatedMount::collect)
            .program("collector", client -> mount(client, now).collect());
    if (now >= DUE) {
      // It has the right to collect what is replaced before it looks.
      experiment.checkBeforeRecovery(ReplacedDataTest::checkPool);
      experiment.check(this::checkNothingLeft);
    }
    experiment.everyInsertion();
    experiment.everyInsertionThenCrash();
    experiment.everyInsertionOfCrash();
    experiment.randomInterleavings(SEED, 100);
  }

  @Test
  void besideACollectionThatKeepsIt() {
    exploreBeside(
        "replace beside a collection",
        ReplacedDataTest::writeOld,
        ReplacedDataTest::overwrite,
        SimulatedMount.WORKING);
  }

  @Test
  void besideACollectionThatFindsItDue() {
    exploreBeside(
        "replace beside a collection whose clock is far ahead",
        ReplacedDataTest::writeOld,
        ReplacedDataTest::overwrite,
        2 * DUE);
  }

  @Test
  void besideACollectionWhileADirectoryIsReplaced() {
    Experiment experiment =
        experiment(
                "replace directories beside a collection",
                ReplacedDataTest::writeTable,
                ReplacedDataTest::commit,
                ReplacedDataTest::commit)
            .program("collector", client -> working(client).collect());
    experiment.everyInsertion();
  }

  @Test
  void besideOneWhoMakesAReplacedDirectoryAnew() {
    Experiment experiment =
        experiment(
                "replace directories beside a writer",
                ReplacedDataTest::writeTable,
                ReplacedDataTest::commit,
                m -> {
                  commit(m);
                  m.collect();
                })
            .program(
                "writer-2",
                client -> {
                  SimulatedMount other = working(client);
                  other.mkdirs("/out/p=2/q=1");
                  other.write("/out/p=2/q=1/d", NEW, true);
                });
    experiment.everyInsertion();
    experiment.randomInterleavings(SEED, 100);
  }

  @Test
  void twoCollectionsAtOnce() {
    Experiment experiment =
        Experiment.named("two collections of replaced data")
            .setUp(
                client -> {
                  SimulatedMount mount = working(client);
                  writeOld(mount);
                  openAll(mount);
                  overwrite(mount);
                  mount.write("/d/g", NEW, true);
                })
            .program("one", client -> mount(client, DUE).collect())
            .program("other", client -> mount(client, DUE).collect())
            .recover(client -> mount(client, DUE).collect())
            .checkBeforeRecovery(ReplacedDataTest::checkPool)
            .check(this::checkNothingLeft)
            .faults(Fault.ALL);
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
    experiment.everyInsertion();
  }

  private static SimulatedCluster cluster() {
    return SimulatedCluster.withPools(SimulatedMount.POOL);
  }

  @Test
  void aReaderFinishesWhatItHasOpen() throws IOException {
    SimulatedCluster cluster = cluster();
    SimulatedMount writer = working(cluster.client("writer"));
    writeOld(writer);
    openAll(writer);
    FileData old = opened.get(path("/d/f"));
    SimulatedMount reader = working(cluster.client("reader"));
    try (StripedInputStream in = reader.open(old)) {
      assertThat(in.read()).isEqualTo(OLD.charAt(0));
      overwrite(writer);
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(OLD.substring(1));
    }
    assertThat(reader.read(path("/d/f"))).isEqualTo(NEW);
    assertThat(PoolChecker.check(cluster.objects(SimulatedMount.POOL, "")))
        .isEqualTo(new PoolInspector.Kept(1, OLD.length()));
    mount(cluster.client("gc"), DUE).collect();
    assertThatThrownBy(() -> reader.read(old)).isInstanceOf(FileNotFoundException.class);
    assertThat(reader.read(path("/d/f"))).isEqualTo(NEW);
  }

  /** A line in the list takes the place of the removal; of a large file, of many. */
  @Test
  void keepingCostsNoMoreThanRemoving() throws IOException {
    int[] ops = new int[2];
    Retention[] retentions = {
      new Retention(Duration.ZERO, () -> SimulatedMount.WORKING),
      new Retention(KEPT, () -> SimulatedMount.WORKING)
    };
    for (int i = 0; i < 2; i++) {
      SimulatedClient client = cluster().client("user");
      SimulatedMount mount = SimulatedMount.of(client, retentions[i]);
      mount.write("/d/f", "one");
      int before = client.ops();
      mount.write("/d/f", "two", true);
      ops[i] = client.ops() - before;
    }
    assertThat(ops[1]).isEqualTo(ops[0]);
  }

  @Test
  void whatIsDeletedGoesAtOnce() throws IOException {
    SimulatedCluster cluster = cluster();
    SimulatedMount mount = working(cluster.client("user"));
    writeOld(mount);
    mount.write("/e/h", OLD);
    openAll(mount);
    assertThat(mount.namespace().delete(path("/d/f"), false)).isTrue();
    assertThat(mount.namespace().delete(path("/e"), true)).isTrue();
    SortedMap<String, ObjectView> objects = cluster.objects(SimulatedMount.POOL, "");
    assertThat(PoolChecker.check(objects)).isEqualTo(new PoolInspector.Kept(0, 0));
    assertThat(objectsOf(opened.get(path("/d/f")), objects)).isEmpty();
    assertThat(objectsOf(opened.get(path("/e/h")), objects)).isEmpty();
  }

  /** What was replaced before is no part of the directory any more. */
  @Test
  void whatWasReplacedOutlivesItsDirectory() throws IOException {
    SimulatedCluster cluster = cluster();
    SimulatedMount mount = working(cluster.client("user"));
    writeOld(mount);
    openAll(mount);
    overwrite(mount);
    assertThat(mount.namespace().delete(path("/d"), true)).isTrue();
    assertThat(mount.read(opened.get(path("/d/f")))).isEqualTo(OLD);
    SortedMap<String, ObjectView> objects = cluster.objects(SimulatedMount.POOL, "");
    assertThat(PoolChecker.check(objects)).isEqualTo(new PoolInspector.Kept(1, OLD.length()));
    assertThat(objectsOf(opened.get(path("/d/g")), objects)).isEmpty();
  }
}
