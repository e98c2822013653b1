// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import static io.radosfs.connector.simulated.SimulatedMount.ATTRIBUTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.data.StripedOutputStream;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.ledger.LedgerTakenOverException;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What leads to an object moves from a place to another between any two operations of whoever looks
 * for garbage, and once more between any two later ones: nothing is reported, nothing collected.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("exploration")
class MovedWhileLookedAtTest {

  /** More operations than any look takes; as long as it is not known how many. */
  private static final int MANY = 1_000;

  private static final String LONG = "more than one stripe of it";

  /** Something done to a mounted file system. */
  interface Step {
    void on(Mover mover) throws IOException;
  }

  /** One that works while others look. */
  private static final class Mover {
    private final SimulatedMount mount;
    private StripedOutputStream open;

    Mover(SimulatedMount mount) {
      this.mount = mount;
    }

    void rename(String from, String to) throws IOException {
      mount.namespace().rename(path(from), path(to), false);
    }

    void delete(String path) throws IOException {
      boolean unused = mount.namespace().delete(path(path), true);
    }

    void begin(String path) throws IOException {
      open = mount.write(path(path), mount.namespace().create(path(path), false, true, ATTRIBUTES));
      open.write(LONG.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** From which place to which. */
  enum Transition {
    LEDGER_TO_INDEX_TO_ANOTHER(
        mover -> mover.begin("/b/f"),
        mover -> {
          mover.open.close();
          mover.mount.ledger().close(); // crosses it out, as the next file would
        },
        mover -> mover.rename("/b/f", "/a/f")),
    INDEX_TO_ANOTHER_AND_BACK(
        mover -> mover.mount.write("/b/f", LONG),
        mover -> mover.rename("/b/f", "/a/f"),
        mover -> mover.rename("/a/f", "/b/f")),
    A_TREE_TO_ANOTHER_AND_BACK(
        mover -> mover.mount.write("/b/t/s/f", LONG),
        mover -> mover.rename("/b/t", "/a/t"),
        mover -> mover.rename("/a/t", "/b/t")),
    INDEX_TO_RETAINED_DATA(
        mover -> mover.mount.write("/b/f", LONG),
        mover -> mover.rename("/b/f", "/a/f"),
        mover -> mover.mount.write("/a/f", "o", true)),
    RETAINED_DATA_TO_INDEX(
        mover -> {
          mover.mount.write("/b/f", LONG);
          mover.mount.write("/b/f", "o", true);
        },
        mover -> {
          Restoration restoration = mover.mount.wiring().restoration();
          restoration.restore(restoration.kept(path("/b"), Failures.END).get(0), path("/a/r"));
          mover.mount.ledger().close();
        },
        mover ->
            mover.mount.wiring().retainedData().collect(Long.MAX_VALUE, any -> {}, Failures.END)),
    INDEX_TO_NOTHING(
        mover -> mover.mount.write("/b/t/f", LONG),
        mover -> mover.rename("/b/t", "/a/t"),
        mover -> mover.delete("/a/t")),
    ONE_OBJECT_TO_SHARDS(
        mover -> mover.mount.write("/b/f", LONG),
        mover -> {
          mover.mount.write("/a/g", LONG);
          mover.mount.write("/a/h", LONG);
        },
        mover -> mover.rename("/b/f", "/a/f"));

    private final Step setUp;
    private final Step first;
    private final Step second;

    Transition(Step setUp, Step first, Step second) {
      this.setUp = setUp;
      this.first = first;
      this.second = second;
    }

    private SimulatedMount mount(SimulatedClient client) throws IOException {
      return switch (this) {
        case ONE_OBJECT_TO_SHARDS -> SimulatedMount.of(client, new Sharding(1, 2));
        case INDEX_TO_RETAINED_DATA, RETAINED_DATA_TO_INDEX ->
            SimulatedMount.of(
                client, new Retention(Duration.ofHours(1), () -> SimulatedMount.WORKING));
        default -> SimulatedMount.of(client);
      };
    }
  }

  /** A file system, and somebody who moves things in it before two operations of another. */
  private static final class World {
    private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    private final Transition transition;
    private final Mover mover;

    /**
     * @param forgotten whether what is there by then is in no ledger any more
     */
    World(Transition transition, boolean forgotten) throws IOException {
      this.transition = transition;
      SimulatedMount setUp = SimulatedMount.of(cluster.client("setup"));
      setUp.write("/a/old", "o");
      setUp.write("/b/old", "o");
      setUp.ledger().close();
      mover = new Mover(transition.mount(cluster.client("mover")));
      transition.setUp.on(mover);
      if (forgotten) {
        mover.mount.ledger().close();
      }
    }

    SimulatedMount mount(String client) throws IOException {
      return transition.mount(cluster.client(client));
    }

    /** Has something done before each operation of a client. */
    void before(String client, FaultPlan.Interlude interlude) {
      FaultPlan unused = cluster.client(client).faults().before(interlude);
    }

    /** Moves before the so many-th operation of a client, and once more. */
    void moveAt(String client, int first, int second) {
      before(
          client,
          op -> {
            if (op.number() == first) {
              transition.first.on(mover);
            }
            if (op.number() == second) {
              transition.second.on(mover);
            }
          });
    }
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  @ParameterizedTest
  @EnumSource
  void fsckFindsNothing(Transition transition) throws IOException {
    int operations = MANY;
    for (int first = 1; first <= operations; first++) {
      for (int second = first + 1; second <= operations + 1; second += second - first) {
        World world = new World(transition, true);
        world.moveAt("checker", first, second);
        PoolInspector.Result result = world.mount("checker").check().run(true);
        assertThat(result.findings()).as("moves at %d and %d", first, second).isEmpty();
        assertThat(result.unchecked()).as("moves at %d and %d", first, second).isEmpty();
        operations = Math.min(operations, world.cluster.client("checker").ops());
      }
    }
    assertThat(operations).isGreaterThan(20);
  }

  /** The one answer by itself, asked once about all there is: something leads to everything. */
  @ParameterizedTest
  @EnumSource
  void somethingLeadsToEverything(Transition transition) throws IOException {
    int operations = MANY;
    for (int first = 1; first <= operations; first++) {
      for (int second = first + 1; second <= operations + 1; second += second - first) {
        World world = new World(transition, true);
        SimulatedMount checker = world.mount("checker");
        PoolView index = new StorePoolView(checker.store());
        LeakedObjects all = new LeakedObjects(onePool(index));
        for (String object : index.names()) {
          if (!object.startsWith("//replaced/")) {
            all.add(new Finding(Finding.Kind.LEAK, object, "any"), index);
          }
        }
        int before = world.cluster.client("checker").ops();
        world.moveAt("checker", before + first, before + second);
        String moves = "moves at " + first + " and " + second;
        assertThat(
                Leads.anywhere(
                    checker.wiring().indexes().reader(),
                    checker.wiring().retainedData(),
                    new WrittenDown(index),
                    all))
            .as(moves)
            .isTrue();
        assertThat(all.rest()).as(moves).isEmpty();
        operations = Math.min(operations, world.cluster.client("checker").ops() - before);
      }
    }
    assertThat(operations).isGreaterThan(5);
  }

  private static PoolView.Pools onePool(PoolView pool) {
    return new PoolView.Pools() {
      @Override
      public PoolView index() {
        return pool;
      }

      @Override
      public PoolView of(FileData file) {
        return pool;
      }
    };
  }

  /** The mover's process is taken for dead, which it is not. */
  @ParameterizedTest
  @EnumSource(names = "ONE_OBJECT_TO_SHARDS", mode = EnumSource.Mode.EXCLUDE)
  void gcCollectsNothing(Transition transition) throws IOException {
    int operations = MANY;
    for (int first = 1; first <= operations; first++) {
      for (int second = first + 1; second <= first + 8; second++) {
        World world = new World(transition, false);
        int[] at = {first, second};
        world.before(
            "janitor",
            op -> {
              try {
                if (op.number() == at[0]) {
                  transition.first.on(world.mover);
                } else if (op.number() == at[1]) {
                  transition.second.on(world.mover);
                }
              } catch (LedgerTakenOverException e) {
                at[1] = 0; // what it was writing is gone, and it knows
              }
            });
        world.mount("janitor").collect();
        operations = world.cluster.client("janitor").ops();
        assertThat(world.mount("reader").tree().values())
            .as("moves at %d and %d", first, second)
            .isSubsetOf("", "o", LONG);
        PoolChecker.check(world.cluster.objects(SimulatedMount.POOL, ""));
      }
    }
    assertThat(operations).isGreaterThan(20);
  }

  /** However often all is looked at, it is never where it is looked for. */
  @Test
  void aFileThatIsAlwaysWhereWasJustLookedIsNoFinding() throws IOException {
    World world = new World(Transition.INDEX_TO_ANOTHER_AND_BACK, true);
    world.before(
        "checker",
        op -> {
          for (String[] move : List.of(new String[] {"/a", "/b"}, new String[] {"/b", "/a"})) {
            if (op.object().equals(move[0].substring(1) + "/")
                && world.mover.mount.namespace().lookup(path(move[0] + "/f")).isPresent()) {
              world.mover.rename(move[0] + "/f", move[1] + "/f");
            }
          }
        });
    PoolInspector.Result result = world.mount("checker").check().run(false);
    assertThat(result.findings()).isEmpty();
    assertThat(String.join("|", result.unchecked()))
        .startsWith("whether something leads to 4 objects")
        .endsWith("names keep being renamed; run again");
  }

  /**
   * However often all is looked at, a file is made of retained data, whose line is due by then,
   * before the lists are read, and is replaced before the next look.
   */
  @Test
  void dataThatIsAlwaysRestoredWhenItsListIsReadIsNoFinding() throws IOException {
    World world = new World(Transition.RETAINED_DATA_TO_INDEX, true);
    Mover mover = world.mover;
    world.before(
        "checker",
        op -> {
          boolean restored = mover.mount.namespace().lookup(path("/a/r")).isPresent();
          if (op.object().equals("//replaced/0") && !restored) {
            world.transition.first.on(mover);
            world.transition.second.on(mover);
          } else if (op.object().equals("//ledgers") && restored) {
            mover.mount.write("/a/r", "o", true);
            mover.delete("/a/r");
            mover.mount.ledger().close();
          }
        });
    assertThat(world.mount("checker").check().run(false).findings()).isEmpty();
  }

  /** Its index is missing when its head is read, and there at whatever is asked of it next. */
  @Test
  void aDirectoryThatComesAndGoesIsNoFinding() throws IOException {
    World world = new World(Transition.INDEX_TO_ANOTHER_AND_BACK, true);
    SimulatedMount other = world.mount("other");
    other.write("/b/d/f", "o");
    world.before(
        "checker",
        op -> {
          if (op.object().equals("b/d/")) {
            if (other.namespace().lookup(path("/b/d")).isPresent()) {
              boolean unused = other.namespace().delete(path("/b/d"), true);
            } else {
              other.write("/b/d/f", "o");
            }
          }
        });
    assertThat(world.mount("checker").check().run(false).findings()).isEmpty();
  }

  /**
   * What is garbage is found nevertheless, beside one that renames in one directory all the while.
   */
  @Test
  void whatNothingLeadsToIsFoundBesideRenames() throws IOException {
    World world = new World(Transition.INDEX_TO_ANOTHER_AND_BACK, true);
    SimulatedMount vandal = world.mount("vandal");
    vandal.write("/a/lost", "o");
    vandal.ledger().close();
    vandal.store().write("a/", WriteOp.builder().removeOmap("e/lost").build());
    String[] names = {"/b/f", "/b/g"};
    world.before(
        "checker",
        op -> {
          if (op.object().equals("b/")) {
            world.mover.rename(names[0], names[1]);
            String last = names[0];
            names[0] = names[1];
            names[1] = last;
          }
        });
    assertThat(world.mount("checker").check().run(false).findings())
        .extracting(Finding::kind)
        .containsOnly(Finding.Kind.LEAK);
  }

  /**
   * A committed rename that is not resolved at its source, of a file that is deleted at its
   * destination: the stale entry is not visible, and nothing of it is missing.
   */
  @Test
  void anEntryThatIsTakenAwayLacksNothing() {
    Experiment experiment =
        Experiment.named("rename, then delete and check")
            .setUp(
                client -> {
                  SimulatedMount mount = SimulatedMount.of(client);
                  mount.write("/a/f", LONG);
                  mount.write("/a/t/f", LONG);
                  mount.mkdirs("/b");
                })
            .program(
                "renamer",
                client -> {
                  SimulatedMount mount = SimulatedMount.of(client);
                  mount.namespace().rename(path("/a/f"), path("/b/f"), false);
                  mount.namespace().rename(path("/a/t"), path("/b/t"), false);
                })
            .program(
                "deleter",
                client -> {
                  SimulatedMount mount = SimulatedMount.of(client);
                  for (String path : List.of("/b/f", "/b/t/f")) {
                    if (mount.namespace().lookup(path(path)).isPresent()) {
                      boolean unused = mount.namespace().delete(path(path), false);
                    }
                  }
                })
            .checkBeforeRecovery(
                trial -> PoolChecker.check(trial.cluster().objects(SimulatedMount.POOL, "")));
    assertThat(experiment.everyStoppingPoint().complete()).isTrue();
  }
}
