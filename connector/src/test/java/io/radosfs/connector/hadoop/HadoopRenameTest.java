// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code FileSystem.rename} to a directory that another client removes, or puts a file in its
 * place, between any two of its operations.
 */
class HadoopRenameTest {

  /** More than the rename has. */
  private static final int OPERATIONS = 100;

  /** What another client does. */
  @FunctionalInterface
  private interface Meanwhile {
    void by(SimulatedMount other) throws IOException;
  }

  /** Looks at the answer, and at what is there. */
  @FunctionalInterface
  private interface Check {
    void of(boolean renamed, SimulatedMount reader, String when) throws IOException;
  }

  @ParameterizedTest
  @ValueSource(strings = {"/s", "/e/s"})
  void itIsPossibleWithTheDirectoryAndWithout(String source) throws IOException {
    int interludes =
        atEachOperation(
            source,
            other -> {
              if (other.namespace().list(path("/d")).isEmpty()) {
                boolean unused = other.namespace().delete(path("/d"), false);
              }
            },
            (renamed, reader, when) -> {
              assertThat(renamed).as(when).isTrue();
              assertThat(reader.namespace().lookup(path(source))).as(when).isEmpty();
            });
    assertThat(interludes).isPositive();
  }

  @Test
  void aFileInItsPlaceIsInTheWay() throws IOException {
    boolean[] refused = new boolean[1];
    int interludes =
        atEachOperation(
            "/e/s",
            other -> {
              if (other.namespace().list(path("/d")).isEmpty()) {
                boolean unused = other.namespace().delete(path("/d"), false);
                other.write("/d", "in the way");
              }
            },
            (renamed, reader, when) -> {
              refused[0] |= !renamed;
              assertThat(reader.namespace().lookup(path("/e/s")).isPresent())
                  .as(when)
                  .isEqualTo(!renamed);
            });
    assertThat(interludes).isPositive();
    assertThat(refused[0]).isTrue();
  }

  /** Returns how often it came to it. */
  private static int atEachOperation(String source, Meanwhile meanwhile, Check check)
      throws IOException {
    for (int n = 1; n <= OPERATIONS; n++) {
      SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
      SimulatedMount setup = SimulatedMount.of(cluster.client("setup"));
      setup.mkdirs("/d");
      setup.write(source, "s");
      setup.ledger().close();
      SimulatedMount other = SimulatedMount.of(cluster.client("other"));
      SimulatedClient client = cluster.client("a");
      int at = n;
      boolean[] reached = new boolean[1];
      client
          .faults()
          .before(
              op -> {
                if (op.number() == at) {
                  reached[0] = true;
                  meanwhile.by(other);
                }
              });

      SimulatedMount mount = SimulatedMount.of(client);
      boolean renamed =
          new HadoopRename(mount.namespace(), client.retries()).rename(path(source), path("/d"));

      if (!reached[0]) {
        return n - 1;
      }
      SimulatedMount reader = SimulatedMount.of(cluster.client("reader"));
      check.of(renamed, reader, "before operation " + n);
      reader.sweep();
      PoolChecker.check(cluster, SimulatedMount.POOL);
    }
    throw new AssertionError("a rename of more than " + OPERATIONS + " operations");
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }
}
