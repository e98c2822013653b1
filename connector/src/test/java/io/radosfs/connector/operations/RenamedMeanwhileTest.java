// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A change that takes a file away is lost on its way, and somebody else renames the file before its
 * client looks what became of the change. The name is free then, as was wanted; the data is the
 * other's.
 */
class RenamedMeanwhileTest {

  private static final String KEPT = "of more than one stripe";

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);

  /** Something done to a mounted file system. */
  interface Step {
    void on(SimulatedMount mount) throws IOException;
  }

  @BeforeEach
  void files() throws IOException {
    SimulatedMount mount = mount("user");
    mount.write("/d/f", KEPT);
    mount.write("/d/g", "g");
    mount.write("/d/new", "new");
    mount.write("/e/other", "o");
    mount.ledger().close();
  }

  private SimulatedMount mount(String client) throws IOException {
    return SimulatedMount.of(cluster.client(client));
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  private void change(Step change, Step meanwhile) throws IOException {
    change(change, Fault.LOSE_REQUEST, meanwhile);
  }

  /** Runs a change with a fault at its write, and something else before the next operation. */
  private void change(Step change, Fault fault, Step meanwhile) throws IOException {
    SimulatedMount other = mount("other");
    SimulatedClient client = cluster.client("a");
    SimulatedMount mount = SimulatedMount.of(client);
    boolean[] lost = new boolean[1];
    boolean[] done = new boolean[1];
    client
        .faults()
        .always(
            op -> {
              if (lost[0] && !done[0]) {
                done[0] = true;
                run(meanwhile, other);
              }
              return false;
            },
            Fault.CRASH_BEFORE)
        .once(op -> lost[0] = op.write() && op.summary().contains("x/"), fault);
    change.on(mount);
    assertThat(done[0]).isTrue();
  }

  private static void run(Step step, SimulatedMount mount) {
    try {
      step.on(mount);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertKeptAt(String path) throws IOException {
    SimulatedMount reader = mount("reader");
    assertThat(reader.read(path(path))).isEqualTo(KEPT);
    reader.sweep();
    PoolChecker.check(cluster, SimulatedMount.POOL);
    assertThat(reader.read(path(path))).isEqualTo(KEPT);
  }

  @Test
  void aFileThatWasToBeDeletedKeepsItsData() throws IOException {
    change(
        mount -> assertThat(mount.namespace().delete(path("/d/f"), false)).isTrue(),
        other -> other.namespace().rename(path("/d/f"), path("/d/kept"), false));
    assertKeptAt("/d/kept");
  }

  @Test
  void soItDoesInAnotherDirectory() throws IOException {
    change(
        mount -> assertThat(mount.namespace().delete(path("/d/f"), false)).isTrue(),
        other -> other.namespace().rename(path("/d/f"), path("/e/kept"), false));
    assertKeptAt("/e/kept");
  }

  /** Of one file the data is listed to be deleted, by the other client; of the other it is not. */
  @Test
  void soItDoesWhereSeveralWereToBeDeleted() throws IOException {
    change(
        mount ->
            assertThat(mount.namespace().deleteAll(Set.of(path("/d/f"), path("/d/g")))).isEmpty(),
        other -> {
          other.namespace().delete(path("/d/g"), false);
          other.namespace().rename(path("/d/f"), path("/d/kept"), false);
        });
    assertKeptAt("/d/kept");
  }

  @Test
  void aFileThatWasToBeReplacedKeepsItsData() throws IOException {
    assertThatThrownBy(
            () ->
                change(
                    mount -> mount.namespace().rename(path("/d/new"), path("/d/f"), true),
                    other -> {
                      other.namespace().rename(path("/d/f"), path("/d/kept"), false);
                      other.namespace().rename(path("/d/new"), path("/d/f"), false);
                    }))
        .isInstanceOf(OutcomeUnknownException.class);
    assertKeptAt("/d/kept");
  }

  /** What is listed by the change itself is deleted, though others have changed the index since. */
  @Test
  void whatWasDeletedIsDeletedThoughTheAnswerWasLost() throws IOException {
    change(
        mount -> assertThat(mount.namespace().delete(path("/d/f"), false)).isTrue(),
        Fault.LOSE_ANSWER,
        other -> other.mkdirs("/d/later"));
    assertThat(cluster.objects(SimulatedMount.POOL, "")).doesNotContainKey("d/f");
    assertThat(cluster.objects(SimulatedMount.POOL, "").get("d/").omap().keySet())
        .noneMatch(key -> key.startsWith("x/"));
  }
}
