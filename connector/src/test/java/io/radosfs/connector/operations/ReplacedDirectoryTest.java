// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.Interludes;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.simulation.Experiment;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A directory is renamed onto an empty one. Meanwhile another client removes the empty one, and
 * puts a file in its place, which nobody has asked to replace.
 */
@Execution(ExecutionMode.CONCURRENT)
class ReplacedDirectoryTest {

  private static final String KEPT = "of more than one stripe";

  @ParameterizedTest
  @ValueSource(strings = {"/e/d", "/d/below"})
  void aFileThatTookItsPlaceIsKept(String source) throws IOException {
    Set<Class<?>> failures = new HashSet<>();
    int put =
        Interludes.of(
                setup -> {
                  setup.mkdirs("/d");
                  setup.mkdirs(source);
                  setup.write("/b/file", KEPT);
                },
                mount -> mount.namespace().rename(path(source), path("/d"), true))
            .beforeEachOperation(
                ReplacedDirectoryTest::putAFileThere,
                answer -> {
                  answer.failure().ifPresent(e -> failures.add(e.getClass()));
                  assertThat(answer.reader().read(path("/d"))).as(answer.when()).isEqualTo(KEPT);
                  answer.reader().sweep();
                  assertThat(answer.reader().read(path("/d")))
                      .as("the same after gc, %s", answer.when())
                      .isEqualTo(KEPT);
                });
    assertThat(put).isPositive();
    // What was in the directory is gone with it: then there is nothing to rename.
    boolean stays = source.equals("/e/d");
    assertThat(failures.contains(FileAlreadyExistsException.class))
        .as("a rename that found the file")
        .isEqualTo(stays);
    assertThat(failures.contains(OutcomeUnknownException.class))
        .as("a rename that had removed the directory")
        .isEqualTo(stays);
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
  @Tag("exploration")
  void anEmptyDirectoryThatCameAndWentRefusesNothing() throws IOException {
    int cameAndWent =
        renaming("/e/d/below")
            .beforeEachPair(
                other -> {
                  other.mkdirs("/d");
                  return true;
                },
                ReplacedDirectoryTest::removeIfEmpty,
                answer ->
                    assertThat(answer.reader().namespace().list(path("/d")))
                        .as(answer.when())
                        .extracting(child -> child.path())
                        .containsExactly(path("/d/below")));
    assertThat(cameAndWent).isPositive();
  }

  /** Found by the explorer: what a directory must not replace, the file in its place may. */
  @Test
  void aFileThatTookThePlaceOfTheSourceReplacesAFile() throws IOException {
    int bothMeanwhile =
        renaming("/e/d")
            .beforeEachPair(
                other -> putAFile(other, "/e/d", isDirectory(other, "/e/d")),
                other -> putAFile(other, "/d", isFree(other, "/d")),
                answer -> assertThat(answer.at("/e/d")).as(answer.when()).isEmpty());
    assertThat(bothMeanwhile).isPositive();
  }

  /** Renames {@code /e/d} to {@code /d}, which must succeed whatever others do. */
  private static Interludes renaming(String directoryThere) {
    return Interludes.of(
        setup -> setup.mkdirs(directoryThere),
        mount ->
            assertThatCode(() -> mount.namespace().rename(path("/e/d"), path("/d"), true))
                .doesNotThrowAnyException());
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

  private static boolean putAFileThere(SimulatedMount other) throws IOException {
    boolean unused = other.namespace().delete(path("/d"), true);
    other.namespace().rename(path("/b/file"), path("/d"), false);
    return true;
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }
}
