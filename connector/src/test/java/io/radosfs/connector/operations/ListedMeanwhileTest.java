// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.RemoteIterator;
import org.junit.jupiter.api.Test;

/** A path is listed while directories come there and go. */
class ListedMeanwhileTest {

  /** More than a listing has. */
  private static final int OPERATIONS = 20;

  /** Lists a path. */
  @FunctionalInterface
  private interface Lister {
    List<FsPath> list(Namespace namespace, FsPath path) throws IOException;
  }

  /** With a file in it: it is missing, or has that file, and is empty at no instant. */
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

  /** What another client does. */
  @FunctionalInterface
  private interface Meanwhile {
    void by(SimulatedMount other) throws IOException;
  }

  @Test
  void pagesOfOneThatIsRenamedAreOfOneDirectory() throws IOException {
    List<FsPath> anew =
        betweenTwoPages(other -> other.namespace().rename(path("/d"), path("/elsewhere"), false));
    assertThat(anew).containsExactly(path("/d/anew"));
  }

  @Test
  void pagesOfOneThatIsDeletedAreOfOneDirectory() throws IOException {
    List<FsPath> anew =
        betweenTwoPages(other -> assertThat(other.namespace().delete(path("/d"), true)).isTrue());
    assertThat(anew).containsExactly(path("/d/anew"));
  }

  /**
   * Lists a directory that no transaction has ever changed. Between two pages it goes, and another
   * one, that none has changed either, is made in its place.
   */
  private static List<FsPath> betweenTwoPages(Meanwhile goes) throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
    SimulatedMount other = SimulatedMount.of(cluster.client("other"));
    for (int i = 0; i < ReadOp.MAX_RANGE + 10; i++) {
      other.write("/d/file" + i, "");
    }
    SimulatedClient client = cluster.client("a");
    int[] reads = new int[1];
    client
        .faults()
        .before(
            op -> {
              if (op.object().equals("d/") && ++reads[0] == 2) {
                goes.by(other);
                other.write("/d/anew", "");
              }
            });
    List<FsPath> listed =
        SimulatedMount.of(client).namespace().list(path("/d")).stream()
            .map(Namespace.Child::path)
            .toList();
    assertThat(reads[0]).isGreaterThanOrEqualTo(2);
    return listed;
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
