// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.simulated.AppliedErrors;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.Trial;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A writer that is stopped, or whose answers are lost, at each of its operations. */
@Execution(ExecutionMode.CONCURRENT)
class WriterStoppingPointsTest {

  private static final int WINDOW = 3;
  private static final byte[] CONTENT = Fixture.content(1, 4_500);
  private static final byte[] OTHERS = Fixture.content(2, 3_500);
  private static final FileData FILE = Fixture.file();
  private static final FileData OTHER = Fixture.file();

  private final Fixture fixture = new Fixture();

  @Test
  void aFileIsWholeOrLeavesNothing() {
    experiment("a writer of five stripes").everyStoppingPoint();
  }

  @Test
  void theSameWhereTheNameIsTaken() {
    experiment("a writer of five stripes where the name is taken")
        .setUp(client -> fixture.write(Fixture.store(client), OTHER, OTHERS))
        .everyStoppingPoint();
  }

  @Test
  void theSameWhereWhatWasAppliedIsAnsweredByAnError() {
    for (boolean taken : new boolean[] {false, true}) {
      experiment("a writer of five stripes whose answers are wrong")
          .setUp(
              client -> {
                if (taken) {
                  FileData unused = fixture.write(Fixture.store(client), OTHER, OTHERS);
                }
              })
          .writesOnly()
          .faults(AppliedErrors.FAULTS)
          .check(
              trial -> {
                check(trial);
                assertThat(trial.outcome("writer").succeeded()).isTrue();
              })
          .everyStoppingPoint();
    }
  }

  @Test
  void theSameForAWriterThatAborts() {
    // No CRASH_LATE: that a write arrives after recovery is excluded by how long recovery waits.
    Experiment.named("a writer that aborts")
        .cluster(() -> SimulatedCluster.withPools(Fixture.POOL))
        .faults(
            List.of(
                Fault.CRASH_BEFORE,
                Fault.CRASH_AFTER,
                Fault.LOSE_ANSWER,
                Fault.LOSE_REQUEST,
                Fault.DELAY))
        .program(
            "writer",
            client -> {
              ObjectStore store = Fixture.store(client);
              StripedOutputStream out = fixture.create(store, FILE, new RecordingPublisher());
              out.write(Fixture.content(3, 20_500));
              if (out.abort().anyCleanupException() != null) {
                throw out.abort().anyCleanupException();
              }
            })
        .recover(WriterStoppingPointsTest::removeUnfinished)
        .check(trial -> assertThat(trial.cluster().objects(Fixture.POOL, "")).isEmpty())
        .everyStoppingPoint();
  }

  @Test
  void recoveryCanStopAnywhereAndBeRepeated() {
    experiment("recovery after a writer that died").everyStoppingPointOfRecovery();
  }

  @Test
  void twoWritersOfOnePathBothFinish() {
    Experiment experiment =
        Experiment.named("two writers of one path")
            .cluster(() -> SimulatedCluster.withPools(Fixture.POOL))
            .computation("one", client -> fixture.write(Fixture.store(client), FILE, CONTENT))
            .computation("two", client -> fixture.write(Fixture.store(client), OTHER, OTHERS))
            .check(
                trial -> {
                  ObjectStore store = Fixture.store(trial.observer());
                  FileData one = trial.outcome("one").value(FileData.class);
                  FileData two = trial.outcome("two").value(FileData.class);
                  assertThat(fixture.read(store, one)).isEqualTo(CONTENT);
                  assertThat(fixture.read(store, two)).isEqualTo(OTHERS);
                  assertThat(trial.cluster().objects(Fixture.POOL, "")).hasSize(9);
                });
    assertThat(experiment.everyInterleaving(10_000).complete()).isTrue();
  }

  private Experiment experiment(String name) {
    return Experiment.named(name)
        .cluster(() -> SimulatedCluster.withPools(Fixture.POOL))
        .faults(Fault.ALL)
        .computation("writer", client -> fixture.write(Fixture.store(client), FILE, CONTENT))
        .recover(
            client -> {
              if (!succeeded(client)) {
                removeUnfinished(client);
              }
            })
        .check(this::check);
  }

  /** The writer's last operation was a stripe that arrived, rather than a removal or a crash. */
  private static boolean succeeded(SimulatedClient client) {
    return !client.cluster().client("writer").crashed()
        && client.cluster().log().of("writer").stream()
            .noneMatch(entry -> entry.op().summary().endsWith("remove"));
  }

  private static void removeUnfinished(SimulatedClient client) throws IOException {
    ObjectStore store = Fixture.store(client);
    new DataRemover(file -> store, 4).removeUnfinished(FILE, WINDOW, any -> {}, () -> {});
  }

  private void check(Trial trial) throws IOException {
    ObjectStore store = Fixture.store(trial.observer());
    int others = trial.cluster().objects(Fixture.POOL, "").containsKey(OTHER.stripe(1)) ? 4 : 0;
    if (trial.outcome("writer").succeeded()) {
      FileData written = trial.outcome("writer").value(FileData.class);
      assertThat(fixture.read(store, written)).isEqualTo(CONTENT);
      assertThat(trial.cluster().objects(Fixture.POOL, "")).hasSize(others + 5);
    } else {
      assertThat(trial.cluster().objects(Fixture.POOL, "")).hasSize(others);
    }
    if (others > 0) {
      assertThat(fixture.read(store, OTHER.withLength(OTHERS.length))).isEqualTo(OTHERS);
    }
  }
}
