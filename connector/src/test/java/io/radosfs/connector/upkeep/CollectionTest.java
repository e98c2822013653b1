// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.ledger.LedgerTakenOverException;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.ObjectView;
import io.radosfs.connector.store.simulation.Outcome;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Collects after processes that stopped at any operation, beside processes that are alive all the
 * while, and stops itself anywhere: no visible file loses an object, and in the end nothing is left
 * that no index refers to.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("exploration")
class CollectionTest {

  private static final String LONG = "more than one stripe of it";
  private static final long SEED = 20_261_121;

  /** Something done to a mounted file system. */
  interface Step {
    void on(SimulatedMount mount) throws IOException;
  }

  /** A file system, as this client has it. */
  SimulatedMount mount(SimulatedClient client) throws IOException {
    return SimulatedMount.of(client);
  }

  private static void writeAndRename(SimulatedMount mount) throws IOException {
    mount.write("/d/f", LONG);
    mount.namespace().rename(path("/d/f"), path("/e/g"), false);
    mount.write("/d/h", LONG);
    mount.namespace().rename(path("/d/h"), path("/d/i"), false);
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  /** Whatever has happened: all files are whole, and something leads to every object. */
  private SortedMap<String, String> checkPool(Trial trial) throws IOException {
    PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, ""));
    SortedMap<String, String> tree = mount(trial.observer()).tree();
    tree.forEach((path, content) -> assertThat(content).isIn("", "o", LONG));
    return tree;
  }

  /** Long after everyone is gone: the index leads to everything, and no ledger is left. */
  private void checkNothingLeft(Trial trial) throws IOException {
    SortedMap<String, String> tree = checkPool(trial);
    mount(trial.cluster().client("janitor")).collectLongAfter();
    assertThat(checkPool(trial)).isEqualTo(tree);
    SortedMap<String, ObjectView> objects = trial.cluster().objects(SimulatedMount.POOL, "");
    assertThat(objects.keySet()).noneMatch(name -> name.startsWith("//ledger/"));
    if (objects.containsKey(ObjectNames.LEDGERS)) {
      assertThat(objects.get(ObjectNames.LEDGERS).omap()).isEmpty();
    }
  }

  private static void collect(SimulatedMount mount) throws IOException {
    mount.collect();
  }

  Experiment experiment(String name, Step setUp, Step writer) {
    return Experiment.named(name)
        .setUp(client -> setUp.on(mount(client)))
        .program("writer", client -> writer.on(mount(client)))
        .recover(client -> collect(mount(client)))
        .checkBeforeRecovery(this::checkPool)
        .check(this::checkNothingLeft);
  }

  @Test
  void afterAWriterThatStoppedAnywhere() {
    Experiment experiment =
        experiment("collect after a writer", m -> m.mkdirs("/e"), CollectionTest::writeAndRename)
            .faults(Fault.ALL);
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }

  @Test
  void aCollectionThatStoppedAnywhereIsTakenUp() {
    Experiment experiment =
        experiment(
            "collect after a writer, and again",
            m -> m.mkdirs("/e"),
            m -> {
              m.write("/d/f", LONG);
              m.namespace().rename(path("/d/f"), path("/e/g"), false);
              m.write("/d/h", LONG);
            });
    assertThat(experiment.everyStoppingPointOfRecovery().complete()).isTrue();
  }

  /** Nothing leads to what the collector has not found: its writer takes it away. */
  @Test
  void whatAWriterWritesThatWasTakenForDeadIsNotLeft() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedMount writer = mount(cluster.client("writer"));
    SimulatedMount collector = mount(cluster.client("collector"));
    writer.write("/d/other", "o");
    boolean[] collected = new boolean[1];
    FaultPlan unused =
        cluster
            .client("writer")
            .faults()
            .before(
                op -> {
                  if (op.object().endsWith("/00000002") && !collected[0]) {
                    collected[0] = true;
                    collector.collect();
                  }
                });
    assertThatThrownBy(() -> writer.write("/d/late", LONG))
        .isInstanceOf(LedgerTakenOverException.class);
    assertThat(cluster.objects(SimulatedMount.POOL, "").keySet())
        .noneMatch(name -> name.startsWith("d/late"));
    PoolChecker.check(cluster, SimulatedMount.POOL);
  }

  /** Its data is gone then, too, as that of a file is which was published and deleted by others. */
  @Test
  void noFileIsTakenForPublishedThatACollectorHasRemoved() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedMount writer = mount(cluster.client("writer"));
    SimulatedMount collector = mount(cluster.client("collector"));
    writer.write("/d/other", "o");
    collector.write("/d/f", "before");
    boolean[] collected = new boolean[1];
    FaultPlan unused =
        cluster
            .client("writer")
            .faults()
            .before(
                op -> {
                  if (op.object().endsWith("/00000003")) {
                    collector.write("/d/f", "between", true);
                  }
                  if (!op.write() && op.summary().contains("(x/")) {
                    collected[0] = true;
                    collector.collect();
                  }
                });
    assertThatThrownBy(() -> writer.write("/d/f", LONG, true))
        .isInstanceOf(LedgerTakenOverException.class);
    assertThat(collected[0]).isTrue();
    assertThat(collector.read(new FsPath("d/f"))).isEqualTo("between");
    PoolChecker.check(cluster, SimulatedMount.POOL);
  }

  private Experiment beside(String name, Step setUp, Step writer) {
    return experiment(name, setUp, writer)
        .program("collector", client -> collect(mount(client)))
        .check(
            trial -> {
              Outcome outcome = trial.outcome("writer");
              if (outcome.failed()) {
                assertThat(outcome.failure()).isInstanceOf(LedgerTakenOverException.class);
              }
              checkNothingLeft(trial);
            });
  }

  private static void explore(Experiment experiment) {
    experiment.everyInsertion();
    experiment.everyInsertionThenCrash();
    experiment.everyInsertionOfCrash();
    experiment.randomInterleavings(SEED, 300);
  }

  @Test
  void besideAWriterThatIsAlive() {
    explore(
        beside(
            "collect beside a writer",
            m -> m.mkdirs("/e"),
            m -> {
              m.write("/d/f", LONG);
              m.namespace().rename(path("/d/f"), path("/e/g"), false);
            }));
  }

  @Test
  void besideAWriterThatDoesNotLook() {
    explore(
        beside(
            "collect beside a writer that does not look",
            m -> m.mkdirs("/d"),
            m -> {
              m.write("/d/f", "o", true);
              m.write("/d/g", "o", true);
            }));
  }

  @Test
  void besideAWriterIntoADirectoryMadeAnew() {
    explore(
        beside(
            "collect beside a writer whose directory goes and comes",
            m -> m.write("/d/old", "o"),
            m -> {
              m.namespace().delete(path("/d"), true);
              m.write("/d/f", LONG);
            }));
  }

  /** Whatever happens, a file with that content is there, and in the end nothing is left over. */
  private Experiment keeping(String content, String name) {
    return Experiment.named(name)
        .recover(client -> collect(mount(client)))
        .checkBeforeRecovery(this::checkPool)
        .check(
            trial -> {
              assertThat(checkPool(trial).values()).contains(content);
              checkNothingLeft(trial);
            });
  }

  @Test
  void besideOneWhoRenamesWhatADeadOneWrote() {
    Step renames =
        m -> {
          m.namespace().rename(path("/a/f"), path("/b/f"), false);
          m.namespace().rename(path("/b/f"), path("/a/f"), false);
          m.namespace().rename(path("/a"), path("/c"), false);
          m.namespace().rename(path("/c/f"), path("/b/g"), false);
        };
    Experiment experiment =
        keeping(LONG, "collect beside renames")
            .setUp(
                client -> {
                  SimulatedMount dead = mount(client);
                  dead.mkdirs("/a");
                  dead.mkdirs("/b");
                  dead.write("/w/f", LONG);
                  dead.namespace().rename(path("/w/f"), path("/a/f"), false);
                })
            .program("renamer", client -> renames.on(mount(client)))
            .program("collector", client -> collect(mount(client)));
    experiment.everyInsertion();
    experiment.randomInterleavings(SEED, 100);
  }

  /** The file that the dead one wrote is deep in a tree that is renamed, also in part. */
  @Test
  void besideOneWhoRenamesATreeWithWhatADeadOneWrote() {
    Experiment experiment =
        keeping(LONG, "collect beside renames of a tree")
            .setUp(
                client -> {
                  SimulatedMount dead = mount(client);
                  dead.mkdirs("/b");
                  dead.mkdirs("/a/s/r");
                  dead.write("/w/f", LONG);
                  dead.namespace().rename(path("/w/f"), path("/a/s/r/f"), false);
                })
            .program(
                "renamer",
                client -> {
                  SimulatedMount m = mount(client);
                  m.namespace().rename(path("/a"), path("/c"), false);
                  m.namespace().rename(path("/c/s"), path("/b/s"), false);
                  m.namespace().rename(path("/b/s/r"), path("/a"), false);
                })
            .program("collector", client -> collect(mount(client)));
    experiment.everyInsertion();
    experiment.randomInterleavings(SEED, 100);
  }

  /** Others have aborted the rename and cleared away what they found, and it went on, and died. */
  @Test
  void afterOneWhoDiedRenamingATree() {
    Experiment experiment =
        keeping("o", "collect after a renamer of a tree")
            .setUp(
                client -> {
                  SimulatedMount mount = mount(client);
                  mount.write("/d/t/s/r/f", "o");
                  mount.mkdirs("/x");
                })
            .program(
                "renamer",
                client -> mount(client).namespace().rename(path("/d/t"), path("/x/t"), false))
            .program(
                "writer",
                client -> {
                  SimulatedMount mount = mount(client);
                  mount.write("/d/t/s/g", LONG);
                  mount.write("/x/t/s/g", LONG);
                });
    experiment.everyInsertion();
    experiment.everyInsertionThenCrash();
    experiment.randomInterleavings(SEED, 100);
  }

  @Test
  void aWriterThatComesBackIsToldAndGoesOn() {
    Experiment.named("a writer comes back")
        .setUp(client -> mount(client).mkdirs("/d"))
        .program(
            "writer",
            client -> {
              SimulatedMount writer = mount(client);
              writer.write("/d/first", LONG);
              mount(client.cluster().client("janitor")).collect();
              writer.write("/d/second", LONG);
              mount(client.cluster().client("janitor")).collectLongAfter();
              writer.write("/d/third", LONG);
            })
        .recover(client -> collect(mount(client)))
        .check(
            trial -> {
              assertThat(trial.outcome("writer").succeeded()).isTrue();
              assertThat(checkPool(trial))
                  .isEqualTo(
                      Map.of("/d/", "", "/d/first", LONG, "/d/second", LONG, "/d/third", LONG));
            })
        .once();
  }

  /** It is believed, as no clock decides anything: the ledger stays, and people are told. */
  @Test
  void aLedgerOfAClockThatIsFarAheadIsToldOf() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedClient ahead = cluster.client("ahead");
    ahead.setClockAhead(Duration.ofDays(366).toMillis());
    mount(ahead).write("/f", "content", false);
    ahead.crash("killed");
    List<String> told = new ArrayList<>();
    mount(cluster.client("collector"))
        .collect(new CollectionLog(event -> told.add(event.toString())));
    assertThat(told).hasSize(1);
    assertThat(told.get(0))
        .startsWith("left alone: ledger //ledger/")
        .contains("which was last used 8783 h in the future (")
        .contains("`radosfs gc --older-than 0` takes it over");
  }
}
