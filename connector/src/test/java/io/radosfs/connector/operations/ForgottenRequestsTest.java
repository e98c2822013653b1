// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.OpenWrites;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.Trial;
import io.radosfs.connector.transaction.Retention;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

  /** Something done to a mounted file system. */
  interface Step {
    void on(SimulatedMount mount) throws IOException;
  }

  /** What must hold then. */
  interface Check {
    void of(Trial trial, SimulatedMount mount) throws IOException;
  }

  private static Experiment experiment(
      Retention retention, Step setUp, Step change, Step meanwhile, Check check) {
    return Experiment.named("a forgotten request")
        .setUp(client -> setUp.on(mount(client, retention)))
        .program("a", client -> change.on(mount(client, retention)))
        .program("b", client -> meanwhile.on(mount(client, retention)))
        .recover(client -> mount(client, retention).collectLongAfter())
        .check(
            trial -> {
              PoolChecker.check(trial.cluster(), SimulatedMount.POOL);
              check.of(trial, mount(trial.observer(), retention));
            });
  }

  private static SimulatedMount mount(SimulatedClient client, Retention retention)
      throws IOException {
    return SimulatedMount.of(client, retention);
  }

  private static void explore(Step setUp, Step change, Step meanwhile, Check check) {
    for (Retention retention : List.of(NOTHING_KEPT, KEPT)) {
      assertThat(experiment(retention, setUp, change, meanwhile, check).everyWriteTwice().trials())
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
            NOTHING_KEPT,
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
