// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Faults, counts and views; {@link SimulatedObjectStoreTest} has what RADOS does. */
class SimulatedClusterTest {

  private static final ReadOp SIZE = ReadOp.builder().size().build();

  private SimulatedCluster cluster;
  private SimulatedClient a;
  private ObjectStore store;
  private ObjectStore other;

  @BeforeEach
  void open() throws IOException {
    cluster = SimulatedCluster.withPools("meta").addErasureCodedPool("ec");
    a = cluster.client("a");
    store = a.open("meta", "ns");
    other = cluster.client("b").open("meta", "ns");
  }

  private static WriteOp set(String key, String value) {
    return WriteOp.builder().setOmap(key, value.getBytes(UTF_8)).build();
  }

  private static WriteOp data(int bytes) {
    return WriteOp.builder().writeFull(ByteBuffer.allocate(bytes)).build();
  }

  private static void expect(
      Kind kind, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StoreException.class, failure -> assertThat(failure.kind()).isEqualTo(kind));
  }

  @Test
  void crashBeforeLeavesNothingAndKillsTheClient() throws IOException {
    a.faults().atOp(2, Fault.CRASH_BEFORE);
    store.write("x", set("k", "1"));
    assertThatThrownBy(() -> store.write("y", set("k", "1")))
        .isInstanceOf(ClientCrashed.class)
        .hasMessageContaining("a #2 (write 2) ns@meta 'y': setOmap(k=1)");
    assertThat(a.crashed()).isTrue();
    assertThatThrownBy(() -> store.readAsync("x", SIZE)).isInstanceOf(ClientCrashed.class);
    assertThatThrownBy(() -> a.open("ec", "").read("x", SIZE)).isInstanceOf(ClientCrashed.class);
    assertThat(cluster.objects("meta", "ns")).containsOnlyKeys("x");
    assertThat(other.read("x", SIZE).bytes(0)).isZero();
  }

  @Test
  void crashAfterHasTakenEffect() {
    a.faults().atWrite(1, Fault.CRASH_AFTER);
    expect(Kind.NOT_FOUND, () -> store.read("x", SIZE));
    assertThatThrownBy(() -> store.writeAsync("x", set("k", "1")))
        .isInstanceOf(ClientCrashed.class);
    assertThat(cluster.objects("meta", "ns")).containsOnlyKeys("x");
  }

  @Test
  void aLostAnswerIsUnknownForWritesAndTimedOutForReads() throws IOException {
    a.faults().atWrite(1, Fault.LOSE_ANSWER).atWrite(2, Fault.LOSE_REQUEST);
    a.faults().atRead(1, Fault.LOSE_ANSWER).atRead(2, Fault.LOSE_REQUEST);
    expect(Kind.OUTCOME_UNKNOWN, () -> store.write("x", set("k", "1")));
    expect(Kind.OUTCOME_UNKNOWN, () -> store.write("y", set("k", "1")));
    expect(Kind.TIMED_OUT, () -> store.read("x", SIZE));
    expect(Kind.TIMED_OUT, () -> store.read("x", SIZE));
    assertThat(store.read("x", SIZE).bytes(0)).isZero();
    assertThat(cluster.objects("meta", "ns")).containsOnlyKeys("x");
    assertThat(a.faults().struck()).hasSize(4);
  }

  @Test
  void aDelayedWriteLandsBeforeItsClientsNextOnTheObject() throws IOException {
    a.faults().atOp(1, Fault.DELAY);
    ByteBuffer buffer = ByteBuffer.wrap("before".getBytes(UTF_8));
    WriteOp write = WriteOp.builder().writeFull(buffer).build();
    assertThat(store.writeAsync("x", write).isCompletedExceptionally()).isTrue();
    buffer.put(0, (byte) '!');
    expect(Kind.NOT_FOUND, () -> other.read("x", SIZE));
    expect(Kind.NOT_FOUND, () -> store.read("y", SIZE));
    assertThat(store.read("x", SIZE).bytes(0)).isEqualTo(6);
    assertThat(new String(cluster.objects("meta", "ns").get("x").data(), UTF_8))
        .isEqualTo("before");
    assertThat(cluster.landDelayedOps()).isZero();
  }

  @Test
  void aLateWriteOfADeadClientLandsWhenItIsTold() {
    a.faults().atOp(1, Fault.CRASH_LATE);
    assertThatThrownBy(() -> store.write("x", set("k", "1"))).isInstanceOf(ClientCrashed.class);
    assertThat(cluster.objects("meta", "ns")).isEmpty();
    assertThat(cluster.landDelayedOps()).isEqualTo(1);
    assertThat(cluster.objects("meta", "ns")).containsOnlyKeys("x");
  }

  @Test
  void anErrorMayComeAfterTheEffect() throws IOException {
    a.faults().atWrite(1, Fault.failAfter(Kind.OTHER)).atWrite(2, Fault.failWith(Kind.OTHER));
    expect(Kind.OTHER, () -> store.write("x", set("k", "1")));
    expect(Kind.OTHER, () -> store.write("y", set("k", "1")));
    assertThat(cluster.objects("meta", "ns")).containsOnlyKeys("x");
    a.faults().atWrite(3, Fault.failAfter(Kind.OTHER));
    expect(Kind.EXISTS, () -> store.write("x", WriteOp.builder().createExclusive().build()));
  }

  @Test
  void aReadOvertakesAWriteThatWaitsUnlessItKeepsItsPlace() throws IOException {
    ReadOp inPlace = ReadOp.builder().size().afterWrites().build();
    a.faults().atWrite(1, Fault.OVERTAKEN).atWrite(2, Fault.OVERTAKEN);
    expect(Kind.OUTCOME_UNKNOWN, () -> store.write("x", data(3)));
    expect(Kind.NOT_FOUND, () -> store.read("x", SIZE));
    expect(Kind.NOT_FOUND, () -> other.read("x", inPlace));
    assertThat(store.read("x", inPlace).bytes(0)).isEqualTo(3);
    expect(Kind.OUTCOME_UNKNOWN, () -> store.write("x", data(4)));
    assertThat(store.read("x", SIZE).bytes(0)).isEqualTo(3);
    // The client's next write comes after the one before it.
    store.write("x", data(5));
    assertThat(cluster.delayedOps()).isZero();
    assertThat(store.read("x", SIZE).bytes(0)).isEqualTo(5);
  }

  @Test
  void aRefusalOvertakesAWriteThatWaits() throws IOException {
    a.faults().atWrite(1, Fault.OVERTAKEN).atWrite(2, Fault.failWith(Kind.PERMISSION_DENIED));
    expect(Kind.OUTCOME_UNKNOWN, () -> store.write("x", data(3)));
    expect(Kind.PERMISSION_DENIED, () -> store.write("x", data(3)));
    assertThat(cluster.delayedOps()).isEqualTo(1);
    expect(Kind.NOT_FOUND, () -> store.read("x", SIZE));
    assertThat(store.read("x", ReadOp.builder().size().afterWrites().build()).bytes(0))
        .isEqualTo(3);
  }

  @Test
  void aWriteMayLandAfterOthersHaveRepeatedAndUndoneIt() throws IOException {
    a.faults().atWrite(1, Fault.DELAY.landingAfter(3));
    expect(Kind.OUTCOME_UNKNOWN, () -> store.write("x", data(3)));
    other.write("x", data(3));
    other.write("x", WriteOp.builder().remove().build());
    assertThat(cluster.delayedOps()).isEqualTo(1);
    assertThat(other.read("x", SIZE).bytes(0)).isEqualTo(3);
    assertThat(cluster.delayedOps()).isZero();
  }

  @Test
  void aBlocklistedClientIsRefusedUntilItConnectsAnew() throws IOException {
    a.faults().atWrite(1, Fault.DELAY).atWrite(2, Fault.BLOCKLIST_AFTER);
    expect(Kind.OUTCOME_UNKNOWN, () -> store.write("late", set("k", "1")));
    expect(Kind.BLOCKLISTED, () -> store.write("x", set("k", "1")));
    assertThat(a.isBlocklisted()).isTrue();
    expect(Kind.BLOCKLISTED, () -> store.read("x", SIZE));
    assertThat(cluster.landDelayedOps()).isZero();
    assertThat(cluster.objects("meta", "ns")).containsOnlyKeys("x");
    a.connectAnew();
    assertThat(a.isBlocklisted()).isFalse();
    a.open("meta", "ns").write("y", set("k", "1"));
    expect(Kind.BLOCKLISTED, () -> store.write("z", set("k", "1")));
    a.faults().atOp(a.ops() + 1, Fault.BLOCKLIST);
    expect(Kind.BLOCKLISTED, () -> a.open("meta", "ns").write("z", set("k", "1")));
    assertThat(cluster.objects("meta", "ns")).containsOnlyKeys("x", "y");
  }

  @Test
  void anInterruptComesBeforeOrAfterTheOperation() throws IOException {
    a.faults()
        .atWrite(1, Fault.INTERRUPT)
        .atWrite(2, Fault.INTERRUPT_AFTER)
        .atWrite(3, Fault.INTERRUPT_LATE)
        .atRead(1, Fault.INTERRUPT);
    for (String object : List.of("w1", "w2", "w3")) {
      assertThatThrownBy(() -> store.write(object, set("k", "1")))
          .isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    }
    assertThat(cluster.objects("meta", "ns")).containsOnlyKeys("w2");
    assertThatThrownBy(() -> store.read("w2", SIZE)).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    assertThat(cluster.landDelayedOps()).isEqualTo(1);
    assertThat(cluster.objects("meta", "ns")).containsOnlyKeys("w2", "w3");
  }

  @Test
  void whoDoesNotWaitFindsTheThreadInterrupted() throws IOException {
    a.faults().atWrite(1, Fault.INTERRUPT);
    assertThat(store.writeAsync("x", set("k", "1"))).isCompleted();
    assertThatThrownBy(() -> store.write("y", set("k", "1")))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessageContaining("not started");
    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    assertThat(a.ops()).isEqualTo(1);
    assertThat(cluster.objects("meta", "ns")).containsOnlyKeys("x");
  }

  @Test
  void faultsCanBeChosenByObject() throws IOException {
    a.faults().always(op -> op.object().equals("bad"), Fault.failWith(Kind.NO_SPACE));
    a.faults().once(op -> op.write() && op.object().startsWith("x"), Fault.LOSE_REQUEST);
    expect(Kind.NO_SPACE, () -> store.write("bad", set("k", "1")));
    expect(Kind.NO_SPACE, () -> store.read("bad", SIZE));
    expect(Kind.OUTCOME_UNKNOWN, () -> store.write("x1", set("k", "1")));
    store.write("x1", set("k", "1"));
    a.faults().clear();
    store.write("bad", set("k", "1"));
  }

  @Test
  void countsHowOftenDataIsWritten() throws IOException {
    store.write("x", data(10));
    store.write("x", data(20));
    store.write("y", data(5));
    store.write("y", WriteOp.builder().remove().build());
    store.write("y", data(7));
    a.open("ec", "").write("z", data(100));
    assertThat(cluster.dataBytesWritten("meta")).isEqualTo(42);
    assertThat(cluster.dataBytesWritten()).isEqualTo(142);
    assertThat(cluster.objects("meta", "ns").get("x").dataWrites()).isEqualTo(2);
    assertThat(cluster.objects("meta", "ns").get("y").dataWrites()).isEqualTo(1);
    assertThat(cluster.dataWrites("meta", "ns", "y")).isEqualTo(2);
    assertThat(cluster.namespaces("meta")).containsExactly("ns");
    assertThat(store.usage().bytes()).isEqualTo(27);
    assertThat(store.usage().objects()).isEqualTo(2);
  }

  @Test
  void viewsAndAnswersAreCopies() throws IOException {
    byte[] value = "v".getBytes(UTF_8);
    store.write("x", WriteOp.builder().setOmap(Map.of("k", value)).setXattr("u", value).build());
    value[0] = '!';
    ReadOp read = ReadOp.builder().omapRange("", "", 1).xattr("u").build();
    store.read("x", read).omap(0).get("k")[0] = '?';
    store.read("x", read).xattr(1).orElseThrow()[0] = '?';
    cluster.objects("meta", "ns").get("x").omap().get("k")[0] = '?';
    cluster.objects("meta", "ns").get("x").xattrs().get("u")[0] = '?';
    assertThat(store.read("x", read).omap(0).get("k")).isEqualTo("v".getBytes(UTF_8));
    assertThat(store.read("x", read).xattr(1)).contains("v".getBytes(UTF_8));
  }

  @Test
  void refusesAGuardOnWhatTheOperationHasChanged() {
    assertThatThrownBy(
            () ->
                store.write(
                    "x",
                    WriteOp.builder()
                        .createIfMissing()
                        .setOmap("k", new byte[1])
                        .absentOmap("k")
                        .build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("put guards first");
  }

  @Test
  void aQuotaIsNoSpace() throws IOException {
    cluster.setQuota("meta", 100);
    store.write("x", data(60));
    expect(Kind.NO_SPACE, () -> store.write("y", data(60)));
    store.write("y", set("k", "1"));
  }

  @Test
  void aFullPoolTakesRemovalsOfWholeObjectsAlone() throws IOException {
    store.write("x", set("k", "1"));
    cluster.setFull("meta", true);
    expect(Kind.NO_SPACE, () -> store.write("x", set("k", "2")));
    expect(Kind.NO_SPACE, () -> store.write("x", WriteOp.builder().removeOmap("k").build()));
    expect(Kind.NO_SPACE, () -> store.write("y", WriteOp.builder().createExclusive().build()));
    assertThat(store.read("x", SIZE).bytes(0)).isZero();
    store.write("x", WriteOp.builder().assertExists().remove().build());
    cluster.setFull("meta", false);
    store.write("y", set("k", "1"));
  }

  @Test
  void aClientMayBeShutOut() throws IOException {
    cluster.client("b").setAccess("meta", SimulatedClient.Access.NONE);
    store.write("x", set("k", "1"));
    expect(Kind.PERMISSION_DENIED, () -> other.read("x", SIZE));
  }

  @Test
  void aClosedStoreSaysSo() throws IOException {
    store.close();
    assertThatThrownBy(() -> store.read("x", SIZE))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("closed");
    assertThat(a.ops()).isZero();
  }

  @Test
  void theLogTellsWhatHappened() throws IOException {
    store.write("x", set("k", "1"));
    expect(Kind.EXISTS, () -> store.write("x", WriteOp.builder().createExclusive().build()));
    other.read(
        "x", ReadOp.builder().omapRange("", "e/", 7).data(3, ByteBuffer.allocate(9)).build());
    assertThat(cluster.log().toString())
        .isEqualTo(
            "a #1 (write 1) ns@meta 'x': setOmap(k=1) -> ok\n"
                + "a #2 (write 2) ns@meta 'x': createExclusive -> EXISTS\n"
                + "b #1 (read 1) ns@meta 'x': omapRange(after '', prefix 'e/', max 7)"
                + " data(9 bytes at 3) -> ok");
    assertThat(cluster.log().of("a")).hasSize(2);
    assertThat(cluster.log().tail(1)).startsWith("(2 earlier operations)\nb #1");
    assertThat(a.ops()).isEqualTo(2);
    assertThat(a.writes()).isEqualTo(2);
    assertThat(a.reads()).isZero();
  }

  @Test
  void anAnswerHoldsNoMoreEntriesThanItIsTold() throws IOException {
    cluster.setMaxOmapEntries("meta", 2);
    for (String key : List.of("a", "b", "c")) {
      store.write("x", set(key, "1"));
    }
    ReadResult first = store.read("x", ReadOp.builder().omapRange("", "", 100).build());
    assertThat(first.omap(0)).containsOnlyKeys("a", "b");
    assertThat(first.more(0)).isTrue();
    ReadResult rest = store.read("x", ReadOp.builder().omapRange("b", "", 100).build());
    assertThat(rest.omap(0)).containsOnlyKeys("c");
    assertThat(rest.more(0)).isFalse();
  }

  @Test
  void ordersStringsAsTheirUtf8Bytes() {
    Random random = new Random(7);
    List<String> strings = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(4); length > 0; length--) {
        int[] starts = {0x20, 0x7e, 0x7f0, 0xd7f8, 0xe000, 0xfff8, 0x10000, 0x10fff0};
        text.appendCodePoint(starts[random.nextInt(starts.length)] + random.nextInt(8));
      }
      strings.add(text.toString());
    }
    List<String> byBytes = new ArrayList<>(strings);
    byBytes.sort((x, y) -> java.util.Arrays.compareUnsigned(x.getBytes(UTF_8), y.getBytes(UTF_8)));
    Collections.shuffle(strings, random);
    strings.sort(Utf8Order.COMPARATOR);
    assertThat(strings).isEqualTo(byBytes);
  }
}
