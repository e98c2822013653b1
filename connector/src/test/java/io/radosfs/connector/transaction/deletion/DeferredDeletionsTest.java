// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.deletion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a directory lists for deletion is carried out by whoever changes something there. */
class DeferredDeletionsTest {

  private static final int MANY = 50;

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);

  private SimulatedMount mount(String client) throws IOException {
    return SimulatedMount.of(cluster.client(client));
  }

  /** Its client dies before the data goes, so that the directory lists it. */
  private void leaveListed(String file) throws IOException {
    String object = FsPath.parse(file).key();
    deleteAndDie(file, op -> op.write() && op.object().equals(object), Fault.CRASH_BEFORE);
  }

  private void deleteAndDie(String path, Predicate<OpInfo> at, Fault crash) throws IOException {
    FsPath deleted = FsPath.parse(path);
    SimulatedClient dying = cluster.client("deletes " + path);
    FaultPlan unused = dying.faults().once(at, crash);
    assertThatThrownBy(() -> SimulatedMount.of(dying).namespace().delete(deleted, true))
        .isInstanceOf(ClientCrashed.class);
  }

  private boolean lists(String index) {
    return holds(index, "x/");
  }

  /** They carry out their own. */
  @Test
  void itEndsWhereOthersKeepListingMore() throws IOException {
    SimulatedMount user = mount("user");
    user.write("/from/f", "f");
    for (int k = 0; k <= MANY; k++) {
      user.write("/to/f" + k, "f");
    }
    leaveListed("/to/f0");
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
                  leaveListed("/to/f" + looks[0]);
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

  /** Nobody can read or delete it. */
  private void damage(SimulatedMount user, String index) throws IOException {
    user.store()
        .write(
            index, WriteOp.builder().setOmap("x/" + Uid.random(), new byte[] {'?', '!'}).build());
  }

  /** Sweeps as {@code radosfs gc} does, which goes on after a failure; returns all of them. */
  private List<IOException> sweepTelling() throws IOException {
    List<IOException> told = new ArrayList<>();
    mount("sweeping").wiring().sweep().sweep(FsPath.ROOT, (subject, failure) -> told.add(failure));
    return told;
  }

  private boolean holds(String index, String prefix) {
    return cluster.objects(SimulatedMount.POOL, "").get(index).omap().keySet().stream()
        .anyMatch(key -> key.startsWith(prefix));
  }

  @Test
  void theShardsAreReachedWhereTheHeadListsWhatCannotBeDeleted() throws IOException {
    SimulatedMount user = SimulatedMount.of(cluster.client("user"), new Sharding(1, 2));
    user.write("/to/f", "f");
    user.write("/to/g", "g");
    assertThat(user.shards("/to")).isEqualTo(2);
    leaveListed("/to/f");
    leaveListed("/to/g");
    List<String> listing =
        cluster.objects(SimulatedMount.POOL, "").keySet().stream()
            .filter(object -> object.startsWith("to//shard/") && lists(object))
            .toList();
    assertThat(listing).isNotEmpty();
    damage(user, "to/");
    assertThat(sweepTelling()).isNotEmpty().hasOnlyElementsOfType(LayoutException.class);
    assertThat(listing).noneMatch(this::lists);
    assertThat(lists("to/")).isTrue();
  }

  /** Its registration would keep the directory from being deleted, once the rest is put right. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRenameIsForgottenWhereSomethingElseCannotBeDeleted(boolean byAnother) throws IOException {
    SimulatedMount user = mount("user");
    user.write("/from/f", "f");
    user.write("/to/other", "o");
    damage(user, "to/");
    SimulatedClient client = cluster.client("renames");
    Namespace namespace = SimulatedMount.of(client).namespace();
    FsPath from = FsPath.parse("/from/f");
    FsPath to = FsPath.parse("/to/moved");
    if (byAnother) {
      FaultPlan unused =
          client
              .faults()
              .once(op -> op.write() && op.summary().contains("e/moved"), Fault.CRASH_AFTER);
      assertThatThrownBy(() -> namespace.rename(from, to, false)).isInstanceOf(ClientCrashed.class);
      assertThat(holds("to/", "j/")).isTrue();
      assertThat(sweepTelling()).isNotEmpty().hasOnlyElementsOfType(LayoutException.class);
    } else {
      namespace.rename(from, to, false);
    }
    assertThat(holds("to/", "j/")).isFalse();
    assertThat(mount("reader").tree()).containsEntry("/to/moved", "f").doesNotContainKey("/from/f");
  }

  /** What is listed there by others is of another directory, and theirs to carry out. */
  @Test
  void itEndsWhereTheDirectoryIsMadeAgain() throws IOException {
    SimulatedMount user = mount("user");
    user.write("/to/gone/f", "f");
    user.write("/to/gone/g", "g");
    leaveListed("/to/gone/f");
    deleteAndDie("/to/gone", op -> op.write() && op.object().equals("to/gone/"), Fault.CRASH_AFTER);
    SimulatedClient client = cluster.client("sweeps");
    int[] looks = new int[1];
    client
        .faults()
        .before(
            op -> {
              if (!op.write() && op.object().equals("to/gone/") && op.summary().contains("x/")) {
                // The first look is of what it finds there itself.
                if (looks[0] == 1) {
                  makeAgain();
                }
                if (looks[0] > 0 && looks[0] <= MANY) {
                  leaveListed("/to/gone/f" + looks[0]);
                }
                looks[0]++;
              }
            });
    SimulatedMount.of(client).wiring().sweep().sweep(FsPath.parse("/to"));
    assertThat(looks[0]).isBetween(2, 5);
    assertThat(mount("reader").tree()).containsKey("/to/gone/f" + MANY);
  }

  private void makeAgain() throws IOException {
    mount("other").sweep();
    SimulatedMount user = mount("user");
    assertThat(user.tree()).doesNotContainKey("/to/gone/");
    for (int k = 0; k <= MANY; k++) {
      user.write("/to/gone/f" + k, "f");
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
      String name = "gone" + k;
      deleteAndDie(
          "/to/" + name,
          op -> op.object().equals("to/" + name + "/") && !holds("to/", "e/" + name),
          Fault.CRASH_BEFORE);
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
