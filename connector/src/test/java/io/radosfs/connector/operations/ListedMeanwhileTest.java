// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.Interludes;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.RemoteIterator;
import org.junit.jupiter.api.Test;

/** A path is listed while directories come there and go. */
class ListedMeanwhileTest {

  /** With a file in it: it is missing, or has that file, and is empty at no instant. */
  @Test
  void aListIsNotEmpty() throws IOException {
    neverEmpty(
        mount -> mount.namespace().list(path("/d")).stream().map(Namespace.Child::path).toList());
  }

  @Test
  void anIteratorIsNotEmpty() throws IOException {
    neverEmpty(
        mount -> {
          List<FsPath> paths = new ArrayList<>();
          RemoteIterator<Namespace.Child> children = mount.namespace().listing(path("/d"));
          while (children.hasNext()) {
            paths.add(children.next().path());
          }
          return paths;
        });
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
  private static List<FsPath> betweenTwoPages(Interludes.Action goes) throws IOException {
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

  private static void neverEmpty(Interludes.Call listing) throws IOException {
    Interludes listed =
        new Interludes(SimulatedMount::of, setup -> setup.write("/elsewhere/file", "f"), listing);
    int cameAndWent =
        listed.beforeEachPair(
            other -> renamed(other, "/elsewhere", "/d"),
            other -> renamed(other, "/d", "/elsewhere"),
            answer -> {
              if (answer.failure().isPresent()) {
                assertThat(answer.failure())
                    .as(answer.when())
                    .containsInstanceOf(FileNotFoundException.class);
              } else {
                assertThat(answer.value()).as(answer.when()).isEqualTo(List.of(path("/d/file")));
              }
            });
    assertThat(cameAndWent).isPositive();
  }

  private static boolean renamed(SimulatedMount other, String from, String to) throws IOException {
    other.namespace().rename(path(from), path(to), false);
    return true;
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }
}
