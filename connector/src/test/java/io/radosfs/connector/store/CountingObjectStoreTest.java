// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CountingObjectStoreTest {

  private SimulatedClient client;
  private CountingObjectStore store;
  private final OperationTimes times = new OperationTimes();

  @BeforeEach
  void open() throws IOException {
    client = SimulatedCluster.withPools("meta").client("a");
    store = new CountingObjectStore(client.open("meta", "ns"), RadosStatistic.newStore(), times);
  }

  /** The counters that are not zero. */
  private Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>(store.getIOStatistics().counters());
    counts.values().removeIf(count -> count == 0);
    return counts;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @Test
  void everyCounterIsThereFromTheStart() {
    assertThat(store.getIOStatistics().counters().keySet())
        .containsExactlyInAnyOrder(RadosStatistic.symbols());
    assertThat(counts()).isEmpty();
    assertThat(Arrays.stream(RadosStatistic.values()).map(RadosStatistic::description))
        .doesNotHaveDuplicates();
  }

  @Test
  void passesPoolAndNamespaceOn() throws IOException {
    assertThat(store.pool()).isEqualTo("meta");
    assertThat(store.namespace()).isEqualTo("ns");
    assertThat(store.usage().objects()).isZero();
    assertThat(counts()).isEmpty();
  }

  @Test
  void dataWritesAndReads() throws Exception {
    WriteOp write =
        WriteOp.builder()
            .createExclusive()
            .setXattr("uid", bytes("1"))
            .writeFull(ByteBuffer.allocate(1000).position(100))
            .build();
    store.write("a", write);
    store.writeAsync("b", write).get();
    assertThat(counts())
        .isEqualTo(
            Map.of("rados_op_write", 2L, "rados_data_write", 2L, "rados_bytes_written", 1800L));
    ByteBuffer into = ByteBuffer.allocate(600);
    store.read("a", ReadOp.builder().data(0, into).size().build());
    store.readAsync("a", ReadOp.builder().data(600, into).build()).get();
    assertThat(counts())
        .containsEntry("rados_op_read", 2L)
        .containsEntry("rados_data_read", 2L)
        .containsEntry("rados_bytes_read", 900L)
        .doesNotContainKey("rados_index_read");
  }

  @Test
  void indexWritesAndReads() throws Exception {
    store.write(
        "a",
        WriteOp.builder()
            .setOmap(Map.of("e/1", bytes("one"), "\u00e9\u4e2d\ud83d\ude00", bytes("two")))
            .build());
    store.write(
        "a", WriteOp.builder().removeOmap(List.of("x", "y")).setXattr("x", bytes("1")).build());
    store.read("a", ReadOp.builder().omapByKeys(List.of("e/1", "none")).xattr("x").build());
    store.readAsync("a", ReadOp.builder().omapRange("", "", 10).size().build()).get();
    assertThat(counts())
        .isEqualTo(
            Map.of(
                "rados_op_write", 2L,
                "rados_index_write", 2L,
                "rados_omap_keys_written", 2L,
                "rados_omap_bytes_written", 3L + 3 + 9 + 3,
                "rados_omap_keys_removed", 2L,
                "rados_op_read", 2L,
                "rados_index_read", 2L,
                "rados_omap_keys_read", 3L,
                "rados_omap_bytes_read", 6L + 18));
  }

  @Test
  void whatFailsMovesNothing() {
    WriteOp guarded =
        WriteOp.builder()
            .assertExists()
            .setOmap("k", bytes("v"))
            .writeFull(ByteBuffer.allocate(5))
            .build();
    assertThatThrownBy(() -> store.write("a", guarded)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store.read("a", ReadOp.builder().size().build()))
        .isInstanceOf(StoreException.class);
    client.faults().once(op -> true, Fault.LOSE_ANSWER);
    assertThatThrownBy(() -> store.write("a", guarded)).isInstanceOf(StoreException.class);
    assertThat(counts())
        .isEqualTo(
            Map.of(
                "rados_op_write", 2L,
                "rados_data_write", 2L,
                "rados_op_read", 1L,
                "rados_index_read", 1L,
                "rados_op_refused", 2L,
                "rados_op_failed", 1L));
  }

  @Test
  void aFutureFailsWithTheStoresException() {
    CompletableFuture<ReadResult> read =
        store.readAsync("missing", ReadOp.builder().size().build());
    AtomicReference<Throwable> failure = new AtomicReference<>();
    CompletableFuture<ReadResult> unused =
        read.whenComplete((result, thrown) -> failure.set(thrown));
    assertThat(failure.get()).isInstanceOf(StoreException.class);
    assertThat(((StoreException) failure.get()).kind()).isEqualTo(Kind.NOT_FOUND);
    assertThat(counts()).containsEntry("rados_op_refused", 1L);
  }

  @Test
  void storesMayShareTheirCounters() throws IOException {
    var shared = RadosStatistic.newStore();
    for (String namespace : new String[] {"x", "y"}) {
      new CountingObjectStore(client.open("meta", namespace), shared, new OperationTimes())
          .write("a", WriteOp.builder().createExclusive().build());
    }
    assertThat(shared.counters()).containsEntry("rados_index_write", 2L);
  }

  private long ended(OperationKind kind) {
    return times.of(kind).count();
  }

  @Test
  void everyOperationEndsOnceHoweverItEnds() throws Exception {
    WriteOp create = WriteOp.builder().createExclusive().build();
    store.write("a", create);
    assertThatThrownBy(() -> store.write("a", create)).isInstanceOf(StoreException.class);
    CompletableFuture<Void> refused = store.writeAsync("a", create);
    assertThat(refused).isCompletedExceptionally();
    store.writeAsync("b", WriteOp.builder().writeFull(ByteBuffer.allocate(9)).build()).get();
    store.read("b", ReadOp.builder().size().build());
    store.readAsync("b", ReadOp.builder().data(0, ByteBuffer.allocate(9)).build()).get();
    assertThat(ended(OperationKind.INDEX_WRITE)).isEqualTo(3);
    assertThat(ended(OperationKind.DATA_WRITE)).isEqualTo(1);
    assertThat(ended(OperationKind.INDEX_READ)).isEqualTo(1);
    assertThat(ended(OperationKind.DATA_READ)).isEqualTo(1);
    assertThat(times.inFlight()).isZero();
    assertThat(times.of(OperationKind.INDEX_WRITE).totalMicros()).isNotNegative();
  }

  @Test
  void anOperationIsInFlightFromItsTurnToItsAnswer() {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    CountingObjectStore slow =
        new CountingObjectStore(
            new ForwardingObjectStore(store) {
              @Override
              public CompletableFuture<Void> writeAsync(
                  String object, WriteOp op, CompletableFuture<Void> turn) {
                return turn.thenCompose(now -> answer);
              }
            },
            RadosStatistic.newStore(),
            times);
    WriteOp op = WriteOp.builder().writeFull(ByteBuffer.allocate(9)).build();
    CompletableFuture<Void> turn = new CompletableFuture<>();
    CompletableFuture<Void> written = slow.writeAsync("a", op, turn);
    assertThat(times.inFlight()).isZero();
    turn.complete(null);
    assertThat(times.inFlight()).isEqualTo(1);
    assertThat(ended(OperationKind.DATA_WRITE)).isZero();
    answer.complete(null);
    assertThat(written).isCompleted();
    assertThat(times.inFlight()).isZero();
    assertThat(ended(OperationKind.DATA_WRITE)).isEqualTo(1);

    CompletableFuture<Void> never = new CompletableFuture<>();
    CompletableFuture<Void> withdrawn = slow.writeAsync("b", op, never);
    never.cancel(false);
    assertThat(withdrawn).isCompletedExceptionally();
    assertThat(times.inFlight()).isZero();
    assertThat(ended(OperationKind.DATA_WRITE)).as("it was never sent").isEqualTo(1);
    assertThat(slow.getIOStatistics().counters())
        .containsEntry("rados_op_write", 1L)
        .containsEntry("rados_op_failed", 0L);
  }

  @Test
  void aGuardThatDidNotHoldIsAConflict() throws Exception {
    store.write("a", WriteOp.builder().setOmap("k", bytes("v")).build());
    WriteOp guarded =
        WriteOp.builder().compareOmap("k", bytes("w")).setOmap("k", bytes("x")).build();
    assertThatThrownBy(() -> store.write("a", guarded)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store.read("missing", ReadOp.builder().size().build()))
        .isInstanceOf(StoreException.class);
    assertThat(counts())
        .containsEntry("rados_op_conflict", 1L)
        .containsEntry("rados_op_refused", 2L)
        .doesNotContainKey("rados_op_failed");
  }
}
