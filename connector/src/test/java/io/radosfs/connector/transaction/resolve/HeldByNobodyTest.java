// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.resolve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.layout.WriteIntent;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.Transactions.Registration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a transaction holds in an index that does not know the transaction: no crash leaves it so,
 * but damage or another program may. Whoever wants to change what is held is told so after a few
 * operations; whoever reads it sees what there was before.
 */
class HeldByNobodyTest {

  /** More than any of these takes, and few enough to end soon what would go on for ever. */
  private static final int MAX_OPS = 40;

  private static final FsPath DIRECTORY = new FsPath("d");
  private static final String INDEX = ObjectNames.index(DIRECTORY);
  private static final String GONE = "gone";

  private final SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedMount.POOL);
  private SimulatedMount others;

  /** Something that wants to change what is held. */
  interface Step {
    void on(SimulatedMount mount) throws IOException;
  }

  record Change(String name, Step step) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static FsPath path(String path) throws IOException {
    return FsPath.parse(path);
  }

  @BeforeEach
  void setUp() throws IOException {
    others = SimulatedMount.of(cluster.client("others"));
    others.write("/d/f", "old");
    others.write("/e/other", "o");
  }

  /** Changes the index of the directory as another program may. */
  private void damage(Map<String, byte[]> keys) throws IOException {
    others.store().write(INDEX, WriteOp.builder().assertExists().setOmap(keys).build());
  }

  /** A mount that goes no further than it should. */
  private SimulatedMount bounded() throws IOException {
    SimulatedClient client = cluster.client("client");
    client.faults().atOp(client.ops() + MAX_OPS, Fault.CRASH_BEFORE);
    return SimulatedMount.of(client);
  }

  private static void assertDamageIsNamed(ThrowingCallable change, String... parts) {
    Throwable failure = catchThrowable(change);
    assertThat(failure).isInstanceOf(LayoutException.class);
    for (String part : parts) {
      assertThat(failure).hasMessageContaining(part);
    }
  }

  private static Entry.OfFile entry(FsPath path) {
    FileData data = new FileData(path, Uid.random(), false, 3, 8, Optional.empty());
    return new Entry.OfFile(data, 0, SimulatedMount.ATTRIBUTES);
  }

  private static void commit(SimulatedMount mount, Set<FsPath> removed) throws IOException {
    Registration job = new Registration("job", DIRECTORY.parent(), "//job/job");
    mount.transactions().register(job);
    Map<FsPath, DirectoryChange> changes =
        removed.isEmpty()
            ? Map.of(DIRECTORY, DirectoryChange.adding(Map.of("f", entry(DIRECTORY.child("f")))))
            : Map.of();
    mount.transactions().commit(job, changes, removed);
  }

  private static void deleteInBulk(SimulatedMount mount) throws IOException {
    List<FsPath> both = List.of(path("/d/f"), path("/d/none"));
    for (IOException failure : mount.namespace().deleteAll(both).values()) {
      throw failure;
    }
  }

  static Stream<Change> changesOfAName() {
    return Stream.of(
        new Change("create", mount -> mount.write("/d/f", "new", true)),
        new Change("delete", mount -> mount.namespace().delete(path("/d/f"), false)),
        new Change("mkdirs", mount -> mount.mkdirs("/d/f/below")),
        new Change("rename", mount -> mount.namespace().rename(path("/d/f"), path("/d/g"), false)),
        new Change("move", mount -> mount.namespace().rename(path("/d/f"), path("/e/f"), false)),
        new Change(
            "move here", mount -> mount.namespace().rename(path("/e/other"), path("/d/f"), true)),
        new Change("bulk deletion", HeldByNobodyTest::deleteInBulk),
        new Change("commit", mount -> commit(mount, Set.of())));
  }

  private void intent() throws IOException {
    FsPath file = path("/d/f");
    Uid uid = others.namespace().lookup(file).orElseThrow().uid();
    damage(Map.of(IndexKeys.intent("f"), WriteIntent.replace(GONE, uid, entry(file)).encode(file)));
  }

  @ParameterizedTest
  @MethodSource("changesOfAName")
  void anIntentWithoutAMarkIsNamed(Change change) throws IOException {
    intent();
    SimulatedMount mount = bounded();
    assertDamageIsNamed(
        () -> change.step().on(mount), "/d", "'d/'", "'p/f'", "'t/gone'", "rmomapkey");
  }

  /** A commit that is repeated, or that two drivers are at, meets its own intents. */
  @Test
  void anIntentOfItsOwnWithoutAMarkIsNamed() throws IOException {
    FsPath file = path("/d/f");
    Uid uid = others.namespace().lookup(file).orElseThrow().uid();
    damage(
        Map.of(IndexKeys.intent("f"), WriteIntent.replace("job", uid, entry(file)).encode(file)));
    SimulatedMount mount = bounded();
    assertDamageIsNamed(
        () -> commit(mount, Set.of()), "/d", "'d/'", "'p/f'", "'t/job'", "rmomapkey");
  }

  @Test
  void anIntentWithoutAMarkIsNotSeenByReaders() throws IOException {
    intent();
    damage(
        Map.of(
            IndexKeys.intent("g"),
            WriteIntent.add(GONE, entry(path("/d/g"))).encode(path("/d/g"))));
    SimulatedMount mount = bounded();
    assertThat(mount.read(path("/d/f"))).isEqualTo("old");
    assertThat(mount.namespace().lookup(path("/d/g"))).isEmpty();
    assertThat(mount.tree()).containsEntry("/d/f", "old").doesNotContainKey("/d/g");
  }

  static Stream<Change> changesOfADirectory() {
    return Stream.concat(
        changesOfAName(),
        Stream.of(
            new Change("delete whole", mount -> mount.namespace().delete(DIRECTORY, true)),
            new Change(
                "move whole", mount -> mount.namespace().rename(DIRECTORY, path("/e/d"), false)),
            new Change("replace whole", mount -> commit(mount, Set.of(DIRECTORY)))));
  }

  @ParameterizedTest
  @MethodSource("changesOfADirectory")
  void aLockedDirectoryWithoutAMarkIsNamed(Change change) throws IOException {
    damage(Map.of(IndexKeys.HEAD, IndexHead.frozen(GONE).encode()));
    SimulatedMount mount = bounded();
    assertDamageIsNamed(
        () -> change.step().on(mount), "/d", "'d/'", "'h'", "'t/gone'", "setomapval");
  }

  @Test
  void aLockedDirectoryWithoutAMarkIsReadAsItWas() throws IOException {
    damage(Map.of(IndexKeys.HEAD, IndexHead.frozen(GONE).encode()));
    SimulatedMount mount = bounded();
    assertThat(mount.tree()).containsEntry("/d/f", "old");
    assertThat(mount.read(path("/d/f"))).isEqualTo("old");
  }

  /** The mark says that the directory goes whole, and its head that it stays. */
  @Test
  void aMarkWithoutALockedDirectoryIsNamed() throws IOException {
    Registration job = new Registration(GONE, DIRECTORY.parent(), "//job/gone");
    others.transactions().register(job);
    var unused = others.transactions().abort(job);
    damage(
        Map.of(
            IndexKeys.transaction(GONE),
            TransactionMark.removing(DIRECTORY.parent(), Uid.random()).encode()));
    SimulatedMount mount = bounded();
    assertDamageIsNamed(
        () -> mount.transactions().resolve(job, Set.of(DIRECTORY)),
        "/d",
        "'d/'",
        "'t/gone'",
        "rmomapkey");
  }

  /** A lock means nothing when nobody knows its holder. */
  @Test
  void anOverwriteLockOfATransactionThatIsGoneIsFree() throws IOException {
    damage(Map.of(IndexKeys.OVERWRITE_LOCK, GONE.getBytes(StandardCharsets.UTF_8)));
    SimulatedMount mount = bounded();
    Registration job = new Registration("job", DIRECTORY, "d//job/job");
    mount.transactions().register(job);
    assertThat(mount.transactions().takeOverwriteLock(job, Set.of())).isTrue();
    assertThat(
            cluster
                .objects(SimulatedMount.POOL, "")
                .get(INDEX)
                .omap()
                .get(IndexKeys.OVERWRITE_LOCK))
        .isEqualTo("job".getBytes(StandardCharsets.UTF_8));
  }

  /** Found by the explorer: it began anew until it gave up, and blamed others. */
  @Test
  void aListingOfShardsThatHaveGoneNamesTheLock() throws IOException {
    String head = "radosfs-index 1 shards=2/0123456789abcdef01234567 frozen " + GONE;
    damage(Map.of(IndexKeys.HEAD, head.getBytes(StandardCharsets.UTF_8)));
    SimulatedMount mount = bounded();
    assertDamageIsNamed(
        () -> mount.namespace().list(DIRECTORY), "directory /d is locked", GONE, INDEX);
    assertDamageIsNamed(
        () -> mount.namespace().listing(DIRECTORY), "directory /d is locked", GONE, INDEX);
  }

  /** Found by the explorer, as the one above. */
  @Test
  void aLookUpInShardsThatHaveGoneNamesTheLock() throws IOException {
    String head = "radosfs-index 1 shards=2/0123456789abcdef01234567 frozen " + GONE;
    damage(Map.of(IndexKeys.HEAD, head.getBytes(StandardCharsets.UTF_8)));
    SimulatedMount mount = bounded();
    assertDamageIsNamed(
        () -> mount.namespace().lookup(DIRECTORY.child("f")),
        "directory /d is locked",
        GONE,
        INDEX);
  }
}
