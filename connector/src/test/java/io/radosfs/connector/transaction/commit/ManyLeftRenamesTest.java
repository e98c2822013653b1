// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.OwnTransactions;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.simulated.PoolChecker;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Several clients died in renames. A client that then needs the directory waits for all of them
 * together as long as for one.
 */
@Execution(ExecutionMode.CONCURRENT)
class ManyLeftRenamesTest {

  private static final FsPath FROM = new FsPath("from");
  private static final FsPath TO = new FsPath("to");
  private static final Duration WAIT = Duration.ofSeconds(30);
  private static final int DEAD = 5;

  /** More than a call tries again after others were faster. */
  private static final int MANY = 250;

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);

  private void setUp() throws IOException {
    SimulatedMount mount = SimulatedMount.of(cluster.client("setup"));
    mount.write("/to/other", "other");
    for (int i = 0; i < DEAD; i++) {
      mount.write("/from/f" + i, "f");
    }
  }

  /** Each client renames a file, and dies after its first write to this index. */
  private void leaveRenames(String index) throws IOException {
    for (int i = 0; i < DEAD; i++) {
      SimulatedClient client = cluster.client("dead-" + i);
      SimulatedMount mount = SimulatedMount.of(client);
      FsPath source = FROM.child("f" + i);
      FsPath destination = TO.child("f" + i);
      var unused =
          client.faults().once(op -> op.write() && op.object().equals(index), Fault.CRASH_AFTER);
      assertThatThrownBy(() -> mount.namespace().rename(source, destination, false))
          .isInstanceOf(ClientCrashed.class);
    }
  }

  /** Something that needs a directory for itself. */
  private interface Change {
    void of(SimulatedMount mount) throws IOException;
  }

  private void takesOneWait(Change change) throws IOException {
    SimulatedClient client = cluster.client("client");
    SimulatedMount mount = SimulatedMount.of(client, WAIT);
    change.of(mount);
    assertThat(Duration.ofNanos(client.waited())).isBetween(WAIT, WAIT.multipliedBy(2));
    PoolChecker.check(cluster.objects(SimulatedMount.POOL, ""));
  }

  @Test
  void whatTheyHaveRegisteredInAMovedDirectory() throws IOException {
    setUp();
    leaveRenames("to/");
    takesOneWait(mount -> mount.namespace().rename(TO, new FsPath("moved"), false));
    assertThat(SimulatedMount.of(cluster.client("reader")).tree())
        .containsKeys("/moved/other", "/from/f0", "/from/f4")
        .doesNotContainKey("/to/");
  }

  @Test
  void whatTheyHaveMarkedInAMovedDirectory() throws IOException {
    setUp();
    leaveRenames("from/");
    takesOneWait(mount -> mount.namespace().rename(FROM, new FsPath("moved"), false));
    assertThat(SimulatedMount.of(cluster.client("reader")).tree())
        .containsKeys("/to/other", "/moved/f0", "/moved/f4");
  }

  @Test
  void whatTheyHaveMarkedInADeletedDirectory() throws IOException {
    setUp();
    leaveRenames("from/");
    takesOneWait(mount -> assertThat(mount.namespace().delete(FROM, true)).isTrue());
    assertThat(SimulatedMount.of(cluster.client("reader")).tree())
        .containsOnlyKeys("/to/", "/to/other");
  }

  /** The directories in a deleted one are deleted by the same call. */
  @Test
  void whatTheyHaveMarkedInTheDirectoriesOfADeletedOne() throws IOException {
    SimulatedMount setup = SimulatedMount.of(cluster.client("setup"));
    setup.write("/to/other", "other");
    for (int i = 0; i < DEAD; i++) {
      String directory = "from/d" + i + "/";
      setup.write("/" + directory + "f", "f");
      SimulatedClient client = cluster.client("dead-" + i);
      SimulatedMount mount = SimulatedMount.of(client);
      FsPath destination = TO.child("f" + i);
      var unused =
          client
              .faults()
              .once(op -> op.write() && op.object().equals(directory), Fault.CRASH_AFTER);
      assertThatThrownBy(
              () ->
                  mount.namespace().rename(FsPath.parse("/" + directory + "f"), destination, false))
          .isInstanceOf(ClientCrashed.class);
    }
    takesOneWait(mount -> assertThat(mount.namespace().delete(FROM, true)).isTrue());
  }

  @Test
  void whatVeryManyHaveMarkedKeepsNobodyFromDeletingTheDirectory() throws IOException {
    setUp();
    SimulatedMount mount = SimulatedMount.of(cluster.client("client"));
    Map<String, byte[]> marks = new HashMap<>();
    Map<String, byte[]> statuses = new HashMap<>();
    for (int i = 0; i < MANY; i++) {
      String id = String.format("%024x", i);
      marks.put(IndexKeys.transaction(id), TransactionMark.keeping(TO).encode());
      String owner = OwnTransactions.RENAME + "from/g" + i + "//to/g" + i;
      statuses.put(
          IndexKeys.transactionStatus(id),
          new TransactionStatus(TransactionStatus.State.PENDING, owner).encode());
    }
    mount.store().write("to/", WriteOp.builder().assertExists().setOmap(statuses).build());
    mount.store().write("from/", WriteOp.builder().assertExists().setOmap(marks).build());
    assertThat(mount.namespace().delete(FROM, true)).isTrue();
  }
}
