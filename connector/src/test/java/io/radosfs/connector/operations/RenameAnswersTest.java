// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.Interludes;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.OpGate;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a rename answers where another client changes its source and its destination before any of
 * its operations: what it says was so at an instant of the call.
 */
@Execution(ExecutionMode.CONCURRENT)
class RenameAnswersTest {

  private static final String RENAMING = "renaming";

  @Test
  void aFileDoesNotTakeThePlaceOfADirectory() throws IOException {
    int[] told = new int[1];
    int replaced =
        renaming(
                setup -> {
                  setup.mkdirs("/e/d");
                  setup.mkdirs("/d");
                },
                mount -> mount.namespace().rename(path("/e/d"), path("/d"), true))
            .beforeEachOperation(
                other -> removed(other, "/e/d") && written(other, "/e/d"),
                answer -> {
                  assertThat(answer.at("/d").filter(Entry.OfFile.class::isInstance))
                      .as(answer.when())
                      .isEmpty();
                  told[0] +=
                      answer.failure().filter(OutcomeUnknownException.class::isInstance).isPresent()
                          ? 1
                          : 0;
                });
    assertThat(replaced).isPositive();
    assertThat(told[0]).as("renames that say that they have removed the directory").isPositive();
  }

  /** It is the source that is missing, where it had gone before something came in its way. */
  @ParameterizedTest
  @CsvSource({
    "/e/s/, /e/to, false, file",
    "/e/s/, /to, false, file",
    "/e/s, /to, false, file",
    "/e/s/, /e/to, true, full",
    "/e/s/, /to, true, full",
    "/e/s, /to, true, full",
    "/e/s, /e/to, true, full",
    "/e/s, /e/to, false, file",
  })
  void whatHasGoneIsMissing(String source, String destination, boolean overwrite, String inTheWay)
      throws IOException {
    String from = source.replaceAll("/$", "");
    int could =
        renaming(
                setup -> put(setup, from, source.endsWith("/") ? "full" : "file"),
                mount -> mount.namespace().rename(path(from), path(destination), overwrite))
            .beforeEachOperation(
                other ->
                    isFree(other, destination)
                        && removed(other, from)
                        && put(other, destination, inTheWay),
                answer ->
                    assertThat(answer.failure())
                        .as(answer.when())
                        .containsInstanceOf(FileNotFoundException.class));
    assertThat(could).isPositive();
  }

  /** The same in a directory with shards, whose names are prepared before the decision. */
  @ParameterizedTest
  @CsvSource({"/e/s/, false", "/e/s, false", "/e/s/, true", "/e/s, true"})
  void whatHasGoneIsMissingForShardsToo(String source, boolean overwrite) throws IOException {
    String from = source.replaceAll("/$", "");
    int could =
        renaming(
                setup -> {
                  for (int i = 0; i < 6; i++) {
                    setup.write("/to/" + i, "");
                  }
                  put(setup, from, source.endsWith("/") ? "full" : "file");
                },
                mount -> mount.namespace().rename(path(from), path("/to/s"), overwrite))
            .beforeEachOperation(
                other ->
                    isFree(other, "/to/s")
                        && removed(other, from)
                        && put(other, "/to/s", overwrite ? "full" : "file"),
                answer ->
                    assertThat(answer.failure())
                        .as(answer.when())
                        .containsInstanceOf(FileNotFoundException.class));
    assertThat(could).isPositive();
  }

  /** It waited for itself, for as long as for another client, and began anew then. */
  @Test
  void aRenameDoesNotTakeItsOwnIntentForAnothers() throws IOException {
    for (Fault fault : List.of(Fault.LOSE_ANSWER, Fault.TWICE)) {
      SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
      SimulatedMount setup = SimulatedMount.of(cluster.client("setup"));
      setup.write("/e/f", "file");
      setup.write("/e/g", "file");
      setup.write("/to/other", "file");
      SimulatedClient client = cluster.client("renaming");
      SimulatedMount mount = SimulatedMount.of(client, Duration.ofSeconds(30));
      mount.namespace().rename(path("/e/f"), path("/to/f"), false);
      int before = client.writes();
      mount.namespace().rename(path("/e/g"), path("/to/g"), false);
      int plain = client.writes() - before;
      mount.namespace().rename(path("/to/g"), path("/e/g"), false);
      before = client.writes();
      FaultPlan unused = client.faults().once(op -> op.write() && op.object().equals("e/"), fault);

      mount.namespace().rename(path("/e/g"), path("/to/g"), false);

      assertThat(client.writes() - before).as("%s", fault).isBetween(plain, plain + 1);
    }
  }

  /** Both were told that they had renamed it. */
  @Test
  void aRenameThatWasLostIsNotMadeByAnotherThatIsAlike() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedMount other = SimulatedMount.of(cluster.client("other"));
    other.write("/d/f", "file");
    SimulatedMount mount = struckOnce(cluster, Fault.LOSE_REQUEST);
    beforeItsWrite(cluster, () -> other.namespace().rename(path("/d/f"), path("/d/g"), false));

    assertThatThrownBy(() -> mount.namespace().rename(path("/d/f"), path("/d/g"), false))
        .isInstanceOf(OutcomeUnknownException.class);

    assertThat(other.tree()).containsEntry("/d/g", "file").doesNotContainKey("/d/f");
  }

  @Test
  void aRenameWhoseAnswerWasLostIsMadeWhateverFilesOthersMakeThen() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedMount other = SimulatedMount.of(cluster.client("other"));
    other.write("/d/f", "file");
    SimulatedMount mount = struckOnce(cluster, Fault.LOSE_ANSWER);
    afterItsWrite(cluster, () -> other.write("/d/another", "file"));

    mount.namespace().rename(path("/d/f"), path("/d/g"), false);

    assertThat(other.tree()).containsKeys("/d/g", "/d/another").doesNotContainKey("/d/f");
  }

  /** It was told that the outcome is unknown, as others had ended and forgotten it. */
  @ParameterizedTest
  @ValueSource(strings = {"/e/s/", "/e/s"})
  void aRenameThatLosesARaceForItsSourceIsToldThatItHasGone(String source) throws IOException {
    String from = source.replaceAll("/$", "");
    int could =
        renaming(
                setup -> {
                  put(setup, from, source.endsWith("/") ? "full" : "file");
                  setup.mkdirs("/to");
                  setup.mkdirs("/elsewhere");
                },
                mount -> mount.namespace().rename(path(from), path("/to/s"), false))
            .beforeEachOperation(
                other -> {
                  if (isFree(other, from)) {
                    return false;
                  }
                  other.sweep();
                  if (isFree(other, from)) {
                    return false;
                  }
                  other.namespace().rename(path(from), path("/elsewhere/s"), false);
                  return true;
                },
                answer ->
                    assertThat(answer.failure())
                        .as(answer.when())
                        .containsInstanceOf(FileNotFoundException.class));
    assertThat(could).isPositive();
  }

  private static SimulatedMount struckOnce(SimulatedCluster cluster, Fault fault)
      throws IOException {
    SimulatedClient client = cluster.client(RENAMING);
    FaultPlan unused = client.faults().once(OpInfo::write, fault);
    return SimulatedMount.of(client);
  }

  private static void beforeItsWrite(SimulatedCluster cluster, InvocationRaisingIOE meanwhile) {
    cluster.setGate(
        new OpGate() {
          @Override
          public void before(OpInfo op) {
            run(cluster, op, meanwhile);
          }
        });
  }

  private static void afterItsWrite(SimulatedCluster cluster, InvocationRaisingIOE meanwhile) {
    cluster.setGate(
        new OpGate() {
          @Override
          public void after(OpInfo op) {
            run(cluster, op, meanwhile);
          }
        });
  }

  private static void run(SimulatedCluster cluster, OpInfo op, InvocationRaisingIOE meanwhile) {
    if (op.write() && op.client().equals(RENAMING)) {
      cluster.setGate(OpGate.OPEN);
      try {
        meanwhile.apply();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static Interludes renaming(Interludes.Action setUp, Interludes.Action rename) {
    return Interludes.of(setUp, rename)
        .mounted(client -> SimulatedMount.of(client, new Sharding(4, 2)));
  }

  private static boolean isFree(SimulatedMount mount, String path) throws IOException {
    return mount.namespace().lookup(path(path)).isEmpty();
  }

  private static boolean removed(SimulatedMount other, String path) throws IOException {
    return other.namespace().delete(path(path), true);
  }

  private static boolean written(SimulatedMount other, String path) throws IOException {
    other.write(path, "another");
    return true;
  }

  private static boolean put(SimulatedMount other, String path, String what) throws IOException {
    if (what.equals("full")) {
      other.mkdirs(path + "/child");
      return true;
    }
    return written(other, path);
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }
}
