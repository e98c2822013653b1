// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What {@link ObjectStore}'s javadoc promises, and what RADOS was seen to do where the javadoc
 * leaves a choice. Every implementation extends it; each test has a namespace of its own.
 */
public abstract class ObjectStoreContract {

  private static final long WAIT_SECONDS = 60;
  private static final int MIB = 1 << 20;

  /** How to reach an object: a name and the store that holds it. */
  private record Placed(ObjectStore store, String name) {}

  private final Set<Placed> toRemove = new LinkedHashSet<>();
  private final List<ObjectStore> opened = new ArrayList<>();
  private String namespace;
  private ObjectStore store;

  /** A connection, which the contract does not close. */
  protected abstract Cluster cluster() throws IOException;

  /** A replicated pool that {@link #cluster()} may read and write. */
  protected abstract String pool();

  /** What an administrator does with pools. */
  protected interface PoolAdministration {
    void create(String pool);

    void remove(String pool);

    void rename(String pool, String newName);
  }

  protected abstract PoolAdministration pools();

  /** An erasure-coded pool, where there is one. */
  protected Optional<String> erasureCodedPool() {
    return Optional.empty();
  }

  /** A connection that may read but not write {@link #pool()}, where there is one. */
  protected Optional<Cluster> readOnlyCluster() throws IOException {
    return Optional.empty();
  }

  @BeforeEach
  void openStore() throws IOException {
    namespace = "contract-" + UUID.randomUUID();
    store = open(cluster(), pool(), namespace);
  }

  @AfterEach
  void removeObjects() throws IOException {
    boolean interrupted = Thread.interrupted();
    assertThat(interrupted).as("interrupt left behind").isFalse();
    for (Placed placed : toRemove) {
      try {
        placed.store().write(placed.name(), WriteOp.builder().remove().build());
      } catch (StoreException e) {
        assertThat(e.kind()).isIn(Kind.NOT_FOUND, Kind.NAME_TOO_LONG, Kind.OTHER);
      }
    }
    for (ObjectStore each : opened) {
      each.close();
    }
  }

  private ObjectStore open(Cluster cluster, String pool, String inNamespace) throws IOException {
    ObjectStore result = cluster.open(pool, inNamespace);
    opened.add(result);
    return result;
  }

  /** Has the object removed after the test. */
  private String object(String name) {
    return object(store, name);
  }

  private String object(ObjectStore in, String name) {
    toRemove.add(new Placed(in, name));
    return name;
  }

  // The store itself

  @Test
  void knowsItsPoolAndNamespace() {
    assertThat(store.pool()).isEqualTo(pool());
    assertThat(store.namespace()).isEqualTo(namespace);
  }

  @Test
  void openingAPoolThatIsNotThereIsNotFound() throws IOException {
    expect(Kind.NOT_FOUND, () -> cluster().open("no-such-pool-" + UUID.randomUUID(), ""));
  }

  @Test
  void aPoolThatWasRemovedIsNotOneWithoutObjects() throws Exception {
    ObjectStore of = storeOfAPoolOfItsOwn();
    pools().remove(of.pool());
    awaitGone(of);
    expectGone(of);
  }

  /** RADOS knows a pool by its number, which the new one does not get. */
  @Test
  void norIsOneThatWasMadeAgain() throws Exception {
    ObjectStore of = storeOfAPoolOfItsOwn();
    ObjectStore writer = open(cluster(), of.pool(), namespace);
    pools().remove(of.pool());
    pools().create(of.pool());
    try {
      awaitGone(of);
      StoreException failure =
          expect(
              Kind.POOL_GONE,
              () -> writer.write("other", WriteOp.builder().createExclusive().build()));
      assertThat(failure.mayHaveTakenEffect()).as("it was sent").isTrue();
      expectGone(of);
      ObjectStore anew = open(cluster(), of.pool(), namespace);
      anew.write("other", WriteOp.builder().createExclusive().build());
      assertThat(list(anew)).containsExactly("other");
      expectGone(of);
    } finally {
      pools().remove(of.pool());
    }
  }

  /** It could be written on, as another program's by now. */
  @Test
  void aPoolThatWasRenamedIsNotWrittenOnceThatIsKnown() throws Exception {
    ObjectStore of = storeOfAPoolOfItsOwn();
    String newName = of.pool() + "-renamed";
    pools().rename(of.pool(), newName);
    try {
      ObjectStore renamed = open(cluster(), newName, namespace);
      assertThat(list(renamed)).containsExactly("there");
      expect(Kind.POOL_GONE, () -> of.read("missing", ReadOp.builder().size().build()));
      expectGone(of);
      assertThat(list(renamed)).containsExactly("there");
    } finally {
      pools().remove(newName);
    }
  }

  private ObjectStore storeOfAPoolOfItsOwn() throws IOException {
    String pool = "contract-" + UUID.randomUUID();
    pools().create(pool);
    ObjectStore of = open(cluster(), pool, namespace);
    of.write("there", WriteOp.builder().createExclusive().build());
    return of;
  }

  /** OSDs hear of it a little later than the monitors, and answer until then. */
  private static void awaitGone(ObjectStore store) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    Operation read = () -> store.read("there", ReadOp.builder().size().build());
    while (succeeds(read)) {
      assertThat(System.nanoTime()).as("the pool still answers").isLessThan(deadline);
      Thread.sleep(20);
    }
    expect(Kind.POOL_GONE, read);
  }

  private static boolean succeeds(Operation operation) throws IOException {
    try {
      operation.run();
      return true;
    } catch (StoreException e) {
      assertThat(e.kind()).as(e.getMessage()).isEqualTo(Kind.POOL_GONE);
      return false;
    }
  }

  private static void expectGone(ObjectStore store) {
    StoreException notSent =
        expect(
            Kind.POOL_GONE, () -> store.write("new", WriteOp.builder().createExclusive().build()));
    assertThat(notSent.mayHaveTakenEffect()).isFalse();
    expect(Kind.POOL_GONE, () -> store.read("there", ReadOp.builder().size().build()));
    expect(Kind.POOL_GONE, () -> list(store));
    expect(Kind.POOL_GONE, store::usage);
    expect(Kind.POOL_GONE, store::applications);
  }

  @Test
  void clusterHasAnFsid() throws IOException {
    assertThat(UUID.fromString(cluster().fsid())).isNotNull();
  }

  @Test
  void usageTellsOfRoom() throws IOException {
    ObjectStore.PoolUsage usage = store.usage();
    assertThat(usage.bytesAvailable()).isPositive();
    assertThat(usage.bytes()).isNotNegative();
    assertThat(usage.objects()).isNotNegative();
  }

  @Test
  void listsEveryObjectOfTheNamespace() throws IOException {
    ObjectStore other = open(cluster(), pool(), namespace + "-other");
    other.write(object(other, "not this"), WriteOp.builder().createExclusive().build());
    Set<String> written = new LinkedHashSet<>(List.of("/", "a//~0", "ä ö\u20ac\ud83d\ude00", "x/"));
    for (int i = 0; i < 50; i++) {
      written.add("many/" + i);
    }
    for (String name : written) {
      write(object(name), WriteOp.builder().createExclusive());
    }
    assertThat(list(store)).containsExactlyInAnyOrderElementsOf(written);
    write("many/7", WriteOp.builder().remove());
    assertThat(list(store)).hasSize(written.size() - 1).doesNotContain("many/7");
  }

  private static List<String> list(ObjectStore store) throws IOException {
    List<String> names = new ArrayList<>();
    store.list(names::add);
    return names;
  }

  @Test
  void listsNothingWhereNothingIs() throws IOException {
    store.list(name -> fail("listed " + name));
  }

  @Test
  void aListingEndsWithWhatItsReaderThrows() throws IOException {
    write(object("a"), WriteOp.builder().createExclusive());
    IOException mine = new IOException("enough");
    try {
      store.list(
          name -> {
            throw mine;
          });
      fail("the reader's exception is lost");
    } catch (IOException e) {
      assertThat(e).isSameAs(mine);
    }
    List<String> listed = new ArrayList<>();
    store.list(listed::add);
    assertThat(listed).containsExactly("a");
  }

  @Test
  void namespacesDoNotSeeEachOther() throws IOException {
    ObjectStore other = open(cluster(), pool(), namespace + "-other");
    ObjectStore again = open(cluster(), pool(), namespace);
    write(object("a"), WriteOp.builder().createExclusive().setOmap("k", bytes("1")));
    expect(Kind.NOT_FOUND, () -> other.read("a", ReadOp.builder().size().build()));
    other.write(
        object(other, "a"), WriteOp.builder().createExclusive().setOmap("k", bytes("2")).build());
    assertThat(omapOf("a")).containsExactly(Map.entry("k", "1"));
    ReadOp range = ReadOp.builder().omapRange("", "", 10).build();
    assertThat(again.read("a", range).omap(0).get("k")).isEqualTo(bytes("1"));
    assertThat(other.read("a", range).omap(0).get("k")).isEqualTo(bytes("2"));
  }

  @Test
  void failuresNamePoolAndObject() throws IOException {
    StoreException failure =
        expect(Kind.NOT_FOUND, () -> read("some/missing name", ReadOp.builder().size()));
    assertThat(failure.object()).isEqualTo("some/missing name");
    assertThat(failure).hasMessageContaining("some/missing name").hasMessageContaining(pool());
    StoreException write =
        expect(Kind.NOT_FOUND, () -> write("other missing", WriteOp.builder().assertExists()));
    assertThat(write.object()).isEqualTo("other missing");
    assertThat(write).hasMessageContaining("other missing").hasMessageContaining(pool());
  }

  @Test
  void closeWaitsForOperationsUnderWay() throws Exception {
    ObjectStore closing = cluster().open(pool(), namespace);
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      writes.add(
          closing.writeAsync(
              object("w" + i), WriteOp.builder().writeFull(direct(random(i, MIB))).build()));
    }
    closing.close();
    for (CompletableFuture<Void> write : writes) {
      assertThat(write.isDone()).isTrue();
      write.get(WAIT_SECONDS, TimeUnit.SECONDS);
    }
  }

  // Creating and removing

  @Test
  void exclusiveCreateHappensOnce() throws IOException {
    WriteOp.Builder first =
        WriteOp.builder()
            .createExclusive()
            .setXattr("uid", bytes("1"))
            .setOmap("k", bytes("one"))
            .writeFull(heap("first"));
    write(object("a"), first);
    expect(
        Kind.EXISTS,
        () ->
            write(
                "a",
                WriteOp.builder()
                    .createExclusive()
                    .setXattr("uid", bytes("2"))
                    .setOmap("k", bytes("two"))
                    .writeFull(heap("second, longer"))));
    assertThat(text("a")).isEqualTo("first");
    assertThat(xattr("a", "uid")).contains("1");
    assertThat(omapOf("a")).containsExactly(Map.entry("k", "one"));
  }

  @Test
  void oneOfManyExclusiveCreatesWins() throws Exception {
    object("contended");
    List<Callable<Boolean>> creators = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      byte[] uid = bytes("uid" + i);
      creators.add(
          () -> {
            try {
              write("contended", WriteOp.builder().createExclusive().setXattr("uid", uid));
              return true;
            } catch (StoreException e) {
              assertThat(e.kind()).isEqualTo(Kind.EXISTS);
              return false;
            }
          });
    }
    assertThat(inParallel(creators)).containsOnlyOnce(true);
  }

  @Test
  void createIfMissingCanBeRepeated() throws IOException {
    write(object("a"), WriteOp.builder().createIfMissing());
    assertThat(size("a")).isZero();
    write("a", WriteOp.builder().createIfMissing().writeFull(heap("data")));
    write("a", WriteOp.builder().createIfMissing());
    assertThat(text("a")).isEqualTo("data");
  }

  @Test
  void aHintMakesTheObjectSoThatAnExclusiveCreateComesBeforeIt() throws IOException {
    object("a");
    expect(
        Kind.EXISTS,
        () ->
            write(
                "a",
                WriteOp.builder().hintWrittenOnce(4).createExclusive().writeFull(heap("data"))));
    expect(Kind.NOT_FOUND, () -> size("a"));
    write("a", WriteOp.builder().createExclusive().hintWrittenOnce(4).writeFull(heap("data")));
    assertThat(text("a")).isEqualTo("data");
  }

  @Test
  void writeStepsCreateAMissingObject() throws IOException {
    write(object("by-omap"), WriteOp.builder().setOmap("k", bytes("v")));
    write(object("by-xattr"), WriteOp.builder().setXattr("x", bytes("v")));
    write(object("by-data"), WriteOp.builder().writeFull(heap("v")));
    assertThat(omapOf("by-omap")).containsExactly(Map.entry("k", "v"));
    assertThat(size("by-omap")).isZero();
    assertThat(xattr("by-xattr", "x")).contains("v");
    assertThat(text("by-data")).isEqualTo("v");
    expect(Kind.EXISTS, () -> write("by-omap", WriteOp.builder().createExclusive()));
  }

  @Test
  void removedObjectIsGoneWithAllItHeld() throws IOException {
    write(
        object("a"),
        WriteOp.builder()
            .createExclusive()
            .writeFull(heap("data"))
            .setXattr("x", bytes("v"))
            .setOmap("k", bytes("v")));
    write("a", WriteOp.builder().remove());
    expect(Kind.NOT_FOUND, () -> read("a", ReadOp.builder().size()));
    write("a", WriteOp.builder().createExclusive());
    assertThat(size("a")).isZero();
    assertThat(xattr("a", "x")).isEmpty();
    assertThat(omapOf("a")).isEmpty();
  }

  @Test
  void removingAMissingObjectIsNotFound() {
    expect(Kind.NOT_FOUND, () -> write("missing", WriteOp.builder().remove()));
  }

  @Test
  void removalCanBeGuardedByXattr() throws IOException {
    write(object("a"), WriteOp.builder().createExclusive().setXattr("uid", bytes("1")));
    expect(
        Kind.GUARD_FAILED,
        () -> write("a", WriteOp.builder().compareXattr("uid", bytes("2")).remove()));
    assertThat(xattr("a", "uid")).contains("1");
    write("a", WriteOp.builder().compareXattr("uid", bytes("1")).remove());
    expect(
        Kind.NOT_FOUND,
        () -> write("a", WriteOp.builder().compareXattr("uid", bytes("1")).remove()));
  }

  // Guards

  @Test
  void theAbsenceOfAnXattrCanBeGuarded() throws IOException {
    WriteOp.Builder claim = WriteOp.builder().assertExists().absentXattr("uid");
    expect(Kind.NOT_FOUND, () -> write("missing", claim.setXattr("uid", bytes("1"))));
    write(object("a"), WriteOp.builder().createExclusive().setXattr("other", bytes("0")));
    write("a", claim);
    assertThat(xattr("a", "uid")).contains("1");
    expect(Kind.GUARD_FAILED, () -> write("a", claim));
  }

  @Test
  void assertExistsOnAMissingObjectIsNotFound() {
    expect(
        Kind.NOT_FOUND,
        () -> write("missing", WriteOp.builder().assertExists().setOmap("k", bytes("v"))));
    expect(Kind.NOT_FOUND, () -> read("missing", ReadOp.builder().size()));
  }

  /** The same as Java's, with whatever else is read, and none of the data is in the answer. */
  @Test
  void theOsdTakesTheChecksumOfAllData() throws Exception {
    List<ObjectStore> stores = new ArrayList<>(List.of(store));
    if (erasureCodedPool().isPresent()) {
      stores.add(open(cluster(), erasureCodedPool().orElseThrow(), namespace));
    }
    for (ObjectStore each : stores) {
      for (int length : new int[] {0, 1, 9, 8192, 100_000, 4 * MIB}) {
        String name = object(each, "sum" + length);
        byte[] data = length == 9 ? bytes("123456789") : random(length, length);
        each.write(
            name,
            WriteOp.builder()
                .createExclusive()
                .writeFull(direct(data))
                .setXattr("x", bytes("v"))
                .build());
        CRC32C expected = new CRC32C();
        expected.update(data);
        ReadResult result = each.read(name, ReadOp.builder().size().crc32c().xattr("x").build());
        assertThat(result.bytes(0)).isEqualTo(length);
        assertThat(result.crc32c(1))
            .as("of %d bytes in %s", length, each.pool())
            .isEqualTo((int) expected.getValue());
        assertThat(result.xattr(2)).contains(bytes("v"));
        if (length == 9) {
          assertThat(result.crc32c(1)).as("the known one").isEqualTo(0xe3069283);
        }
      }
      expect(Kind.NOT_FOUND, () -> each.read("missing", ReadOp.builder().crc32c().build()));
    }
  }

  /** Whichever copy answers: a read of data means the same, on an erasure-coded pool too. */
  @Test
  void dataIsReadFromAnyCopy() throws Exception {
    List<ObjectStore> stores = new ArrayList<>(List.of(store));
    if (erasureCodedPool().isPresent()) {
      stores.add(open(cluster(), erasureCodedPool().orElseThrow(), namespace));
    }
    for (ObjectStore each : stores) {
      byte[] data = random(3, 100_000);
      each.write(
          object(each, "a"),
          WriteOp.builder()
              .createExclusive()
              .setXattr("uid", bytes("1"))
              .writeFull(direct(data))
              .build());
      for (ReadFrom copies : ReadFrom.values()) {
        for (int i = 0; i < 8; i++) {
          ByteBuffer into = ByteBuffer.allocate(60_000);
          ReadOp.Builder op = ReadOp.builder().from(copies).compareXattr("uid", bytes("1"));
          ReadResult result = each.read("a", op.data(50_000, into).build());
          assertThat(result.bytes(1)).isEqualTo(50_000);
          assertThat(Arrays.copyOf(into.array(), 50_000))
              .isEqualTo(Arrays.copyOfRange(data, 50_000, 100_000));
        }
        ByteBuffer into = ByteBuffer.allocate(1);
        expect(
            Kind.GUARD_FAILED,
            () ->
                each.read(
                    "a",
                    ReadOp.builder()
                        .from(copies)
                        .compareXattr("uid", bytes("2"))
                        .data(0, into)
                        .build()));
        expect(
            Kind.NOT_FOUND,
            () -> each.read("missing", ReadOp.builder().from(copies).data(0, into).build()));
      }
    }
  }

  @Test
  void assertExistsHoldsForAnEmptyObject() throws IOException {
    write(object("a"), WriteOp.builder().createExclusive());
    write("a", WriteOp.builder().assertExists().setOmap("k", bytes("v")));
    assertThat(omapOf("a")).containsOnlyKeys("k");
  }

  @Test
  void afterACreateStepAMissingObjectHasNoKeys() throws IOException {
    write(
        object("a"), WriteOp.builder().createIfMissing().absentOmap("k").setOmap("k", bytes("v")));
    assertThat(omapOf("a")).containsExactly(Map.entry("k", "v"));
    expect(
        Kind.GUARD_FAILED,
        () ->
            write(
                object("b"),
                WriteOp.builder()
                    .createIfMissing()
                    .compareOmap("k", bytes("v"))
                    .setOmap("k", bytes("w"))));
    expect(Kind.NOT_FOUND, () -> read("b", ReadOp.builder().size()));
    write(
        object("c"), WriteOp.builder().createExclusive().absentOmap("k").setOmap("k", bytes("v")));
    assertThat(omapOf("c")).containsExactly(Map.entry("k", "v"));
  }

  /** Measured: RADOS compares nothing on an object that is not there. */
  @Test
  void withoutACreateStepOmapGuardsOnAMissingObjectAreNotFound() {
    expect(
        Kind.NOT_FOUND,
        () -> write(object("a"), WriteOp.builder().absentOmap("k").setOmap("k", bytes("v"))));
    expect(
        Kind.NOT_FOUND,
        () -> write("a", WriteOp.builder().compareOmap("k", bytes("v")).setOmap("l", bytes("v"))));
    expect(Kind.NOT_FOUND, () -> read("a", ReadOp.builder().size()));
  }

  @Test
  void absentOmapHoldsOnlyWithoutTheKey() throws IOException {
    write(object("a"), WriteOp.builder().setOmap("taken", bytes("v")));
    write("a", WriteOp.builder().absentOmap("free").setOmap("free", bytes("w")));
    expect(
        Kind.GUARD_FAILED,
        () -> write("a", WriteOp.builder().absentOmap("taken").setOmap("taken", bytes("x"))));
    assertThat(omapOf("a")).containsExactly(Map.entry("free", "w"), Map.entry("taken", "v"));
  }

  @Test
  void compareOmapWantsTheWholeValue() throws IOException {
    write(object("a"), WriteOp.builder().setOmap("k", bytes("value")));
    for (String wrong : new String[] {"valu", "values", "Value", "x"}) {
      expect(
          Kind.GUARD_FAILED,
          () ->
              write(
                  "a",
                  WriteOp.builder().compareOmap("k", bytes(wrong)).setOmap("k", bytes("new"))));
    }
    expect(
        Kind.GUARD_FAILED,
        () -> write("a", WriteOp.builder().compareOmap("other", bytes("value")).removeOmap("k")));
    write("a", WriteOp.builder().compareOmap("k", bytes("value")).setOmap("k", bytes("new")));
    assertThat(omapOf("a")).containsExactly(Map.entry("k", "new"));
  }

  @Test
  void compareOmapComparesZeroBytesToo() throws IOException {
    byte[] value = {0, 1, 0, 2, 0};
    write(object("a"), WriteOp.builder().setOmap("k", value));
    expect(
        Kind.GUARD_FAILED,
        () -> write("a", WriteOp.builder().compareOmap("k", new byte[] {0, 1, 0, 3, 0}).remove()));
    write("a", WriteOp.builder().compareOmap("k", value).removeOmap("k"));
    assertThat(omapOf("a")).isEmpty();
  }

  @Test
  void theLastOfSeveralGuardsDecides() throws IOException {
    write(
        object("a"),
        WriteOp.builder()
            .writeFull(heap("data"))
            .setXattr("x", bytes("1"))
            .setOmap(Map.of("j", bytes("1"), "k", bytes("2"))));
    expect(
        Kind.GUARD_FAILED,
        () ->
            write(
                "a",
                WriteOp.builder()
                    .assertExists()
                    .compareXattr("x", bytes("1"))
                    .compareOmap("j", bytes("1"))
                    .absentOmap("l")
                    .compareOmap("k", bytes("wrong"))
                    .writeFull(heap("changed"))
                    .setXattr("x", bytes("changed"))
                    .setOmap("l", bytes("changed"))
                    .removeOmap("j")));
    assertThat(text("a")).isEqualTo("data");
    assertThat(xattr("a", "x")).contains("1");
    assertThat(omapOf("a")).containsExactly(Map.entry("j", "1"), Map.entry("k", "2"));
    write(
        "a",
        WriteOp.builder()
            .assertExists()
            .compareXattr("x", bytes("1"))
            .compareOmap("j", bytes("1"))
            .absentOmap("l")
            .compareOmap("k", bytes("2"))
            .setOmap("l", bytes("3"))
            .removeOmap("j"));
    assertThat(omapOf("a")).containsExactly(Map.entry("k", "2"), Map.entry("l", "3"));
  }

  @Test
  void aFailureAfterChangesUndoesThem() throws IOException {
    write(object("a"), WriteOp.builder().setOmap("k", bytes("v")));
    expect(
        Kind.GUARD_FAILED,
        () ->
            write(
                "a",
                WriteOp.builder()
                    .setOmap("new", bytes("v"))
                    .setXattr("x", bytes("v"))
                    .writeFull(heap("data"))
                    .absentOmap("k")));
    assertThat(omapOf("a")).containsOnlyKeys("k");
    assertThat(xattr("a", "x")).isEmpty();
    assertThat(size("a")).isZero();
    expect(
        Kind.GUARD_FAILED,
        () -> write(object("b"), WriteOp.builder().createExclusive().compareOmap("k", bytes("v"))));
    expect(Kind.NOT_FOUND, () -> read("b", ReadOp.builder().size()));
  }

  @Test
  void guardsAloneChangeNothing() throws IOException {
    write(object("a"), WriteOp.builder().setXattr("x", bytes("1")).setOmap("k", bytes("2")));
    write("a", WriteOp.builder().assertExists());
    write("a", WriteOp.builder().compareXattr("x", bytes("1")));
    write("a", WriteOp.builder().compareOmap("k", bytes("2")).absentOmap("l"));
    expect(Kind.GUARD_FAILED, () -> write("a", WriteOp.builder().absentOmap("k")));
    expect(Kind.GUARD_FAILED, () -> write("a", WriteOp.builder().compareXattr("x", bytes("2"))));
    assertThat(omapOf("a")).containsExactly(Map.entry("k", "2"));
  }

  @Test
  void compareXattrOnWrites() throws IOException {
    write(object("a"), WriteOp.builder().setXattr("x", bytes("1")));
    write("a", WriteOp.builder().compareXattr("x", bytes("1")).setXattr("x", bytes("2")));
    expect(
        Kind.GUARD_FAILED,
        () ->
            write("a", WriteOp.builder().compareXattr("x", bytes("1")).setXattr("x", bytes("3"))));
    expect(
        Kind.GUARD_FAILED,
        () -> write("a", WriteOp.builder().compareXattr("other", bytes("1")).remove()));
    assertThat(xattr("a", "x")).contains("2");
  }

  @Test
  void compareXattrOnAMissingObjectFails() {
    StoreException failure =
        catchStoreException(
            () ->
                write(
                    object("a"),
                    WriteOp.builder().compareXattr("x", bytes("1")).setOmap("k", bytes("v"))));
    assertThat(failure.kind()).isIn(Kind.NOT_FOUND, Kind.GUARD_FAILED);
    expect(Kind.NOT_FOUND, () -> read("a", ReadOp.builder().size()));
  }

  @Test
  void compareXattrOnReads() throws IOException {
    write(
        object("a"),
        WriteOp.builder()
            .writeFull(heap("hello"))
            .setXattr("x", bytes("1"))
            .setOmap("k", bytes("v")));
    ByteBuffer into = ByteBuffer.allocateDirect(3);
    ReadResult result =
        read(
            "a",
            ReadOp.builder()
                .compareXattr("x", bytes("1"))
                .size()
                .data(1, into)
                .xattr("x")
                .omapByKeys(List.of("k"))
                .omapRange("", "", 10));
    assertThat(result.steps().get(0)).isInstanceOf(ReadResult.Passed.class);
    assertThat(result.bytes(1)).isEqualTo(5);
    assertThat(result.bytes(2)).isEqualTo(3);
    assertThat(content(into)).isEqualTo("ell");
    assertThat(result.xattr(3)).contains(bytes("1"));
    assertThat(result.omap(4)).containsOnlyKeys("k");
    assertThat(result.omap(5)).containsOnlyKeys("k");
    expect(
        Kind.GUARD_FAILED,
        () -> read("a", ReadOp.builder().compareXattr("x", bytes("2")).data(0, into)));
    expect(
        Kind.GUARD_FAILED,
        () -> read("a", ReadOp.builder().compareXattr("other", bytes("1")).size()));
    expect(
        Kind.NOT_FOUND,
        () -> read("missing", ReadOp.builder().compareXattr("x", bytes("1")).size()));
  }

  @Test
  void countersUnderContentionLoseNothing() throws Exception {
    write(object("n"), WriteOp.builder().createExclusive().setOmap("n", bytes("0")));
    List<Callable<Boolean>> adders = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      adders.add(
          () -> {
            for (int added = 0; added < 10; ) {
              byte[] seen = read("n", ReadOp.builder().omapByKeys(List.of("n"))).omap(0).get("n");
              int next = Integer.parseInt(new String(seen, UTF_8)) + 1;
              try {
                write("n", WriteOp.builder().compareOmap("n", seen).setOmap("n", bytes("" + next)));
                added++;
              } catch (StoreException e) {
                assertThat(e.kind()).isEqualTo(Kind.GUARD_FAILED);
              }
            }
            return true;
          });
    }
    inParallel(adders);
    assertThat(omapOf("n")).containsExactly(Map.entry("n", "40"));
  }

  // Omap

  @Test
  void omapValuesAreSetReplacedAndRemoved() throws IOException {
    write(object("a"), WriteOp.builder().setOmap(Map.of("a", bytes("1"), "b", bytes("2"))));
    write("a", WriteOp.builder().setOmap("b", bytes("3")).setOmap("c", bytes("4")));
    assertThat(omapOf("a"))
        .containsExactly(Map.entry("a", "1"), Map.entry("b", "3"), Map.entry("c", "4"));
    write("a", WriteOp.builder().removeOmap(List.of("a", "c", "not there")));
    assertThat(omapOf("a")).containsExactly(Map.entry("b", "3"));
  }

  @Test
  void stepsOnOneKeyTakeEffectInOrder() throws IOException {
    write(object("a"), WriteOp.builder().setOmap(Map.of("k", bytes("1"), "l", bytes("1"))));
    write(
        "a",
        WriteOp.builder()
            .removeOmap("k")
            .setOmap("k", bytes("2"))
            .setOmap("l", bytes("2"))
            .removeOmap("l"));
    assertThat(omapOf("a")).containsExactly(Map.entry("k", "2"));
  }

  @Test
  void removingKeysOfAMissingObjectIsNotFound() throws IOException {
    expect(Kind.NOT_FOUND, () -> write(object("a"), WriteOp.builder().removeOmap("k")));
    write("a", WriteOp.builder().createIfMissing().removeOmap("k"));
    assertThat(omapOf("a")).isEmpty();
  }

  @Test
  void omapByKeysAnswersThoseThatAreThere() throws IOException {
    write(object("a"), WriteOp.builder().setOmap(Map.of("a", bytes("1"), "b", bytes("2"))));
    SortedMap<String, byte[]> found =
        read("a", ReadOp.builder().omapByKeys(List.of("b", "c"))).omap(0);
    assertThat(found).containsOnlyKeys("b");
    assertThat(found.get("b")).isEqualTo(bytes("2"));
    assertThat(read("a", ReadOp.builder().omapByKeys(List.of())).omap(0)).isEmpty();
    expect(Kind.NOT_FOUND, () -> read("missing", ReadOp.builder().omapByKeys(List.of("a"))));
  }

  @Test
  void omapOfAnObjectWithoutOneIsEmpty() throws IOException {
    write(object("a"), WriteOp.builder().writeFull(heap("data")));
    ReadResult result = read("a", ReadOp.builder().omapRange("", "", 10).omapByKeys(List.of("k")));
    assertThat(result.omap(0)).isEmpty();
    assertThat(result.more(0)).isFalse();
    assertThat(result.omap(1)).isEmpty();
    expect(Kind.NOT_FOUND, () -> read("missing", ReadOp.builder().omapRange("", "", 10)));
  }

  @Test
  void rangesHavePrefixStartAndMaximum() throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    for (String key : List.of("a", "e/1", "e/2", "e/3", "e/4", "f", "t/1")) {
      entries.put(key, bytes(key));
    }
    write(object("o"), WriteOp.builder().setOmap(entries));
    assertRange("", "", 10, List.of("a", "e/1", "e/2", "e/3", "e/4", "f", "t/1"), false);
    assertRange("", "e/", 10, List.of("e/1", "e/2", "e/3", "e/4"), false);
    assertRange("", "e/", 4, List.of("e/1", "e/2", "e/3", "e/4"), false);
    assertRange("", "e/", 3, List.of("e/1", "e/2", "e/3"), true);
    assertRange("e/3", "e/", 3, List.of("e/4"), false);
    assertRange("e/2x", "e/", 1, List.of("e/3"), true);
    assertRange("e/4", "e/", 3, List.of(), false);
    assertRange("zzz", "e/", 3, List.of(), false);
    assertRange("a", "t/", 3, List.of("t/1"), false);
    assertRange("", "x/", 3, List.of(), false);
    assertRange("e/4", "", 1, List.of("f"), true);
    assertRange("f", "", 5, List.of("t/1"), false);
    assertRange("t/1", "", 5, List.of(), false);
  }

  private void assertRange(
      String startAfter, String prefix, int max, List<String> keys, boolean more)
      throws IOException {
    ReadResult result = read("o", ReadOp.builder().omapRange(startAfter, prefix, max));
    String what = "after '" + startAfter + "', prefix '" + prefix + "', max " + max;
    assertThat(new ArrayList<>(result.omap(0).keySet())).as(what).isEqualTo(keys);
    assertThat(result.more(0)).as(what + ", more").isEqualTo(more);
    result.omap(0).forEach((key, value) -> assertThat(value).isEqualTo(bytes(key)));
  }

  @Test
  void severalOmapStepsOfOneReadAnswerEach() throws IOException {
    write(
        object("o"),
        WriteOp.builder()
            .setOmap(
                Map.of("e/a", bytes("1"), "e/b", bytes("2"), "h", bytes("3"), "t/1", bytes("4"))));
    ReadResult result =
        read(
            "o",
            ReadOp.builder()
                .omapByKeys(List.of("e/b", "h"))
                .omapRange("", "t/", 100)
                .size()
                .omapRange("", "e/", 1));
    assertThat(result.omap(0)).containsOnlyKeys("e/b", "h");
    assertThat(result.omap(1)).containsOnlyKeys("t/1");
    assertThat(result.bytes(2)).isZero();
    assertThat(result.omap(3)).containsOnlyKeys("e/a");
    assertThat(result.more(3)).isTrue();
  }

  @Test
  void tenThousandEntriesAreOneWriteAndManyPages() throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    for (int i = 0; i < 10_000; i++) {
      entries.put(String.format("e/%05d", i), random(i, 160));
    }
    write(
        object("big"),
        WriteOp.builder().setOmap(entries).setOmap(Map.of("d", bytes("0"), "f", bytes("1"))));
    List<String> keys = new ArrayList<>();
    String after = "";
    boolean more = true;
    while (more) {
      ReadResult page = read("big", ReadOp.builder().omapRange(after, "e/", 5000));
      assertThat(page.omap(0).size()).isBetween(1, ReadOp.MAX_RANGE);
      page.omap(0).forEach((key, value) -> assertThat(value).isEqualTo(entries.get(key)));
      keys.addAll(page.omap(0).keySet());
      after = page.omap(0).lastKey();
      more = page.more(0);
    }
    assertThat(keys).isEqualTo(new ArrayList<>(entries.keySet()));
    write("big", WriteOp.builder().removeOmap(entries.keySet()));
    assertThat(omapOf("big")).containsOnlyKeys("d", "f");
  }

  @Test
  void keysAreOrderedByTheirUtf8Bytes() throws IOException {
    // U+FFFD precedes U+1F600 in UTF-8, and follows it in UTF-16.
    List<String> ordered =
        List.of(
            "\n",
            " ",
            "A",
            "Z",
            "a",
            "a\nb",
            "a b",
            "ab",
            "z",
            "\u00e9",
            "\u4e2d",
            "\ue000",
            "\ufffd",
            "\ufffdx",
            "\ud800\udc00",
            "\ud83d\ude00",
            "\ud83d\ude00a");
    Map<String, byte[]> entries = new LinkedHashMap<>();
    List<String> shuffled = new ArrayList<>(ordered);
    Collections.shuffle(shuffled, new Random(1));
    shuffled.forEach(key -> entries.put(key, bytes("of " + key)));
    write(object("o"), WriteOp.builder().setOmap(entries));
    SortedMap<String, byte[]> all = read("o", ReadOp.builder().omapRange("", "", 100)).omap(0);
    assertThat(new ArrayList<>(all.keySet())).isEqualTo(ordered);
    all.forEach((key, value) -> assertThat(value).isEqualTo(bytes("of " + key)));
    assertThat(all.lastKey()).isEqualTo("\ud83d\ude00a");
    SortedMap<String, byte[]> chosen =
        read("o", ReadOp.builder().omapByKeys(List.of("\ud83d\ude00", "\ufffd"))).omap(0);
    assertThat(new ArrayList<>(chosen.keySet())).containsExactly("\ufffd", "\ud83d\ude00");
    List<String> paged = new ArrayList<>();
    String after = "";
    for (boolean more = true; more; ) {
      ReadResult page = read("o", ReadOp.builder().omapRange(after, "", 2));
      paged.addAll(page.omap(0).keySet());
      after = page.omap(0).lastKey();
      more = page.more(0);
    }
    assertThat(paged).isEqualTo(ordered);
    ReadResult emoji = read("o", ReadOp.builder().omapRange("\ufffd", "\ud83d\ude00", 10));
    assertThat(new ArrayList<>(emoji.omap(0).keySet()))
        .containsExactly("\ud83d\ude00", "\ud83d\ude00a");
    write(
        "o",
        WriteOp.builder()
            .compareOmap("\ud83d\ude00", bytes("of \ud83d\ude00"))
            .absentOmap("\ud83d\ude01")
            .removeOmap("\ud83d\ude00"));
    assertThat(omapOf("o")).doesNotContainKey("\ud83d\ude00").hasSize(ordered.size() - 1);
  }

  @Test
  void omapValuesMayHoldAnyBytes() throws IOException {
    byte[] all = new byte[256];
    for (int i = 0; i < 256; i++) {
      all[i] = (byte) i;
    }
    Map<String, byte[]> entries =
        Map.of("all", all, "zero", new byte[1], "large", random(3, 100_000));
    write(object("a"), WriteOp.builder().setOmap(entries));
    SortedMap<String, byte[]> found = read("a", ReadOp.builder().omapRange("", "", 10)).omap(0);
    assertThat(found).containsOnlyKeys("all", "zero", "large");
    found.forEach((key, value) -> assertThat(value).isEqualTo(entries.get(key)));
  }

  // Xattrs

  @Test
  void xattrsAreSetAndRead() throws IOException {
    byte[] odd = {0, (byte) 0xff, 10, 0};
    write(
        object("a"),
        WriteOp.builder()
            .setXattr("one", bytes("1"))
            .setXattr("odd", odd)
            .setXattr("empty", new byte[0]));
    ReadResult result =
        read("a", ReadOp.builder().xattr("odd").xattr("missing").xattr("one").xattr("empty"));
    assertThat(result.xattr(0)).contains(odd);
    assertThat(result.xattr(1)).isEmpty();
    assertThat(result.xattr(2)).contains(bytes("1"));
    assertThat(result.xattr(3)).contains(new byte[0]);
    write("a", WriteOp.builder().setXattr("one", bytes("another")));
    assertThat(xattr("a", "one")).contains("another");
    expect(Kind.NOT_FOUND, () -> read("missing", ReadOp.builder().xattr("one")));
  }

  @Test
  void xattrOfAnObjectWithoutAnyIsAbsent() throws IOException {
    write(object("a"), WriteOp.builder().createExclusive());
    assertThat(xattr("a", "x")).isEmpty();
  }

  // Data

  @Test
  void writeFullReplacesDataAndKeepsTheRest() throws IOException {
    write(
        object("a"),
        WriteOp.builder()
            .writeFull(heap("a longer text"))
            .setXattr("x", bytes("1"))
            .setOmap("k", bytes("2")));
    write("a", WriteOp.builder().writeFull(heap("short")));
    assertThat(text("a")).isEqualTo("short");
    assertThat(xattr("a", "x")).contains("1");
    assertThat(omapOf("a")).containsOnlyKeys("k");
    write("a", WriteOp.builder().writeFull(ByteBuffer.allocate(0)));
    assertThat(size("a")).isZero();
  }

  @Test
  void anObjectMayBeEmpty() throws IOException {
    write(object("a"), WriteOp.builder().createExclusive().writeFull(ByteBuffer.allocateDirect(0)));
    ByteBuffer into = ByteBuffer.allocate(10);
    ReadResult result = read("a", ReadOp.builder().size().data(0, into).data(5, into));
    assertThat(result.bytes(0)).isZero();
    assertThat(result.bytes(1)).isZero();
    assertThat(result.bytes(2)).isZero();
  }

  @Test
  void fourMebibytesAreReadBackFromAnyOffset() throws IOException {
    byte[] data = random(4, 4 * MIB);
    write(object("a"), WriteOp.builder().createExclusive().writeFull(direct(data)));
    assertThat(size("a")).isEqualTo(data.length);
    for (int offset : new int[] {0, 1, 4095, MIB, 3 * MIB + 7}) {
      for (boolean useDirect : new boolean[] {true, false}) {
        ByteBuffer into = useDirect ? ByteBuffer.allocateDirect(MIB) : ByteBuffer.allocate(MIB);
        int expected = Math.min(MIB, data.length - offset);
        assertThat(read("a", ReadOp.builder().data(offset, into)).bytes(0)).isEqualTo(expected);
        byte[] got = new byte[expected];
        into.duplicate().get(got);
        assertThat(Arrays.equals(got, 0, expected, data, offset, offset + expected))
            .as("bytes at " + offset)
            .isTrue();
      }
    }
  }

  @Test
  void readsEndWhereTheObjectEnds() throws IOException {
    write(object("a"), WriteOp.builder().writeFull(heap("0123456789")));
    ByteBuffer into = ByteBuffer.allocate(4);
    assertThat(read("a", ReadOp.builder().data(8, into)).bytes(0)).isEqualTo(2);
    assertThat(new String(into.array(), 0, 2, UTF_8)).isEqualTo("89");
    assertThat(read("a", ReadOp.builder().data(10, into)).bytes(0)).isZero();
    assertThat(read("a", ReadOp.builder().data(1_000_000, into)).bytes(0)).isZero();
    expect(Kind.NOT_FOUND, () -> read("missing", ReadOp.builder().data(0, into)));
  }

  /** To an OSD, a length of 0 means the whole object; to a caller it means nothing. */
  @Test
  void aBufferWithoutRoomReadsNothing() throws IOException {
    write(object("a"), WriteOp.builder().writeFull(heap("0123456789")));
    ByteBuffer full = ByteBuffer.allocateDirect(4).position(4);
    ReadResult result =
        read("a", ReadOp.builder().data(0, full).size().data(2, ByteBuffer.allocate(0)));
    assertThat(result.bytes(0)).isZero();
    assertThat(result.bytes(1)).isEqualTo(10);
    assertThat(result.bytes(2)).isZero();
  }

  @Test
  void severalDataStepsOfOneReadFillEach() throws IOException {
    write(object("a"), WriteOp.builder().writeFull(heap("0123456789")));
    ByteBuffer first = ByteBuffer.allocateDirect(3);
    ByteBuffer second = ByteBuffer.allocate(3);
    ReadResult result = read("a", ReadOp.builder().data(0, first).data(8, second).size());
    assertThat(result.bytes(0)).isEqualTo(3);
    assertThat(result.bytes(1)).isEqualTo(2);
    assertThat(result.bytes(2)).isEqualTo(10);
    assertThat(content(first)).isEqualTo("012");
    assertThat(content(second)).startsWith("89");
  }

  @Test
  void buffersAreUsedFromPositionToLimitAndLeftAsTheyWere() throws IOException {
    byte[] source = bytes("..written..");
    ByteBuffer slice = ByteBuffer.wrap(bytes("....written")).position(2).slice();
    for (ByteBuffer data :
        List.of(
            ByteBuffer.wrap(source.clone()).position(2).limit(9),
            ByteBuffer.wrap(source.clone()).position(2).limit(9).asReadOnlyBuffer(),
            direct(source).position(2).limit(9),
            direct(source).position(2).limit(9).asReadOnlyBuffer(),
            direct(source).position(2).limit(9).slice(),
            slice.position(2).limit(9))) {
      int position = data.position();
      int limit = data.limit();
      write(object("a"), WriteOp.builder().writeFull(data));
      assertThat(text("a")).as(data.toString()).isEqualTo("written");
      assertThat(data.position()).isEqualTo(position);
      assertThat(data.limit()).isEqualTo(limit);
    }
    ByteBuffer heapRoom = heap("..........");
    ByteBuffer heapSlice = ByteBuffer.wrap(bytes("xx..........")).position(2).slice();
    for (ByteBuffer into : List.of(direct(bytes("..........")), heapRoom, heapSlice)) {
      into.position(3).limit(7);
      assertThat(read("a", ReadOp.builder().data(1, into)).bytes(0)).isEqualTo(4);
      assertThat(into.position()).isEqualTo(3);
      assertThat(into.limit()).isEqualTo(7);
      into.clear();
      assertThat(content(into)).as(into.toString()).isEqualTo("...ritt...");
    }
  }

  // Limits

  @Test
  void aNameOf2048BytesIsTheLongest() throws IOException {
    String longest = "n".repeat(2048);
    write(object(longest), WriteOp.builder().createExclusive().writeFull(heap("data")));
    assertThat(text(longest)).isEqualTo("data");
    String tooLong = longest + "n";
    expect(Kind.NAME_TOO_LONG, () -> write(tooLong, WriteOp.builder().createExclusive()));
    expect(Kind.NAME_TOO_LONG, () -> read(tooLong, ReadOp.builder().size()));
    String bytesTooLong = "\u4e2d".repeat(683); // 2,049 bytes
    expect(Kind.NAME_TOO_LONG, () -> write(bytesTooLong, WriteOp.builder().createExclusive()));
  }

  @Test
  void namesMayHoldAnyCharacters() throws IOException {
    for (String name :
        List.of(
            "a/b", "a/b//~0f", "a b", "line\nbreak", "\u00e9\u4e2d\ud83d\ude00", "/", "a/", "%")) {
      write(object(name), WriteOp.builder().createExclusive().writeFull(heap(name)));
    }
    for (Placed placed : toRemove) {
      assertThat(text(placed.name())).isEqualTo(placed.name());
    }
  }

  @Test
  void xattrNamesAreBounded() throws IOException {
    write(object("a"), WriteOp.builder().setXattr("x".repeat(100), bytes("1")));
    assertThat(xattr("a", "x".repeat(100))).contains("1");
    expect(
        Kind.NAME_TOO_LONG,
        () -> write("a", WriteOp.builder().setXattr("x".repeat(101), bytes("1"))));
  }

  @Test
  void oneOperationIsBounded() {
    ByteBuffer tooMuch = ByteBuffer.allocateDirect(90 * MIB + 1);
    expect(
        Kind.TOO_LARGE,
        () -> write(object("a"), WriteOp.builder().createExclusive().writeFull(tooMuch)));
    expect(Kind.NOT_FOUND, () -> read("a", ReadOp.builder().size()));
  }

  // Asynchronous operations

  @Test
  void manyWritesUnderWayAllArrive() throws Exception {
    int count = 64;
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] data = random(i, 64 * 1024 + i);
      writes.add(
          store.writeAsync(
              object("w" + i),
              WriteOp.builder()
                  .createExclusive()
                  .setXattr("uid", bytes("" + i))
                  .writeFull(i % 2 == 0 ? direct(data) : ByteBuffer.wrap(data))
                  .build()));
    }
    for (CompletableFuture<Void> write : writes) {
      write.get(WAIT_SECONDS, TimeUnit.SECONDS);
    }
    List<ByteBuffer> buffers = new ArrayList<>();
    List<CompletableFuture<ReadResult>> reads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ByteBuffer into =
          i % 3 == 0 ? ByteBuffer.allocateDirect(128 * 1024) : ByteBuffer.allocate(128 * 1024);
      buffers.add(into);
      reads.add(
          store.readAsync("w" + i, ReadOp.builder().data(0, into).xattr("uid").size().build()));
    }
    for (int i = 0; i < count; i++) {
      ReadResult result = reads.get(i).get(WAIT_SECONDS, TimeUnit.SECONDS);
      assertThat(result.bytes(0)).isEqualTo(64 * 1024 + i);
      assertThat(result.bytes(2)).isEqualTo(64 * 1024 + i);
      assertThat(result.xattr(1)).contains(bytes("" + i));
      byte[] got = new byte[64 * 1024 + i];
      buffers.get(i).duplicate().get(got);
      assertThat(got).isEqualTo(random(i, 64 * 1024 + i));
    }
  }

  @Test
  void failuresComeThroughTheFuture() {
    object("a");
    expectAsync(
        Kind.NOT_FOUND,
        store.writeAsync("a", WriteOp.builder().assertExists().setOmap("k", bytes("v")).build()));
    expectAsync(
        Kind.NAME_TOO_LONG,
        store.writeAsync("n".repeat(2049), WriteOp.builder().createExclusive().build()));
    StoreException failure =
        expectAsync(Kind.NOT_FOUND, store.readAsync("a", ReadOp.builder().size().build()));
    assertThat(failure.object()).isEqualTo("a");
  }

  @Test
  void aWriteWaitsForItsTurn() throws Exception {
    CompletableFuture<Void> turn = new CompletableFuture<>();
    WriteOp op = WriteOp.builder().createExclusive().writeFull(direct(random(1, MIB))).build();
    CompletableFuture<Void> write = store.writeAsync(object("a"), op, turn);
    expect(Kind.NOT_FOUND, () -> read("a", ReadOp.builder().size()));
    assertThat(write).isNotDone();

    turn.complete(null);

    write.get(WAIT_SECONDS, TimeUnit.SECONDS);
    assertThat(size("a")).isEqualTo(MIB);
  }

  @Test
  void aWritesBuffersAreTheCallersAgainAtOnce() throws Exception {
    byte[] content = random(1, MIB);
    for (ByteBuffer buffer : List.of(direct(content), ByteBuffer.wrap(content.clone()))) {
      WriteOp op = WriteOp.builder().writeFull(buffer.duplicate()).build();
      CompletableFuture<Void> turn = new CompletableFuture<>();
      CompletableFuture<Void> waiting = store.writeAsync(object("waiting"), op, turn);
      CompletableFuture<Void> started = store.writeAsync(object("started"), op);

      buffer.put(new byte[MIB]);
      turn.complete(null);

      waiting.get(WAIT_SECONDS, TimeUnit.SECONDS);
      started.get(WAIT_SECONDS, TimeUnit.SECONDS);
      for (String name : List.of("waiting", "started")) {
        ByteBuffer into = ByteBuffer.allocate(MIB);
        read(name, ReadOp.builder().data(0, into));
        assertThat(into.array()).as(name).isEqualTo(content);
      }
    }
  }

  @Test
  void aWriteWithoutATurnIsNeverSent() throws Exception {
    CompletableFuture<Void> turn = new CompletableFuture<>();
    WriteOp op = WriteOp.builder().createExclusive().writeFull(heap("content")).build();
    CompletableFuture<Void> write = store.writeAsync(object("a"), op, turn);

    turn.cancel(false);

    Throwable failure = write.handle((done, thrown) -> thrown).get(WAIT_SECONDS, TimeUnit.SECONDS);
    assertThat(failure instanceof CompletionException ? failure.getCause() : failure)
        .isInstanceOf(CancellationException.class);
    expect(Kind.NOT_FOUND, () -> read("a", ReadOp.builder().size()));
  }

  @Test
  void aTurnMayComeWhenTheStoreIsClosed() throws Exception {
    ObjectStore closing = cluster().open(pool(), namespace);
    CompletableFuture<Void> turn = new CompletableFuture<>();
    CompletableFuture<Void> write =
        closing.writeAsync(object("a"), WriteOp.builder().createExclusive().build(), turn);
    closing.close();

    turn.complete(null);

    assertThat(write).isCompletedExceptionally();
    expect(Kind.NOT_FOUND, () -> read("a", ReadOp.builder().size()));
  }

  @Test
  void aCallbackMayStartTheNextOperation() throws Exception {
    object("a");
    CompletableFuture<ReadResult> chain =
        store
            .writeAsync("a", WriteOp.builder().setOmap("k", bytes("1")).build())
            .thenCompose(
                done ->
                    store.writeAsync(
                        "a",
                        WriteOp.builder()
                            .compareOmap("k", bytes("1"))
                            .setOmap("k", bytes("2"))
                            .build()))
            .thenCompose(
                done -> store.readAsync("a", ReadOp.builder().omapRange("", "", 10).build()));
    assertThat(chain.get(WAIT_SECONDS, TimeUnit.SECONDS).omap(0).get("k")).isEqualTo(bytes("2"));
  }

  @Test
  void anInterruptEndsTheWait() throws IOException {
    write(object("a"), WriteOp.builder().createExclusive());
    Thread.currentThread().interrupt();
    try {
      read("a", ReadOp.builder().size());
      fail("an interrupted read returned");
    } catch (InterruptedIOException e) {
      assertThat(e).isNotInstanceOf(StoreException.class);
    } finally {
      boolean unused = Thread.interrupted();
    }
    assertThat(size("a")).isZero();
  }

  @Test
  void anInterruptEndsAListing() throws IOException {
    write(object("a"), WriteOp.builder().createExclusive());
    write(object("b"), WriteOp.builder().createExclusive());
    List<String> read = new ArrayList<>();
    try {
      store.list(
          name -> {
            read.add(name);
            Thread.currentThread().interrupt();
          });
      fail("an interrupted listing went to its end");
    } catch (InterruptedIOException e) {
      assertThat(read).hasSize(1);
    } finally {
      boolean unused = Thread.interrupted();
    }
  }

  // Other pools and other rights

  @Test
  void erasureCodedPoolsHoldDataAndXattrsButNoOmap() throws IOException {
    Assumptions.assumeTrue(erasureCodedPool().isPresent(), "no erasure-coded pool");
    ObjectStore coded = open(cluster(), erasureCodedPool().orElseThrow(), namespace);
    object(coded, "a");
    WriteOp create =
        WriteOp.builder()
            .createExclusive()
            .setXattr("uid", bytes("1"))
            .writeFull(direct(random(1, 100_000)))
            .build();
    coded.write("a", create);
    expect(Kind.EXISTS, () -> coded.write("a", create));
    ByteBuffer into = ByteBuffer.allocate(100_000);
    ReadResult result = coded.read("a", ReadOp.builder().data(0, into).xattr("uid").build());
    assertThat(result.bytes(0)).isEqualTo(100_000);
    assertThat(into.array()).isEqualTo(random(1, 100_000));
    expect(
        Kind.UNSUPPORTED,
        () -> coded.write("a", WriteOp.builder().setOmap("k", bytes("v")).build()));
    expect(
        Kind.UNSUPPORTED,
        () -> coded.write(object(coded, "b"), WriteOp.builder().setOmap("k", bytes("v")).build()));
    expect(Kind.NOT_FOUND, () -> coded.read("b", ReadOp.builder().size().build()));
    // Reading and comparing find an empty omap rather than failing.
    ReadResult nothing =
        coded.read("a", ReadOp.builder().omapRange("", "", 5).omapByKeys(List.of("k")).build());
    assertThat(nothing.omap(0)).isEmpty();
    assertThat(nothing.more(0)).isFalse();
    assertThat(nothing.omap(1)).isEmpty();
    coded.write("a", WriteOp.builder().absentOmap("k").setXattr("x", bytes("1")).build());
    expect(Kind.UNSUPPORTED, () -> coded.write("a", WriteOp.builder().removeOmap("k").build()));
    coded.write("a", WriteOp.builder().compareXattr("uid", bytes("1")).remove().build());
  }

  @Test
  void writingWithoutTheRightIsDenied() throws IOException {
    Optional<Cluster> reader = readOnlyCluster();
    Assumptions.assumeTrue(reader.isPresent(), "no client with read rights alone");
    write(object("a"), WriteOp.builder().writeFull(heap("data")));
    ObjectStore readOnly = open(reader.orElseThrow(), pool(), namespace);
    assertThat(readOnly.read("a", ReadOp.builder().size().build()).bytes(0)).isEqualTo(4);
    expect(
        Kind.PERMISSION_DENIED,
        () -> readOnly.write("a", WriteOp.builder().setXattr("x", bytes("1")).build()));
    expect(
        Kind.PERMISSION_DENIED,
        () -> readOnly.write("b", WriteOp.builder().createExclusive().build()));
    expectAsync(
        Kind.PERMISSION_DENIED, readOnly.writeAsync("a", WriteOp.builder().remove().build()));
    assertThat(text("a")).isEqualTo("data");
  }

  // The simulation against the real thing

  /** Hundreds of operations put together by chance end alike here and on the simulation. */
  @Test
  void operationsByChanceEndAsOnTheSimulation() throws IOException {
    compareWithSimulation(store, 1, 600);
  }

  @Test
  void operationsByChanceEndAsOnTheSimulationInAnErasureCodedPool() throws IOException {
    Assumptions.assumeTrue(erasureCodedPool().isPresent(), "no erasure-coded pool");
    compareWithSimulation(open(cluster(), erasureCodedPool().orElseThrow(), namespace), 2, 300);
  }

  private void compareWithSimulation(ObjectStore real, long seed, int count) throws IOException {
    SimulatedCluster simulated =
        SimulatedCluster.withPools(pool()).addErasureCodedPool(erasureCodedPool().orElse("ec"));
    ObjectStore model = simulated.client("model").open(real.pool(), namespace);
    RandomOps ops = new RandomOps(seed);
    for (int i = 0; i < count; i++) {
      String name = object(real, ops.object());
      if (ops.nextIsRead()) {
        ReadOp read = ops.read();
        String expected = RandomOps.outcome(model, name, read);
        assertThat(RandomOps.outcome(real, name, read))
            .as("seed %s, op %s, after %n%s", seed, i, simulated.log().tail(20))
            .isEqualTo(expected);
      } else {
        WriteOp write = ops.write();
        String expected = RandomOps.outcome(model, name, write);
        assertThat(RandomOps.outcome(real, name, write))
            .as("seed %s, op %s, after %n%s", seed, i, simulated.log().tail(20))
            .isEqualTo(expected);
        assertThat(RandomOps.outcome(real, name, RandomOps.all()))
            .as("state after seed %s, op %s, after %n%s", seed, i, simulated.log().tail(20))
            .isEqualTo(RandomOps.outcome(model, name, RandomOps.all()));
      }
    }
  }

  // Short ways to say it

  private void write(String object, WriteOp.Builder op) throws IOException {
    store.write(object, op.build());
  }

  private ReadResult read(String object, ReadOp.Builder op) throws IOException {
    return store.read(object, op.build());
  }

  private long size(String object) throws IOException {
    return read(object, ReadOp.builder().size()).bytes(0);
  }

  private String text(String object) throws IOException {
    ByteBuffer into = ByteBuffer.allocate(4096);
    int count = (int) read(object, ReadOp.builder().data(0, into)).bytes(0);
    return new String(into.array(), 0, count, UTF_8);
  }

  private Optional<String> xattr(String object, String name) throws IOException {
    return read(object, ReadOp.builder().xattr(name))
        .xattr(0)
        .map(value -> new String(value, UTF_8));
  }

  /** A small omap as text, in the order of the answer. */
  private Map<String, String> omapOf(String object) throws IOException {
    ReadResult result = read(object, ReadOp.builder().omapRange("", "", ReadOp.MAX_RANGE));
    assertThat(result.more(0)).isFalse();
    Map<String, String> entries = new LinkedHashMap<>();
    result.omap(0).forEach((key, value) -> entries.put(key, new String(value, UTF_8)));
    return entries;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static ByteBuffer heap(String text) {
    return ByteBuffer.wrap(bytes(text));
  }

  private static ByteBuffer direct(byte[] data) {
    return ByteBuffer.allocateDirect(data.length).put(data).flip();
  }

  private static String content(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return new String(bytes, UTF_8);
  }

  /** The same bytes for the same seed. */
  private static byte[] random(int seed, int length) {
    byte[] data = new byte[length];
    new Random(seed).nextBytes(data);
    return data;
  }

  private interface Operation {
    void run() throws IOException;
  }

  private static StoreException expect(Kind kind, Operation operation) {
    StoreException failure = catchStoreException(operation);
    assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(kind);
    assertThat(failure.is(kind)).isTrue();
    return failure;
  }

  private static StoreException catchStoreException(Operation operation) {
    try {
      operation.run();
    } catch (StoreException e) {
      return e;
    } catch (IOException e) {
      throw new AssertionError("not a StoreException: " + e, e);
    }
    throw new AssertionError("succeeded, though it should have failed");
  }

  private static StoreException expectAsync(Kind kind, CompletableFuture<?> future) {
    try {
      future.get(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      assertThat(e.getCause()).isInstanceOf(StoreException.class);
      StoreException failure = (StoreException) e.getCause();
      assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(kind);
      return failure;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    throw new AssertionError("succeeded, though it should have failed with " + kind);
  }

  private static <T> List<T> inParallel(List<Callable<T>> tasks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      List<T> results = new ArrayList<>();
      for (Future<T> future : threads.invokeAll(tasks, WAIT_SECONDS, TimeUnit.SECONDS)) {
        results.add(future.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }
}
