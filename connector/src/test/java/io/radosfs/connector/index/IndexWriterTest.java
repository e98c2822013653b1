// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.Shards;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.HookedStore;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexWriterTest {

  /** Else a writer would take the change for refused, and remove data that it made visible. */
  @Test
  void aChangeWhoseAnswerWasLostIsUnknownWhateverKeepsItFromBeingLookedUp() {
    ObjectStore store = losingWritesAndDenyingReads();
    IndexWriter writer = new IndexWriter(store, new IndexReader(store));
    IndexChange change =
        IndexChange.of(FsPath.ROOT, IndexHead.OPEN).set(IndexKeys.entry("f"), new byte[] {1});
    assertThatThrownBy(() -> writer.apply(change))
        .isInstanceOf(OutcomeUnknownException.class)
        .satisfies(
            e -> {
              if (!(e.getSuppressed()[0] instanceof AccessControlException)) {
                throw new AssertionError(e.getSuppressed()[0]);
              }
            });
  }

  private final SimulatedCluster cluster = SimulatedCluster.withPools("pool");
  private final SimulatedClient client = cluster.client("a");

  private static IndexWriter writer(ObjectStore store) {
    return new IndexWriter(store, new IndexReader(store));
  }

  private IndexChange adding(String name) throws IOException {
    return IndexChange.of(FsPath.ROOT, IndexHead.OPEN)
        .expectAbsent(IndexKeys.entry(name))
        .set(IndexKeys.entry(name), new byte[] {1})
        .seen(new IndexReader(client.open("pool", "")).keys(FsPath.ROOT, List.of()));
  }

  /**
   * Whoever has seen the first index, and its fence, must not take the second one for it: a
   * collector has changed that fence meanwhile, perhaps, to keep a file from being published.
   */
  @Test
  void anIndexThatARepetitionMakesAnewHasAnotherFence() throws IOException {
    ObjectStore store = client.open("pool", "");
    List<byte[]> fences = new ArrayList<>();
    AtomicBoolean removed = new AtomicBoolean();
    ObjectStore hooked =
        HookedStore.of(
            store,
            (write, object) -> {
              if (!write && !removed.getAndSet(true)) {
                ObjectStore others = cluster.client("b").open("pool", "");
                fences.add(fence(others));
                others.write(object, WriteOp.builder().remove().build());
              }
            });
    client.faults().atWrite(1, Fault.LOSE_ANSWER);
    IndexChange change = IndexChange.creating(FsPath.ROOT, IndexHead.OPEN);
    assertThat(writer(hooked).apply(change)).isTrue();
    fences.add(fence(store));
    assertThat(fences).hasSize(2);
    assertThat(fences.get(0)).isNotEqualTo(fences.get(1));
    assertThat(change.token().value().getBytes(UTF_8)).isEqualTo(fences.get(1));
  }

  private static byte[] fence(ObjectStore store) throws IOException {
    return new IndexReader(store).keys(FsPath.ROOT, List.of()).value(IndexKeys.FENCE).orElseThrow();
  }

  @Test
  void anErrorThatLeavesItOpenIsLookedUp() throws IOException {
    ObjectStore store = client.open("pool", "");
    assertThat(writer(store).apply(IndexChange.creating(FsPath.ROOT, IndexHead.OPEN))).isTrue();
    for (Kind kind : List.of(Kind.BLOCKLISTED, Kind.PERMISSION_DENIED, Kind.OTHER)) {
      client.faults().atWrite(client.writes() + 1, Fault.failAfter(kind));
      assertThat(writer(store).apply(adding("applied-" + kind))).isTrue();

      client.faults().atWrite(client.writes() + 1, Fault.failWith(kind));
      assertThatThrownBy(() -> writer(store).apply(adding("refused-" + kind)))
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> {
                assertThat(e.kind()).isEqualTo(kind);
                assertThat(e.mayHaveTakenEffect()).isFalse();
              });
    }
  }

  /** It has gone to a shard, and is not removed. */
  @Test
  void anEntryThatASplitTookAlongIsNotTakenForRemoved() throws IOException {
    ObjectStore store = client.open("pool", "");
    String entry = IndexKeys.entry("f");
    assertThat(writer(store).apply(IndexChange.creating(FsPath.ROOT, IndexHead.OPEN))).isTrue();
    assertThat(writer(store).apply(adding("f"))).isTrue();
    IndexChange removing =
        IndexChange.of(FsPath.ROOT, IndexHead.OPEN)
            .expect(entry, new byte[] {1})
            .remove(entry)
            .seen(new IndexReader(store).keys(FsPath.ROOT, List.of(entry)));
    byte[] sharded = IndexHead.OPEN.splittingInto(Shards.of(2)).opened().encode();
    cluster
        .client("b")
        .open("pool", "")
        .write(
            "/",
            WriteOp.builder()
                .setOmap(Map.of(IndexKeys.HEAD, sharded, IndexKeys.CHANGE, new byte[] {2}))
                .removeOmap(entry)
                .build());
    client.faults().atWrite(client.writes() + 1, Fault.failWith(Kind.OTHER));
    assertThatThrownBy(() -> writer(store).apply(removing))
        .isInstanceOf(OutcomeUnknownException.class);
  }

  /**
   * Found by the explorer: a directory's index was opened, with the layout that a removal was to
   * set when it closed it, and the removal went on.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anIndexThatAnotherOpensIsNotTakenForClosed(boolean removesTheLayout) throws IOException {
    ObjectStore store = client.open("pool", "");
    DataLayout small = new DataLayout(Optional.empty(), Optional.of(4));
    DataLayout before = removesTheLayout ? small : DataLayout.DEFAULT;
    DataLayout after = removesTheLayout ? DataLayout.DEFAULT : small;
    IndexHead opening = IndexHead.opening("maker");
    IndexChange making = IndexChange.creating(FsPath.ROOT, opening);
    assertThat(writer(store).apply(making.layout(DataLayout.DEFAULT, before))).isTrue();
    IndexChange closing =
        IndexChange.of(FsPath.ROOT, opening)
            .head(opening.closingAs(Uid.random()))
            .layout(before, after);
    assertThat(
            writer(cluster.client("b").open("pool", ""))
                .apply(
                    IndexChange.of(FsPath.ROOT, opening)
                        .head(opening.opened())
                        .layout(before, after)))
        .isTrue();
    client.faults().atWrite(client.writes() + 1, Fault.failWith(Kind.OTHER));
    assertThatThrownBy(() -> writer(store).apply(closing))
        .isInstanceOf(OutcomeUnknownException.class);
  }

  private static ObjectStore losingWritesAndDenyingReads() {
    return (ObjectStore)
        Proxy.newProxyInstance(
            IndexWriterTest.class.getClassLoader(),
            new Class<?>[] {ObjectStore.class},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "write":
                  throw new StoreException(Kind.OUTCOME_UNKNOWN, "/", "no answer");
                case "read":
                  throw new AccessControlException("denied meanwhile");
                default:
                  throw new UnsupportedOperationException(method.getName());
              }
            });
  }
}
