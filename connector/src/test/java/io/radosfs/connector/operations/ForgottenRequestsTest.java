// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.ledger.LedgerTakenOverException;
import io.radosfs.connector.simulated.OpenWrites;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.Report;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A write is applied, and its answer is lost. Another client does something. Then the write comes
 * once more, and the OSD has forgotten it.
 */
@Execution(ExecutionMode.CONCURRENT)
class ForgottenRequestsTest {

  private static final String LONG = "more than one stripe of it";

  private static final Retention NOTHING_KEPT =
      new Retention(Duration.ZERO, () -> SimulatedMount.WORKING);
  private static final Retention KEPT =
      new Retention(Duration.ofMillis(100), () -> SimulatedMount.WORKING);

  private static final Sharding WHOLE = new Sharding(65_536, 64);

  private static final int MARK = 0701;

  private static final AttributeChange MARKED_ONCE =
      attributes -> {
        if (attributes.permission() == MARK) {
          throw new FileAlreadyExistsException("the mark exists");
        }
        return attributes.withPermission(MARK);
      };

  /** Something done to a mounted file system. */
  interface Step {
    void on(SimulatedMount mount) throws IOException;
  }

  /** What must hold then. */
  interface Check {
    void of(Trial trial, SimulatedMount mount) throws IOException;
  }

  /** How the clients mount. */
  interface Mounting {
    SimulatedMount of(SimulatedClient client) throws IOException;
  }

  private static Experiment experiment(
      Mounting mounting, Step setUp, Step change, Step meanwhile, Check check) {
    return Experiment.named("a forgotten request")
        .setUp(client -> setUp.on(mounting.of(client)))
        .program("a", client -> change.on(mounting.of(client)))
        .program("b", client -> meanwhile.on(mounting.of(client)))
        .recover(client -> mounting.of(client).collectLongAfter())
        .check(
            trial -> {
              PoolChecker.check(trial.cluster(), SimulatedMount.POOL);
              check.of(trial, mounting.of(trial.observer()));
            });
  }

  private static void explore(Step setUp, Step change, Step meanwhile, Check check) {
    for (Retention retention : List.of(NOTHING_KEPT, KEPT)) {
      Mounting mounting = client -> SimulatedMount.of(client, retention);
      assertThat(experiment(mounting, setUp, change, meanwhile, check).everyWriteTwice().trials())
          .isPositive();
    }
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  /** It was entered once more, in place of the other's, when its data was gone. */
  @Test
  void aFileThatOthersHaveReplacedIsNotEnteredAgain() {
    explore(
        setUp -> setUp.write("/d/other", ""),
        mount -> mount.write("/d/f", LONG, true),
        other -> other.write("/d/f", "of the other", true),
        (trial, mount) -> assertThat(mount.read(path("/d/f"))).isIn(LONG, "of the other"));
  }

  @Test
  void norIsOneThatHadReplacedAnother() {
    explore(
        setUp -> setUp.write("/d/f", "old"),
        mount -> mount.write("/d/f", LONG, true),
        other -> other.write("/d/f", "of the other", true),
        (trial, mount) -> assertThat(mount.read(path("/d/f"))).isIn(LONG, "of the other"));
  }

  /** It would be shown again, and lose its data to the next collection. */
  @Test
  void norIsOneThatWasDeletedWithItsDirectoryThoughItsDataCouldNotBe() {
    Report report =
        experiment(
                SimulatedMount::of,
                setUp -> setUp.write("/d/other", ""),
                mount -> mount.write("/d/f", LONG),
                other -> {
                  boolean unused = other.namespace().delete(path("/d"), true);
                  other.write("/d/other", "");
                },
                (trial, mount) ->
                    assertThat(mount.tree().getOrDefault("/d/f", LONG)).isEqualTo(LONG))
            .standingFault(
                "b",
                plan ->
                    plan.always(
                        op ->
                            op.write()
                                && op.object().startsWith("d/f")
                                && op.summary().endsWith(" remove"),
                        Fault.failWith(StoreException.Kind.PERMISSION_DENIED)))
            .everyWriteTwice();
    assertThat(report.trials()).isGreaterThan(3);
  }

  /** Its data was removed, as the publication had been refused. */
  @Test
  void aFileWhoseDirectoryOthersHaveRenamedKeepsItsData() {
    explore(
        setUp -> setUp.write("/d/other", ""),
        mount -> mount.write("/d/f", LONG),
        other -> other.namespace().rename(path("/d"), path("/e"), false),
        (trial, mount) -> {
          for (Map.Entry<String, String> file : mount.tree().entrySet()) {
            if (file.getKey().endsWith("/f")) {
              assertThat(file.getValue()).isEqualTo(LONG);
            }
          }
        });
  }

  /** Its data was removed, as another file had its path by then. */
  @Test
  void aFileThatOthersHaveRenamedKeepsItsDataThoughAnotherHasItsPath() {
    for (String elsewhere : List.of("/d/g", "/e/g")) {
      AtomicInteger renamed = new AtomicInteger();
      explore(
          setUp -> {
            setUp.write("/d/other", "");
            setUp.write("/e/other", "");
          },
          mount -> mount.write("/d/f", LONG),
          other -> {
            if (other.namespace().lookup(path("/d/f")).isPresent()) {
              other.namespace().rename(path("/d/f"), path(elsewhere), false);
              other.write("/d/f", "of the other");
            }
          },
          (trial, mount) -> {
            Map<String, String> tree = mount.tree();
            if (tree.containsKey(elsewhere)) {
              renamed.incrementAndGet();
              assertThat(tree).containsEntry(elsewhere, LONG).containsEntry("/d/f", "of the other");
            }
          });
      assertThat(renamed.get()).as("files renamed to %s", elsewhere).isPositive();
    }
  }

  /**
   * The line was written anew into another ledger, and the first one's collector went by its own.
   */
  @Test
  void aFileWhoseLineACollectorHasIsNotBegun() {
    AtomicInteger refused = new AtomicInteger();
    explore(
        setUp -> setUp.write("/d/other", ""),
        mount -> {
          mount.write("/d/first", LONG);
          mount.write("/d/f", LONG);
        },
        SimulatedMount::collect,
        (trial, mount) -> {
          mount.collectLongAfter();
          for (Map.Entry<String, String> file : mount.tree().entrySet()) {
            if (file.getKey().endsWith("f") || file.getKey().endsWith("first")) {
              assertThat(file.getValue()).as(file.getKey()).isEqualTo(LONG);
            }
          }
          if (trial.outcome("a").failure() instanceof LedgerTakenOverException) {
            refused.incrementAndGet();
          }
        });
    assertThat(refused.get()).isPositive();
  }

  /** It was told as one of a file that does not exist. */
  @Test
  void aRenameThatOthersHaveFinishedIsMade() {
    renameIntoAnotherDirectory(
        collector -> collector.sweep(),
        (trial, mount) -> {
          assertThat(trial.outcome("a").failed()).as("%s", trial.outcome("a")).isFalse();
          assertThat(mount.tree()).containsEntry("/to/f", LONG).doesNotContainKey("/e/f");
        });
  }

  /** The new file took the place of the one that was renamed. */
  @Test
  void aRenameTakesNothingThatOthersHaveMadeSince() {
    AtomicInteger made = new AtomicInteger();
    renameIntoAnotherDirectory(
        other -> {
          other.sweep();
          if (other.namespace().lookup(path("/e/f")).isEmpty()) {
            other.write("/e/f", "new");
            other.write("/to/another", "which is the last change there");
          }
        },
        (trial, mount) -> {
          if (mount.tree().containsKey("/to/another")) {
            made.incrementAndGet();
            assertThat(mount.tree()).containsEntry("/to/f", LONG).containsEntry("/e/f", "new");
          }
        });
    assertThat(made.get()).as("renames that others have finished").isPositive();
  }

  private static void renameIntoAnotherDirectory(Step meanwhile, Check check) {
    for (Sharding sharding : List.of(WHOLE, new Sharding(1, 2))) {
      Report report =
          experiment(
                  client -> SimulatedMount.of(client, sharding),
                  setUp -> {
                    setUp.write("/e/f", LONG);
                    setUp.write("/e/other", "");
                    setUp.write("/to/other", "");
                    setUp.write("/to/one", "");
                  },
                  mount -> mount.namespace().rename(path("/e/f"), path("/to/f"), true),
                  meanwhile,
                  check)
              .everyWriteTwice();
      assertThat(report.trials()).isGreaterThan(3);
    }
  }

  /** An attribute that was to be created existed already, and one to be removed did not exist. */
  @Test
  void aChangeOfAttributesIsNotMadeOfItself() {
    Report report =
        experiment(
                SimulatedMount::of,
                setUp -> setUp.write("/d/f", LONG),
                mount -> mount.namespace().setAttributes(path("/d/f"), MARKED_ONCE),
                other -> {},
                (trial, mount) -> {
                  assertThat(trial.outcome("a").failed()).as("%s", trial.outcome("a")).isFalse();
                  assertThat(mount.namespace().lookup(path("/d/f")).orElseThrow().attributes())
                      .extracting(Attributes::permission)
                      .isEqualTo(MARK);
                })
            .everyWriteTwice();
    assertThat(report.trials()).isPositive();
  }

  /** As docs/failures.md says: nothing tells, and what is seen then can be deleted. */
  @Test
  void aFileThatOthersHaveDeletedMayBeEnteredAgainWithoutData() {
    AtomicInteger entered = new AtomicInteger();
    Report report =
        Experiment.named("a creation that others have undone")
            .setUp(client -> SimulatedMount.of(client).write("/d/other", ""))
            .program("a", client -> SimulatedMount.of(client).write("/d/f", LONG))
            .program(
                "b",
                client -> {
                  boolean unused =
                      SimulatedMount.of(client).namespace().delete(path("/d/f"), false);
                })
            .check(
                trial -> {
                  SimulatedMount mount = SimulatedMount.of(trial.observer());
                  Optional<Entry> there = mount.namespace().lookup(path("/d/f"));
                  if (there.isPresent() && isWithoutData(mount)) {
                    entered.incrementAndGet();
                    assertThat(mount.namespace().delete(path("/d/f"), false)).isTrue();
                  }
                  mount.collectLongAfter();
                  PoolChecker.check(trial.cluster(), SimulatedMount.POOL);
                })
            .everyWriteTwice();
    assertThat(report.trials()).isGreaterThan(3);
    assertThat(entered.get()).isEqualTo(1);
  }

  /** As docs/failures.md says: it looks again, and what is there then may be another directory. */
  @Test
  void aDeletionMayTakeEffectOnceMoreOnADirectoryThatOthersHaveMadeSince() {
    for (Sharding sharding : List.of(WHOLE, new Sharding(1, 2))) {
      AtomicInteger anew = new AtomicInteger();
      AtomicInteger deleted = new AtomicInteger();
      boolean[] made = new boolean[1];
      Report report =
          experiment(
                  client -> SimulatedMount.of(client, sharding),
                  setUp -> {
                    setUp.write("/e/f", LONG);
                    setUp.write("/e/g", LONG);
                    setUp.write("/other", "");
                  },
                  mount -> assertThat(mount.namespace().delete(path("/e"), true)).isTrue(),
                  other -> {
                    Optional<Entry> before = other.namespace().lookup(path("/e"));
                    other.sweep();
                    other.write("/e/new", "new");
                    Optional<Entry> after = other.namespace().lookup(path("/e"));
                    made[0] = !after.map(Entry::uid).equals(before.map(Entry::uid));
                  },
                  (trial, mount) -> {
                    anew.addAndGet(made[0] ? 1 : 0);
                    deleted.addAndGet(made[0] && !mount.tree().containsKey("/e/new") ? 1 : 0);
                  })
              .everyWriteTwice();
      assertThat(report.trials()).isPositive();
      assertThat(anew.get()).as("directories made anew").isPositive();
      assertThat(deleted.get()).as("of which were deleted").isPositive();
    }
  }

  private static boolean isWithoutData(SimulatedMount mount) throws IOException {
    try {
      return !mount.read(path("/d/f")).equals(LONG);
    } catch (FileNotFoundException e) {
      return true;
    }
  }

  /** The data was removed, as whoever reads has changed nothing. */
  @Test
  void aFileKeepsItsDataWhereNobodyCanTellWhetherItWasPublished() {
    int write = 1;
    while (isStruckBeforeALookThatFails(write)) {
      write++;
    }
    assertThat(write).isGreaterThan(3);
  }

  private static boolean isStruckBeforeALookThatFails(int write) {
    boolean[] struck = new boolean[1];
    experiment(
            SimulatedMount::of,
            setUp -> setUp.write("/d/other", ""),
            mount -> mount.write("/d/f", LONG),
            other -> {},
            (trial, mount) -> {
              struck[0] = !trial.cluster().client("a").faults().struck().isEmpty();
              if (trial.outcome("a").failure() instanceof OutcomeUnknownException) {
                return;
              }
              assertThat(mount.tree().containsKey("/d/f"))
                  .as("%s", trial.outcome("a"))
                  .isEqualTo(!trial.outcome("a").failed());
            })
        .standingFault("a", plan -> twiceBeforeALookThatFails(plan, write))
        .once();
    return struck[0];
  }

  private static void twiceBeforeALookThatFails(FaultPlan plan, int write) {
    OpenWrites.strikeOnce(plan, Fault.TWICE, write);
  }
}
