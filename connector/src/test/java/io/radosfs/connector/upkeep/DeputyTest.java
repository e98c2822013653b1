// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.LedgerEntry;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.ObjectView;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Somebody may write to one pool, and only read another; an administrator may write to both. */
class DeputyTest {

  private static final String OTHER = "other";
  private static final Uid UID = new Uid("0123456789abcdef01234567");
  private static final FsPath PATH = new FsPath("theirs/f");

  private final SimulatedCluster cluster =
      SimulatedCluster.withPools(SimulatedMount.POOL).addErasureCodedPool(OTHER);
  private final SimulatedClient attacker =
      cluster.client("attacker").setAccess(OTHER, SimulatedClient.Access.READ_ONLY);
  private final FileData theirs = new FileData(PATH, UID, true, 16, 8, Optional.of(OTHER));

  @BeforeEach
  void filesOfOthers() throws IOException {
    ObjectStore other = cluster.client("owner").open(OTHER, "");
    for (int k = 0; k < theirs.stripes(); k++) {
      other.write(
          theirs.stripe(k),
          WriteOp.builder()
              .createExclusive()
              .writeFull(ByteBuffer.wrap(new byte[8]))
              .setXattr(FileData.UID_XATTR, UID.value().getBytes(StandardCharsets.UTF_8))
              .build());
    }
    SimulatedMount.of(cluster.client("user")).write("/mine/f", "o");
  }

  private void set(String object, String key, byte[] value) throws IOException {
    attacker
        .open(SimulatedMount.POOL, "")
        .write(object, WriteOp.builder().createIfMissing().setOmap(key, value).build());
  }

  private void pointAtThem() throws IOException {
    Entry.OfFile file = new Entry.OfFile(theirs, 0, SimulatedMount.ATTRIBUTES);
    set(
        "mine/",
        IndexKeys.deferredDeletion(UID),
        new DeferredDeletion.OfFile(file, DeferredDeletion.AT_ONCE).encode());
    set(
        "//replaced/0",
        "0000000000000000005/" + UID,
        new DeferredDeletion.OfFile(file, 5).encode());
    String ledger = "//ledger/89abcdef0123456701234567";
    set("//ledgers", "89abcdef0123456701234567", ledger.getBytes(StandardCharsets.UTF_8));
    set(ledger, "s", "open 1".getBytes(StandardCharsets.UTF_8));
    set(ledger, "r", "5".getBytes(StandardCharsets.UTF_8));
    set(ledger, "f/" + UID, new LedgerEntry.UnfinishedFile(theirs, 8).encode());
    // It does not help to say that the pool is one of the file system's.
    set("//layouts", "pool/" + OTHER, "1".getBytes(StandardCharsets.UTF_8));
  }

  private SortedMap<String, ObjectView> others() {
    return cluster.objects(OTHER, "");
  }

  private CollectionLog collect() throws IOException {
    CollectionLog log = new CollectionLog(line -> {});
    SimulatedMount.of(cluster.client("administrator")).collect(log);
    return log;
  }

  @Test
  void anAdministratorRemovesNothingThatThePoolDoesNotAgreeTo() throws IOException {
    pointAtThem();
    assertThat(collect().kept()).isGreaterThanOrEqualTo(2);
    assertThat(others()).hasSize(2);
    SimulatedMount.of(cluster.client("another")).namespace().delete(new FsPath("mine"), true);
    assertThat(others()).hasSize(2);
  }

  @Test
  void whoMayOnlyReadAPoolCannotHaveItAgree() throws IOException {
    SimulatedMount mount = SimulatedMount.of(attacker);
    assertThatThrownBy(
            () ->
                mount
                    .layouts()
                    .change(new FsPath("mine"), layout -> layout.withPool(Optional.of(OTHER))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("pool 'other' cannot take the data");
    pointAtThem();
    CollectionLog unused = collect();
    assertThat(others()).hasSize(2);
  }

  /** Also one that was a data pool before pools were asked. */
  @Test
  void aPoolThatAgreesIsTheFileSystems() throws IOException {
    pointAtThem();
    CollectionLog unused = collect();
    SimulatedMount.of(cluster.client("owner"))
        .layouts()
        .change(new FsPath("mine"), layout -> layout.withPool(Optional.of(OTHER)));
    assertThat(others()).hasSize(3);
    assertThat(collect().kept()).isZero();
    assertThat(others()).containsOnlyKeys("//data-of/meta");
  }
}
