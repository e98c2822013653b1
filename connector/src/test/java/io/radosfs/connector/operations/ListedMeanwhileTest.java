// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.RemoteIterator;
import org.junit.jupiter.api.Test;

/**
 * A path is listed while a directory with a file in it comes there by a rename, and goes by
 * another: it is missing, or has that file, and is empty at no instant.
 */
class ListedMeanwhileTest {

  /** More than a listing has. */
  private static final int OPERATIONS = 20;

  /** Lists a path. */
  @FunctionalInterface
  private interface Lister {
    List<FsPath> list(Namespace namespace, FsPath path) throws IOException;
  }

  @Test
  void aListIsNotEmpty() throws IOException {
    neverEmpty(
        (namespace, path) -> namespace.list(path).stream().map(Namespace.Child::path).toList());
  }

  @Test
  void anIteratorIsNotEmpty() throws IOException {
    neverEmpty(
        (namespace, path) -> {
          List<FsPath> paths = new ArrayList<>();
          RemoteIterator<Namespace.Child> children = namespace.listing(path);
          while (children.hasNext()) {
            paths.add(children.next().path());
          }
          return paths;
        });
  }

  private static void neverEmpty(Lister lister) throws IOException {
    int cameAndWent = 0;
    for (int one = 1; one < OPERATIONS; one++) {
      for (int two = one + 1; two <= OPERATIONS; two++) {
        SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
        SimulatedMount other = SimulatedMount.of(cluster.client("other"));
        other.write("/elsewhere/file", "f");
        SimulatedClient client = cluster.client("a");
        int comes = one;
        int goes = two;
        boolean[] gone = new boolean[1];
        client
            .faults()
            .before(
                op -> {
                  if (op.number() == comes) {
                    other.namespace().rename(path("/elsewhere"), path("/d"), false);
                  }
                  if (op.number() == goes) {
                    other.namespace().rename(path("/d"), path("/elsewhere"), false);
                    gone[0] = true;
                  }
                });

        Optional<List<FsPath>> listed = Optional.empty();
        try {
          listed = Optional.of(lister.list(SimulatedMount.of(client).namespace(), path("/d")));
        } catch (FileNotFoundException e) {
          assertThat(e).hasMessageContaining("/d");
        }

        if (!gone[0]) {
          break;
        }
        cameAndWent++;
        if (listed.isPresent()) {
          assertThat(listed.get())
              .as("it comes before operation %d, and goes before %d", comes, goes)
              .containsExactly(path("/d/file"));
        }
      }
    }
    assertThat(cameAndWent).isPositive();
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }
}
