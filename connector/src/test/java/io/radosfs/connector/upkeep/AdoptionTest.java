// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.ObjectView;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.upkeep.Adoption.Adopted;
import io.radosfs.connector.upkeep.Adoption.Outcome;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.PathIOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Objects of other programs become files, whoever stops where. */
@Execution(ExecutionMode.CONCURRENT)
class AdoptionTest {

  private static final String OBJECT = "d/f";
  private static final FsPath PATH = FsPath.ofKey(OBJECT);
  private static final String CONTENT = "more than one stripe of it";
  private static final Map<String, String> ADOPTED = Map.of("/d/", "", "/d/f", CONTENT);

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
  private final SimulatedMount mount = mount("a");

  private SimulatedMount mount(String client) {
    try {
      return SimulatedMount.of(cluster.client(client));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Adoption adoption(SimulatedMount by) {
    return by.wiring().adoption(by.store());
  }

  private static Adopted adopt(SimulatedMount by, boolean resume) throws IOException {
    return adoption(by).fileAt(PATH, SimulatedMount.ATTRIBUTES, resume, false);
  }

  private void check() throws IOException {
    PoolChecker.check(cluster.objects(SimulatedMount.POOL, ""));
  }

  private ObjectView object(String name) {
    return cluster.objects(SimulatedMount.POOL, "").get(name);
  }

  @Test
  void anObjectBecomesAFileOfOneStripe() throws IOException {
    mount.put(OBJECT, CONTENT);
    assertThat(adopt(mount, false).outcome()).isEqualTo(Outcome.ADOPTED);
    assertThat(mount.tree()).isEqualTo(ADOPTED);
    FileData data = ((Entry.OfFile) mount.namespace().lookup(PATH).orElseThrow()).data();
    assertThat(data.stripes()).isEqualTo(1);
    assertThat(data.stripe(0)).isEqualTo(OBJECT);
    assertThat(object(OBJECT).data()).isEqualTo(CONTENT.getBytes(StandardCharsets.UTF_8));
    check();
    assertThat(adopt(mount, false).outcome()).isEqualTo(Outcome.A_FILE_ALREADY);
  }

  /** Renamed, it keeps its object; removed, the object goes. */
  @Test
  void itIsAFileLikeOthers() throws IOException {
    mount.put(OBJECT, CONTENT);
    mount.put("g", "");
    adopt(mount, false);
    adoption(mount).fileAt(FsPath.ofKey("g"), SimulatedMount.ATTRIBUTES, false, false);
    mount.mkdirs("/e");
    mount.namespace().rename(PATH, FsPath.parse("/e/h"), false);
    assertThat(mount.tree()).containsEntry("/e/h", CONTENT).containsEntry("/g", "");
    assertThatThrownBy(() -> adopt(mount, false)).hasMessageContaining("the file was renamed");
    assertThat(adopt(mount, true).outcome()).isEqualTo(Outcome.OF_ANOTHER_FILE);
    mount.collect();
    check();
    mount.namespace().delete(FsPath.parse("/e/h"), false);
    mount.namespace().delete(FsPath.parse("/g"), false);
    check();
    assertThat(cluster.objects(SimulatedMount.POOL, "")).doesNotContainKeys(OBJECT, "g");
  }

  @Test
  void theDataOfFilesIsRefused() throws IOException {
    mount.write("/d/f", CONTENT);
    assertThat(adopt(mount, true).outcome()).isEqualTo(Outcome.A_FILE_ALREADY);
    mount.namespace().rename(PATH, FsPath.parse("/d/g"), false);
    assertThat(adopt(mount, true).outcome()).isEqualTo(Outcome.OF_ANOTHER_FILE);
    mount.write("/d/f", "newer");
    assertThat(adopt(mount, true).outcome()).isEqualTo(Outcome.OF_ANOTHER_FILE);
    assertThat(mount.tree()).containsEntry("/d/f", "newer").containsEntry("/d/g", CONTENT);
    check();
  }

  @Test
  void whatCannotBeAFileIsRefused() throws IOException {
    assertThatThrownBy(() -> adopt(mount, false)).isInstanceOf(FileNotFoundException.class);
    mount.store().write(OBJECT, WriteOp.builder().setOmap("k", new byte[1]).build());
    assertThatThrownBy(() -> adopt(mount, false))
        .isInstanceOf(PathIOException.class)
        .hasMessageContaining("has an omap");
    mount.put("d", "in the way");
    mount.put("d/g", "below it");
    adoption(mount).fileAt(FsPath.ofKey("d"), SimulatedMount.ATTRIBUTES, false, false);
    assertThatThrownBy(
            () ->
                adoption(mount)
                    .fileAt(FsPath.ofKey("d/g"), SimulatedMount.ATTRIBUTES, false, false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is a file");
    assertThat(object("d/g").xattrs()).isEmpty();
  }

  @Test
  void aFileOfThatNameStays() throws IOException {
    mount.put(OBJECT, "theirs");
    mount.write("/d/f", CONTENT);
    assertThatThrownBy(() -> adopt(mount, true)).isInstanceOf(FileAlreadyExistsException.class);
    assertThat(mount.tree()).isEqualTo(ADOPTED);
    assertThat(object(OBJECT).xattrs()).isEmpty();
  }

  @Test
  void markersBecomeDirectories() throws IOException {
    mount.put("d/", "");
    mount.put(OBJECT, CONTENT);
    Adoption adoption = adoption(mount);
    assertThat(adoption.objects().names(FsPath.ROOT)).containsExactly("d/", OBJECT);
    assertThat(adoption.objects().names(PATH)).containsExactly(OBJECT);
    FsPath directory = FsPath.ofKey("d");
    adoption.directoryAt(directory, SimulatedMount.ATTRIBUTES, true);
    assertThat(mount.tree()).isEmpty();
    assertThat(adoption.directoryAt(directory, SimulatedMount.ATTRIBUTES, false)).isPresent();
    adopt(mount, false);
    assertThat(mount.tree()).isEqualTo(ADOPTED);
    assertThat(adoption.directoryAt(directory, SimulatedMount.ATTRIBUTES, false)).isEmpty();
    mount.put("e/", "content");
    assertThatThrownBy(
            () -> adoption.directoryAt(FsPath.ofKey("e"), SimulatedMount.ATTRIBUTES, false))
        .hasMessageContaining("marks no directory");
  }

  @Test
  void aDryRunChangesNothing() throws IOException {
    mount.put(OBJECT, CONTENT);
    Adopted seen = adoption(mount).fileAt(PATH, SimulatedMount.ATTRIBUTES, false, true);
    assertThat(seen).isEqualTo(new Adopted(Outcome.ADOPTABLE, PATH, true, CONTENT.length()));
    assertThat(cluster.objects(SimulatedMount.POOL, "")).containsOnlyKeys(OBJECT);
    assertThat(object(OBJECT).xattrs()).isEmpty();
  }

  /** The program that wrote the object writes it again, between any two operations. */
  @Test
  void aChangeMeanwhileIsToldOf() throws IOException {
    Set<String> told = new TreeSet<>();
    String other = CONTENT.replace('m', 'M');
    for (String content : Set.of("short", other)) {
      Experiment.Check check =
          trial -> {
            SimulatedMount observer = mountOf(trial.observer());
            if (observer.namespace().lookup(PATH).isPresent() && trial.outcome("a").succeeded()) {
              told.add(content + " after");
              return;
            }
            assertThat(trial.outcome("a").failure()).hasMessageContaining("was changed while");
            told.add(
                content + (observer.namespace().lookup(PATH).isPresent() ? " late" : " early"));
          };
      Experiment experiment =
          Experiment.named("change to " + content)
              .setUp(client -> mountOf(client).put(OBJECT, CONTENT))
              .program("a", client -> adopt(mountOf(client), false))
              .program("b", client -> mountOf(client).put(OBJECT, content))
              .check(check);
      assertThat(experiment.everyInsertion().complete()).isTrue();
    }
    // What comes before the first reading of the content, or after the last, is no change
    // meanwhile.
    assertThat(told)
        .containsExactlyInAnyOrder(
            "short after", "short early", "short late", other + " after", other + " late");
  }

  private static SimulatedMount mountOf(SimulatedClient client) throws IOException {
    return SimulatedMount.of(client);
  }

  private void checkStopped(Trial trial) throws IOException {
    SortedMap<String, ObjectView> objects = trial.cluster().objects(SimulatedMount.POOL, "");
    assertThat(objects.get(OBJECT).data()).isEqualTo(CONTENT.getBytes(StandardCharsets.UTF_8));
    SortedMap<String, String> tree = mountOf(trial.observer()).tree();
    assertThat(tree).isIn(Map.of(), Map.of("/d/", ""), ADOPTED);
    PoolChecker.check(objects, tree.containsKey("/d/f") ? Set.of() : Set.of(OBJECT));
  }

  private void checkResumed(Trial trial) throws IOException {
    SortedMap<String, ObjectView> objects = trial.cluster().objects(SimulatedMount.POOL, "");
    assertThat(mountOf(trial.observer()).tree()).isEqualTo(ADOPTED);
    PoolChecker.check(objects);
  }

  /** A collector never touches the object, and what was begun can be brought to its end. */
  @Test
  void stoppedAnywhereItCanBeResumed() throws IOException {
    Experiment experiment =
        Experiment.named("adoption")
            .setUp(client -> mountOf(client).put(OBJECT, CONTENT))
            .program("a", client -> adopt(mountOf(client), false))
            .recover(
                client -> {
                  SimulatedMount recovering = mountOf(client);
                  recovering.collect();
                  Adopted unused = adopt(recovering, true);
                })
            .checkBeforeRecovery(this::checkStopped)
            .check(this::checkResumed);
    experiment.once();
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
    assertThat(experiment.everyStoppingPointOfRecovery().complete()).isTrue();
  }

  @Test
  void aMarkerStoppedAnywhereIsADirectoryInTheEnd() throws IOException {
    FsPath directory = FsPath.ofKey("d");
    Experiment experiment =
        Experiment.named("marker")
            .setUp(
                client -> {
                  mountOf(client).put("d/", "");
                  mountOf(client).put(OBJECT, CONTENT);
                })
            .program(
                "a",
                client -> {
                  SimulatedMount by = mountOf(client);
                  adoption(by).directoryAt(directory, SimulatedMount.ATTRIBUTES, false);
                  adopt(by, false);
                })
            .recover(
                client -> {
                  SimulatedMount by = mountOf(client);
                  adoption(by).directoryAt(directory, SimulatedMount.ATTRIBUTES, false);
                  Adopted unused = adopt(by, true);
                })
            .check(this::checkResumed);
    experiment.once();
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  /** One of two adopts it; the other is refused, or sees a file. */
  @Test
  @Tag("exploration")
  void ofTwoOneAdoptsIt() throws IOException {
    Experiment experiment =
        Experiment.named("two adoptions")
            .setUp(client -> mountOf(client).put(OBJECT, CONTENT))
            .program("a", client -> adopt(mountOf(client), false))
            .program("b", client -> adopt(mountOf(client), false))
            .check(
                trial -> {
                  checkResumed(trial);
                  assertThat(trial.outcome("a").failed() && trial.outcome("b").failed()).isFalse();
                });
    assertThat(experiment.everyInterleaving(5_000, 2).complete()).isTrue();
  }

  /** Whoever is first has the path; the object is adopted, or as it was but for its xattrs. */
  @Test
  @Tag("exploration")
  void aWriterOfThatPathIsNotHarmed() throws IOException {
    Experiment experiment =
        Experiment.named("adoption and creation")
            .setUp(client -> mountOf(client).put(OBJECT, CONTENT))
            .program("a", client -> adopt(mountOf(client), false))
            .program("b", client -> mountOf(client).write("/d/f", "other"))
            .check(
                trial -> {
                  SortedMap<String, ObjectView> objects =
                      trial.cluster().objects(SimulatedMount.POOL, "");
                  assertThat(objects.get(OBJECT).data())
                      .isEqualTo(CONTENT.getBytes(StandardCharsets.UTF_8));
                  boolean adopted = !trial.outcome("a").failed();
                  assertThat(trial.outcome("b").failed()).isEqualTo(adopted);
                  assertThat(mountOf(trial.observer()).tree())
                      .isEqualTo(adopted ? ADOPTED : Map.of("/d/", "", "/d/f", "other"));
                  PoolChecker.check(objects, adopted ? Set.of() : Set.of(OBJECT));
                });
    assertThat(experiment.everyInterleaving(5_000, 2).complete()).isTrue();
  }

  @Test
  void aLostAnswerIsLookedUp() throws IOException {
    mount.put(OBJECT, CONTENT);
    SimulatedClient client = cluster.client("a");
    client.faults().once(op -> op.write() && op.object().equals(OBJECT), Fault.LOSE_ANSWER);
    assertThat(adopt(mount, false).outcome()).isEqualTo(Outcome.ADOPTED);
    assertThat(mount.tree()).isEqualTo(ADOPTED);
  }

  /** The last reading comes after the publication: what it cannot tell is no failure of that. */
  @Test
  void whoeverCannotReadItAgainIsToldThatItIsAFile() throws IOException {
    mount.put(OBJECT, CONTENT);
    AtomicInteger readings = new AtomicInteger();
    FaultPlan unused =
        cluster
            .client("a")
            .faults()
            .once(
                op ->
                    !op.write()
                        && op.summary().contains("crc32c")
                        && readings.incrementAndGet() == 2,
                Fault.failWith(Kind.PERMISSION_DENIED));
    assertThatThrownBy(() -> adopt(mount, false))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("/d/f")
        .hasMessageContaining(OBJECT)
        .hasMessageContaining("radosfs fsck --data");
    assertThat(mount.tree()).isEqualTo(ADOPTED);
    assertThat(adopt(mount, false).outcome()).isEqualTo(Outcome.A_FILE_ALREADY);
  }

  /** Others delete it at once, and what would then be taken back cannot be looked at. */
  @Test
  void whoeverCannotLookWhetherItIsStillAFileIsToldThatItWasOne() throws IOException {
    mount.put(OBJECT, CONTENT);
    AtomicInteger readings = new AtomicInteger();
    AtomicBoolean deleted = new AtomicBoolean();
    FaultPlan unused =
        cluster
            .client("a")
            .faults()
            .before(
                op -> {
                  if (op.summary().contains("crc32c") && readings.incrementAndGet() == 2) {
                    SimulatedMount other = SimulatedMount.of(cluster.client("other"));
                    deleted.set(other.namespace().delete(PATH, false));
                  }
                })
            .once(
                op -> deleted.get() && op.object().equals("d/"),
                Fault.failWith(Kind.PERMISSION_DENIED));
    assertThatThrownBy(() -> adopt(mount, false))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageContaining("/d/f")
        .hasMessageContaining(OBJECT);
    assertThat(deleted).isTrue();
  }

  /**
   * A file that was adopted is replaced. Whoever adopts the object again sees it without another
   * owner, and is held up; meanwhile a file is made of its data, and the replaced file's line is
   * due. The object is that file's, whoever goes on.
   */
  @Test
  void theDataOfARestoredFileIsNotTakenByWhoSawItBefore() throws IOException {
    for (int operation = 1; operation < 30; operation++) {
      SimulatedCluster other = SimulatedCluster.withPools(SimulatedMount.POOL);
      Retention retention = new Retention(Duration.ofMinutes(5), () -> SimulatedMount.WORKING);
      long due = SimulatedMount.WORKING + Duration.ofMinutes(5).toMillis();
      SimulatedMount by = SimulatedMount.of(other.client("by"), retention);
      by.put(OBJECT, CONTENT);
      adopt(by, false);
      by.write("/d/f", "newer", true);
      by.namespace().delete(PATH, false);
      FsPath restored = FsPath.parse("/r/f");
      SimulatedClient late = other.client("late");
      int at = operation;
      FaultPlan unused =
          late.faults()
              .before(
                  op -> {
                    if (op.number() == at) {
                      Restoration restoration = by.wiring().restoration();
                      for (Restoration.Kept kept : restoration.kept(PATH, Failures.END)) {
                        if (kept.file().data().stripe(0).equals(OBJECT)) {
                          restoration.restore(kept, restored);
                        }
                      }
                      by.collect(due, SimulatedMount.WORKING - 1);
                    }
                  });
      String when = "before operation " + operation;
      Outcome outcome = Outcome.OF_ANOTHER_FILE;
      try {
        outcome = adopt(SimulatedMount.of(late, retention), true).outcome();
      } catch (PathIOException | FileNotFoundException e) {
        // refused
      }
      if (by.namespace().lookup(restored).isPresent()) {
        assertThat(by.tree()).as(when).containsEntry("/r/f", CONTENT);
      }
      assertThat(outcome).as(when).isEqualTo(Outcome.OF_ANOTHER_FILE);
      PoolChecker.check(other.objects(SimulatedMount.POOL, ""));
    }
  }

  /**
   * A collector gives up what another process was writing there, and a split moves the names. The
   * object was never in a ledger, so nothing of that concerns it.
   */
  @Test
  void whatIsCollectedBesideItDoesNotConcernIt() {
    Experiment experiment =
        Experiment.named("adoption beside a collection")
            .setUp(
                client -> {
                  SimulatedMount dead = mountOf(client);
                  dead.mkdirs("/d");
                  dead.write("/d/g", "");
                  FsPath unfinished = FsPath.parse("/d/dead");
                  dead.ledger()
                      .begin(
                          new FileData(unfinished, Uid.random(), true, 0, 8, Optional.empty()), 1);
                  dead.put(OBJECT, CONTENT);
                })
            .program("a", client -> adopt(mountOf(client), false))
            .program("b", client -> mountOf(client).collect())
            .check(
                trial -> {
                  assertThat(trial.outcome("a").failure()).isNull();
                  assertThat(mountOf(trial.observer()).tree()).containsEntry("/d/f", CONTENT);
                });
    assertThat(experiment.everyInsertion().complete()).isTrue();
  }
}
