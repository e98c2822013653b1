// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.simulation.Experiment;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A directory is renamed onto an empty one. Meanwhile another client removes the empty one, and
 * puts a file in its place, which nobody has asked to replace.
 */
class ReplacedDirectoryTest {

  private static final String KEPT = "of more than one stripe";

  /** More than the rename has. */
  private static final int OPERATIONS = 60;

  @ParameterizedTest
  @ValueSource(strings = {"/e/d", "/d/below"})
  void aFileThatTookItsPlaceIsKept(String source) throws IOException {
    boolean refused = false;
    boolean undecided = false;
    for (int n = 1; n <= OPERATIONS; n++) {
      SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
      SimulatedMount setup = SimulatedMount.of(cluster.client("setup"));
      setup.mkdirs("/d");
      setup.mkdirs(source);
      setup.write("/b/file", KEPT);
      setup.ledger().close();
      SimulatedMount other = SimulatedMount.of(cluster.client("other"));
      SimulatedClient client = cluster.client("a");
      SimulatedMount mount = SimulatedMount.of(client);
      int[] left = {n};
      client
          .faults()
          .always(
              op -> {
                if (--left[0] == 0) {
                  putAFileThere(other);
                }
                return false;
              },
              Fault.CRASH_BEFORE);

      try {
        mount.namespace().rename(path(source), path("/d"), true);
      } catch (FileAlreadyExistsException e) {
        refused = true;
      } catch (OutcomeUnknownException e) {
        undecided = true;
      } catch (IOException e) {
        // Its source was removed, or it has a directory below it.
        assertThat(e).isNotNull();
      }

      if (left[0] <= 0) {
        SimulatedMount reader = SimulatedMount.of(cluster.client("reader"));
        assertThat(reader.read(path("/d"))).as("file put there at operation %s", n).isEqualTo(KEPT);
        reader.sweep();
        PoolChecker.check(cluster, SimulatedMount.POOL);
        assertThat(reader.read(path("/d"))).as("the same after gc").isEqualTo(KEPT);
      }
    }
    // What was in the directory is gone with it: then there is nothing to rename.
    boolean stays = source.equals("/e/d");
    assertThat(refused).as("a rename that found the file").isEqualTo(stays);
    assertThat(undecided).as("a rename that had removed the directory").isEqualTo(stays);
  }

  /** Found by the explorer: an empty directory is replaced, also if it was made meanwhile. */
  @Test
  void anEmptyDirectoryThatWasMadeMeanwhileIsReplaced() {
    Experiment.named("rename of a directory to where another client makes one")
        .setUp(client -> SimulatedMount.of(client).mkdirs("/e/d/below"))
        .program(
            "a",
            client -> SimulatedMount.of(client).namespace().rename(path("/e/d"), path("/d"), true))
        .program("b", client -> SimulatedMount.of(client).mkdirs("/d"))
        .check(
            trial -> {
              assertThat(trial.outcome("a").succeeded()).isTrue();
              assertThat(SimulatedMount.of(trial.observer()).namespace().list(path("/d")))
                  .extracting(child -> child.path())
                  .containsExactly(path("/d/below"));
            })
        .everyInsertion();
  }

  /** Found by the explorer: as nothing is there once more, it is no reason to refuse. */
  @Test
  void anEmptyDirectoryThatCameAndWentRefusesNothing() throws IOException {
    int cameAndWent =
        betweenAllOperations(
            "/e/d/below",
            other -> {
              other.mkdirs("/d");
              return true;
            },
            ReplacedDirectoryTest::removeIfEmpty,
            (reader, when) ->
                assertThat(reader.namespace().list(path("/d")))
                    .as(when)
                    .extracting(child -> child.path())
                    .containsExactly(path("/d/below")));
    assertThat(cameAndWent).isPositive();
  }

  /** Found by the explorer: what a directory must not replace, the file in its place may. */
  @Test
  void aFileThatTookThePlaceOfTheSourceReplacesAFile() throws IOException {
    int bothMeanwhile =
        betweenAllOperations(
            "/e/d",
            other -> putAFile(other, "/e/d", isDirectory(other, "/e/d")),
            other -> putAFile(other, "/d", isFree(other, "/d")),
            (reader, when) -> assertThat(isFree(reader, "/e/d")).as(when).isTrue());
    assertThat(bothMeanwhile).isPositive();
  }

  /** What another client does; returns whether it could. */
  @FunctionalInterface
  private interface Meanwhile {
    boolean by(SimulatedMount other) throws IOException;
  }

  /** What is so after the rename. */
  @FunctionalInterface
  private interface Check {
    void of(SimulatedMount reader, String when) throws IOException;
  }

  /**
   * Renames {@code /e/d} to {@code /d}, once for each pair of its operations: before them another
   * client does these two things. The rename succeeds each time.
   *
   * @param directory that is there at first
   * @return how often both could be done
   */
  private static int betweenAllOperations(
      String directory, Meanwhile first, Meanwhile second, Check check) throws IOException {
    int both = 0;
    for (int one = 1; one < OPERATIONS; one++) {
      for (int two = one + 1; two <= OPERATIONS; two++) {
        SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
        SimulatedMount setup = SimulatedMount.of(cluster.client("setup"));
        setup.mkdirs(directory);
        setup.ledger().close();
        SimulatedMount other = SimulatedMount.of(cluster.client("other"));
        boolean[] done = new boolean[2];
        SimulatedClient client = cluster.client("a");
        AtomicBoolean reached =
            client
                .faults()
                .before(
                    new TreeMap<>(
                        Map.of(
                            one,
                            op -> done[0] = first.by(other),
                            two,
                            op -> done[1] = second.by(other))));

        SimulatedMount.of(client).namespace().rename(path("/e/d"), path("/d"), true);

        if (!reached.get()) {
          break;
        }
        both += done[0] && done[1] ? 1 : 0;
        check.of(
            SimulatedMount.of(cluster.client("reader")),
            "the first before operation %d, the second before %d".formatted(one, two));
      }
    }
    return both;
  }

  private static boolean isDirectory(SimulatedMount mount, String path) throws IOException {
    return mount
        .namespace()
        .lookup(path(path))
        .filter(Entry.OfDirectory.class::isInstance)
        .isPresent();
  }

  private static boolean isFree(SimulatedMount mount, String path) throws IOException {
    return mount.namespace().lookup(path(path)).isEmpty();
  }

  /** In the place of a directory too. */
  private static boolean putAFile(SimulatedMount other, String path, boolean wanted)
      throws IOException {
    if (wanted) {
      boolean unused = other.namespace().delete(path(path), true);
      other.write(path, KEPT);
    }
    return wanted;
  }

  /** Not where the directory that is there has come by the rename, or is removed by it. */
  private static boolean removeIfEmpty(SimulatedMount other) throws IOException {
    Optional<Entry> there = other.namespace().lookup(path("/d"));
    return there.isPresent()
        && other.namespace().list(path("/d")).isEmpty()
        && other.namespace().delete(path("/d"), false);
  }

  private static void putAFileThere(SimulatedMount other) {
    try {
      boolean unused = other.namespace().delete(path("/d"), true);
      other.namespace().rename(path("/b/file"), path("/d"), false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }
}
