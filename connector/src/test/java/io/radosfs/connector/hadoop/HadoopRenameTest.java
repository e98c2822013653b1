// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.retry.Retries;
import io.radosfs.connector.simulated.Interludes;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.VirtualPauses;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code FileSystem.rename} to a directory that another client removes, or puts a file in its
 * place, between any two of its operations.
 */
class HadoopRenameTest {

  @ParameterizedTest
  @ValueSource(strings = {"/s", "/e/s"})
  void itIsPossibleWithTheDirectoryAndWithout(String source) throws IOException {
    int interludes =
        renaming(source)
            .beforeEachOperation(
                HadoopRenameTest::removedIfEmpty,
                answer -> {
                  assertThat(answer.value()).as(answer.when()).isEqualTo(true);
                  assertThat(answer.at(source)).as(answer.when()).isEmpty();
                });
    assertThat(interludes).isPositive();
  }

  @Test
  void aFileInItsPlaceIsInTheWay() throws IOException {
    Set<Object> answers = new HashSet<>();
    int interludes =
        renaming("/e/s")
            .beforeEachOperation(
                other -> {
                  boolean removed = removedIfEmpty(other);
                  if (removed) {
                    other.write("/d", "in the way");
                  }
                  return removed;
                },
                answer -> {
                  answers.add(answer.value());
                  assertThat(answer.at("/e/s").isPresent())
                      .as(answer.when())
                      .isEqualTo(answer.value().equals(false));
                });
    assertThat(interludes).isPositive();
    assertThat(answers).contains(false);
  }

  private static boolean removedIfEmpty(SimulatedMount other) throws IOException {
    return other.namespace().list(path("/d")).isEmpty()
        && other.namespace().delete(path("/d"), false);
  }

  private static Interludes renaming(String source) {
    Retries retries = new Retries(new VirtualPauses(), () -> {});
    return new Interludes(
        SimulatedMount::of,
        setup -> {
          setup.mkdirs("/d");
          setup.write(source, "s");
        },
        mount -> new HadoopRename(mount.namespace(), retries).rename(path(source), path("/d")));
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }
}
