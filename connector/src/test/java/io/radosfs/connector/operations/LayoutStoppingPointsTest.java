// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.LostStripe;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Outcome;
import io.radosfs.connector.store.simulation.Trial;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Stops what concerns layouts at every RADOS operation and loses every answer, and has two clients
 * at once: a directory has the layout of before or of after, wherever it was renamed to, files are
 * where their entries say, and nothing leaks.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("exploration")
class LayoutStoppingPointsTest {

  private static final long SEED = 20_261_121;
  private static final DataLayout EC = new DataLayout(Optional.of("ec"), Optional.of(4));
  private static final String LONG = "more than one stripe of it";

  /** All that the tests make, rename and remove. */
  private static final List<String> DIRECTORIES =
      List.of("/d", "/d/s", "/x/e", "/p/t", "/p/t/entry", "/p/t/full", "/q/u", "/q/u/full", "/p/u");

  private interface Step {
    void on(SimulatedMount mount) throws IOException;
  }

  private interface Check {
    void of(SimulatedMount mount, Trial trial) throws IOException;
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  private static Step set(String directory) {
    return mount -> {
      DataLayout unused = mount.layouts().change(path(directory), before -> EC);
    };
  }

  private static Experiment experiment(String name, Step setUp, Step change, Check check) {
    return Experiment.named(name)
        .setUp(client -> setUp.on(SimulatedMount.of(client)))
        .program("a", client -> change.on(SimulatedMount.of(client)))
        .recover(
            client -> {
              SimulatedMount mount = SimulatedMount.of(client);
              mount.collect();
              mount.collectLongAfter();
            })
        .checkBeforeRecovery(trial -> check(trial, check))
        .check(trial -> check(trial, check));
  }

  /** Also: what has a layout is a directory that readers see, and the other way round. */
  private static void check(Trial trial, Check check) throws IOException {
    PoolChecker.check(trial.cluster(), SimulatedMount.POOL, "ec");
    for (String directory : DIRECTORIES) {
      SimulatedMount mount = SimulatedMount.of(trial.observer());
      assertThat(layout(mount, directory).isPresent())
          .as("there is a layout of %s", directory)
          .isEqualTo(mount.namespace().lookup(path(directory)).isPresent());
    }
    check.of(SimulatedMount.of(trial.observer()), trial);
  }

  private static void explore(Experiment experiment) {
    experiment.once();
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
    assertThat(experiment.everyStoppingPointOfRecovery().complete()).isTrue();
  }

  private static Optional<DataLayout> layout(SimulatedMount mount, String directory)
      throws IOException {
    try {
      return Optional.of(mount.layouts().of(path(directory)));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  /** The layout that a file was written with, by its entry; empty when there is none. */
  private static Optional<DataLayout> written(SimulatedMount mount, String file)
      throws IOException {
    return mount
        .namespace()
        .lookup(path(file))
        .map(entry -> DataLayout.of(((Entry.OfFile) entry).data(), 8));
  }

  @Test
  void setting() {
    explore(
        experiment(
            "setting a layout",
            m -> m.write("/d/f", LONG),
            set("/d"),
            (mount, trial) -> {
              Optional<DataLayout> now = layout(mount, "/d");
              if (trial.outcome("a").crashed()) {
                assertThat(now.orElseThrow()).isIn(EC, DataLayout.DEFAULT);
              } else {
                assertThat(trial.outcome("a").failed()).isFalse();
                assertThat(now).contains(EC);
              }
              assertThat(mount.read(path("/d/f"))).isEqualTo(LONG);
            }));
  }

  @Test
  void settingWhereThereIsNoIndex() {
    explore(
        experiment(
            "setting a layout of a directory without an index",
            m -> m.mkdirs("/d/s"),
            set("/d/s"),
            (mount, trial) -> {
              if (!trial.outcome("a").crashed()) {
                assertThat(layout(mount, "/d/s")).contains(EC);
              }
            }));
  }

  @Test
  void clearing() {
    explore(
        experiment(
            "clearing a layout",
            set("/")::on,
            m -> {
              DataLayout unused = m.layouts().change(path("/"), any -> DataLayout.DEFAULT);
            },
            (mount, trial) -> {
              if (!trial.outcome("a").crashed()) {
                assertThat(layout(mount, "/")).contains(DataLayout.DEFAULT);
              }
            }));
  }

  @Test
  void writingBelow() {
    explore(
        experiment(
            "writing below a directory with a layout",
            m -> {
              m.mkdirs("/d");
              set("/d").on(m);
            },
            m -> m.write("/d/s/t/f", LONG),
            (mount, trial) -> {
              for (String made : new String[] {"/d/s", "/d/s/t"}) {
                layout(mount, made).ifPresent(layout -> assertThat(layout).isEqualTo(EC));
              }
              written(mount, "/d/s/t/f").ifPresent(layout -> assertThat(layout).isEqualTo(EC));
              if (LostStripe.ended(trial.outcome("a"))) {
                assertThat(written(mount, "/d/s/t/f")).isEmpty();
              } else if (!trial.outcome("a").crashed()) {
                assertThat(mount.read(path("/d/s/t/f"))).isEqualTo(LONG);
              }
            }));
  }

  /** A tree with a layout of each kind: of an index with and without content, and of an entry. */
  private static void tree(SimulatedMount mount) throws IOException {
    mount.mkdirs("/p/t");
    mount.mkdirs("/q");
    set("/p/t").on(mount);
    mount.mkdirs("/p/t/entry");
    mount.mkdirs("/p/t/index");
    set("/p/t/index").on(mount);
    mount.write("/p/t/full/f", LONG);
  }

  private static void checkMoved(SimulatedMount mount, Trial trial, String to) throws IOException {
    String at = layout(mount, to).isPresent() ? to : "/p/t";
    if (!trial.outcome("a").crashed()) {
      assertThat(at).isEqualTo(to);
    }
    for (String directory : new String[] {"", "/entry", "/index", "/full"}) {
      assertThat(layout(mount, at + directory)).as(at + directory).contains(EC);
    }
    assertThat(written(mount, at + "/full/f")).contains(EC);
    assertThat(mount.read(path(at + "/full/f"))).isEqualTo(LONG);
  }

  @Test
  void renamingATree() {
    explore(
        experiment(
            "rename of a tree with layouts",
            LayoutStoppingPointsTest::tree,
            m -> m.namespace().rename(path("/p/t"), path("/q/u"), false),
            (mount, trial) -> checkMoved(mount, trial, "/q/u")));
  }

  @Test
  void renamingATreeWithinItsParent() {
    explore(
        experiment(
            "rename of a tree with layouts within its parent",
            LayoutStoppingPointsTest::tree,
            m -> m.namespace().rename(path("/p/t"), path("/p/u"), false),
            (mount, trial) -> checkMoved(mount, trial, "/p/u")));
  }

  @Test
  void removingATree() {
    explore(
        experiment(
            "removal of a tree with layouts",
            LayoutStoppingPointsTest::tree,
            m -> m.namespace().delete(path("/p/t"), true),
            (mount, trial) -> {
              for (String directory : new String[] {"/p/t", "/p/t/entry", "/p/t/full"}) {
                layout(mount, directory).ifPresent(layout -> assertThat(layout).isEqualTo(EC));
              }
            }));
  }

  private static void race(String name, Step setUp, Step first, Step second, Check check) {
    Experiment race =
        experiment(name, setUp, first, check)
            .program("b", client -> second.on(SimulatedMount.of(client)));
    race.everyInsertion();
    race.everyInsertionThenCrash();
    race.everyInsertionOfCrash();
    race.randomInterleavings(SEED, 200);
  }

  @Test
  void settingAgainstCreate() {
    race(
        "setting a layout against create",
        m -> m.mkdirs("/d"),
        set("/d"),
        m -> m.write("/d/s/f", LONG),
        (mount, trial) -> {
          if (finished(trial)) {
            assertThat(layout(mount, "/d")).contains(EC);
            assertThat(written(mount, "/d/s/f").orElseThrow()).isIn(EC, DataLayout.DEFAULT);
            assertThat(mount.read(path("/d/s/f"))).isEqualTo(LONG);
          }
        });
  }

  /** Whoever comes first: what was set goes along with the directory, or finds it gone. */
  @Test
  void settingAgainstRename() {
    race(
        "setting a layout against the rename of the directory",
        m -> {
          m.write("/d/f", LONG);
          m.mkdirs("/x");
        },
        set("/d"),
        m -> m.namespace().rename(path("/d"), path("/x/e"), false),
        (mount, trial) -> {
          if (finished(trial)) {
            boolean set = trial.outcome("a").succeeded();
            assertThat(layout(mount, "/d")).isEmpty();
            assertThat(layout(mount, "/x/e")).contains(set ? EC : DataLayout.DEFAULT);
          }
        });
  }

  @Test
  void renameAgainstCreate() {
    race(
        "rename of a directory with a layout against create in it",
        m -> {
          m.mkdirs("/d");
          m.mkdirs("/x");
          set("/d").on(m);
        },
        m -> m.namespace().rename(path("/d"), path("/x/e"), false),
        m -> m.write("/d/f", LONG),
        (mount, trial) -> {
          if (finished(trial)) {
            assertThat(layout(mount, "/x/e")).contains(EC);
            Optional<DataLayout> moved = written(mount, "/x/e/f");
            moved.ifPresent(layout -> assertThat(layout).isEqualTo(EC));
          }
        });
  }

  private static boolean finished(Trial trial) {
    Outcome a = trial.outcome("a");
    Outcome b = trial.outcome("b");
    return !a.crashed() && !b.crashed();
  }

  /**
   * Found by the explorer. A client that has seen no directory there after it set the layout knows
   * that a directory made later has that layout.
   */
  @Test
  void aDirectoryThatIsMadeLaterHasTheNewLayout() {
    Experiment.named("making a directory while the layout is set")
        .setUp(client -> SimulatedMount.of(client).mkdirs("/d"))
        .program("a", client -> SimulatedMount.of(client).mkdirs("/d/new"))
        .computation(
            "b",
            client -> {
              SimulatedMount mount = SimulatedMount.of(client);
              set("/d").on(mount);
              return mount.namespace().lookup(path("/d/new")).isPresent();
            })
        .check(
            trial -> {
              if (Boolean.FALSE.equals(trial.outcome("b").value())) {
                assertThat(layout(SimulatedMount.of(trial.observer()), "/d/new")).contains(EC);
              }
            })
        .everyInsertion();
  }

  /** Found by the explorer: the memory of a directory knows of its own client's changes. */
  @Test
  void aFileThatTheSameClientMakesLaterHasTheNewLayout() {
    Experiment.named("making a file after setting the layout")
        .program(
            "a",
            client -> {
              SimulatedMount mount = SimulatedMount.of(client);
              mount.write("/d/f", "f", true);
              set("/d").on(mount);
              mount.write("/d/g", "g", true);
            })
        .check(
            trial -> assertThat(written(SimulatedMount.of(trial.observer()), "/d/g")).contains(EC))
        .once();
  }
}
