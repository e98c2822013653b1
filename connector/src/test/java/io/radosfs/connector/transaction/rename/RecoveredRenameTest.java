// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.rename;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.resolve.Move;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a recovery knows of a rename may be old when the rename is decided. */
class RecoveredRenameTest {

  private static final FsPath FROM = new FsPath("from");
  private static final FsPath TO = new FsPath("to");
  private static final String NAME = "file";

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);

  private SimulatedMount mount(String client) throws IOException {
    return SimulatedMount.of(cluster.client(client));
  }

  /**
   * The parent of the new name is split after the recovery has met the rename there, and before the
   * rename looks whether it has shards, as it may by another thread of its process. So the new name
   * is prepared in a shard. The client dies when the rename is decided.
   */
  @Test
  void aParentThatIsSplitAfterTheRecoveryHasMetTheRename() throws IOException {
    SimulatedMount before = mount("before");
    before.write("/from/file", "content");
    before.write("/to/other", "other");
    Move move = new Move(FROM.child(NAME), TO.child(NAME));
    SimulatedClient renaming = cluster.client("renaming");
    SimulatedMount.of(renaming).transactions().register(move.registration());
    SimulatedClient recovering = cluster.client("recovering");
    boolean[] met = {false, false};
    FaultPlan unused =
        recovering
            .faults()
            .before(
                op -> {
                  if (met[0] && !met[1]) {
                    met[1] = true;
                    split();
                    decideAndDie(move, renaming);
                  }
                  met[0] |= op.summary().contains("prefix 'j/'");
                });
    SimulatedMount.of(recovering).wiring().sweep().sweep(TO);
    assertThat(mount("observer").tree())
        .containsEntry("/to/file", "content")
        .doesNotContainKey("/from/file");
  }

  /**
   * The rename is registered, and the answer is lost. A recovery ends it before it looks: what that
   * may have on its way is of its id, so it begins again by another.
   */
  @Test
  void aRenameThatWasEndedBeforeItKnewOfItsRegistrationHasAnotherId() throws IOException {
    SimulatedMount before = mount("before");
    before.write("/from/file", "content");
    before.write("/to/other", "other");
    SimulatedClient renaming = cluster.client("renaming");
    List<String> registrations = new ArrayList<>();
    boolean[] lost = {false};
    FaultPlan unused =
        renaming
            .faults()
            .before(
                op -> {
                  if (lost[0]) {
                    lost[0] = false;
                    mount("recovering").wiring().sweep().sweep(TO);
                  }
                  if (isRegistration(op)) {
                    registrations.add(
                        op.summary().replaceFirst(".*absentOmap\\((j/[^)]*)\\).*", "$1"));
                  }
                })
            .once(
                op -> {
                  boolean here = isRegistration(op);
                  lost[0] |= here;
                  return here;
                },
                Fault.LOSE_ANSWER);
    SimulatedMount.of(renaming).namespace().rename(FROM.child(NAME), TO.child(NAME), false);
    assertThat(registrations).hasSize(2).doesNotHaveDuplicates();
    assertThat(mount("observer").tree())
        .containsEntry("/to/file", "content")
        .doesNotContainKey("/from/file");
  }

  private static boolean isRegistration(OpInfo op) {
    return op.write() && op.object().equals("to/") && op.summary().contains("absentOmap(j/");
  }

  private void split() throws IOException {
    SimulatedMount splitting = SimulatedMount.of(cluster.client("splitting"), new Sharding(1, 2));
    boolean unused = splitting.wiring().splitter().splitIfLarge(TO, 1);
    assertThat(splitting.shards("/to")).isEqualTo(2);
  }

  /** By the changes of a rename whose new parent has shards. */
  private void decideAndDie(Move move, SimulatedClient renaming) throws IOException {
    Entry file = mount("looking").namespace().lookup(move.source()).orElseThrow();
    FaultPlan unused =
        renaming
            .faults()
            .once(op -> op.write() && op.summary().contains("compareOmap(j/"), Fault.CRASH_AFTER);
    SimulatedMount mount = SimulatedMount.of(renaming);
    assertThatThrownBy(
            () ->
                mount
                    .transactions()
                    .commit(
                        move.registration(),
                        Map.of(
                            FROM, DirectoryChange.removing(Map.of(NAME, file)),
                            TO, DirectoryChange.adding(Map.of(NAME, file))),
                        Set.of()))
        .isInstanceOf(ClientCrashed.class);
  }
}
