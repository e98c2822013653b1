// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.deletion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

/** What a directory lists for deletion is carried out by whoever changes something there. */
class DeferredDeletionsTest {

  private static final int MANY = 50;

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);

  private SimulatedMount mount(String client) throws IOException {
    return SimulatedMount.of(cluster.client(client));
  }

  /** Its client dies before the data goes, so that the directory lists it. */
  private void leaveListed(FsPath file) {
    SimulatedClient dying = cluster.client("deletes " + file);
    FaultPlan unused =
        dying.faults().once(op -> op.write() && op.object().equals(file.key()), Fault.CRASH_BEFORE);
    assertThatThrownBy(() -> SimulatedMount.of(dying).namespace().delete(file, false))
        .isInstanceOf(ClientCrashed.class);
  }

  private boolean lists(String index) {
    return cluster.objects(SimulatedMount.POOL, "").get(index).omap().keySet().stream()
        .anyMatch(key -> key.startsWith("x/"));
  }

  /** They carry out their own. */
  @Test
  void itEndsWhereOthersKeepListingMore() throws IOException {
    SimulatedMount user = mount("user");
    user.write("/from/f", "f");
    for (int k = 0; k <= MANY; k++) {
      user.write("/to/f" + k, "f");
    }
    leaveListed(FsPath.parse("/to/f0"));
    assertThat(lists("to/")).isTrue();
    SimulatedClient client = cluster.client("renames");
    int[] looks = new int[1];
    client
        .faults()
        .before(
            op -> {
              if (!op.write() && op.object().equals("to/") && op.summary().contains("x/")) {
                looks[0]++;
                if (looks[0] <= MANY) {
                  leave("/to/f" + looks[0]);
                }
              }
            });
    SimulatedMount.of(client)
        .namespace()
        .rename(FsPath.parse("/from/f"), FsPath.parse("/to/moved"), false);
    assertThat(looks[0]).isBetween(1, 5);
    assertThat(mount("reader").tree()).containsKey("/to/moved");
    mount("sweeping").sweep();
    assertThat(lists("to/")).isFalse();
  }

  private void leave(String file) {
    try {
      leaveListed(FsPath.parse(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Each further operation would wait as long again. */
  @Test
  void itEndsWhereAnOsdDoesNotAnswer() throws IOException {
    SimulatedMount user = mount("user");
    user.write("/from/f", "f");
    user.write("/to/other", "f");
    for (int k = 0; k < 5; k++) {
      user.write("/to/gone" + k + "/f", "f");
      SimulatedClient dying = cluster.client("deletes " + k);
      String index = "to/gone" + k + "/";
      FaultPlan unused =
          dying
              .faults()
              .once(
                  op ->
                      op.object().equals(index)
                          && !cluster
                              .objects(SimulatedMount.POOL, "")
                              .get("to/")
                              .omap()
                              .containsKey("e/" + index.substring(3, index.length() - 1)),
                  Fault.CRASH_BEFORE);
      FsPath gone = FsPath.parse("/to/gone" + k);
      assertThatThrownBy(() -> SimulatedMount.of(dying).namespace().delete(gone, true))
          .isInstanceOf(ClientCrashed.class);
    }
    assertThat(lists("to/")).isTrue();
    SimulatedClient client = cluster.client("renames");
    FaultPlan silent =
        client
            .faults()
            .always(op -> op.object().startsWith("to/gone"), Fault.LOSE_REQUEST.waitedForInFull());
    SimulatedMount.of(client)
        .namespace()
        .rename(FsPath.parse("/from/f"), FsPath.parse("/to/moved"), false);
    assertThat(silent.struck()).hasSize(1);
    assertThat(mount("reader").tree()).containsKey("/to/moved");
  }
}
