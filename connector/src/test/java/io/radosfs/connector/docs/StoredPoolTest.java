// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Superblock;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.superblock.Superblocks;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.TransactionChanges;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/**
 * The pools that {@code connector/docs/storage-format.md} shows, object by object, are what the
 * same steps leave in a pool.
 */
class StoredPoolTest {

  private static final String PAGE = "connector/docs/storage-format.md";
  private static final Vectors VECTORS = Vectors.of(PAGE);

  private final SimulatedClient client =
      SimulatedCluster.withPools(SimulatedMount.POOL, "cold").client("a");

  private static void isShown(String name, String stored) {
    assertThat(stored).as("block 'pool %s' of %s", name, PAGE).isEqualTo(VECTORS.pools().get(name));
  }

  /** What a reader of the page makes of a pool. */
  private static void isRead(String name, Map<String, String> tree) {
    assertThat(PoolReader.of(VECTORS.pools().get(name)).tree())
        .as("what the page says of block 'pool %s'", name)
        .isEqualTo(new TreeMap<>(tree));
  }

  private static void rename(SimulatedMount mount, String from, String to) throws IOException {
    mount.namespace().rename(FsPath.parse(from), FsPath.parse(to), /* overwrite= */ false);
  }

  @Test
  void thePageShowsThese() {
    assertThat(VECTORS.pools().keySet())
        .isEqualTo(
            new TreeSet<>(
                Set.of(
                    "files",
                    "layouts",
                    "rename",
                    "takeover",
                    "closing",
                    "deletion",
                    "shards",
                    "replaced")));
  }

  @Test
  void files() throws IOException {
    StoredStates states = new StoredStates(client, SimulatedMount.POOL);
    new Superblocks(client.open(SimulatedMount.POOL, ""), "rados://meta")
        .findOrMake(new Superblock(Optional.empty(), 8, 1_763_723_000_123L));
    SimulatedMount mount = SimulatedMount.of(client);
    mount.write("/a/b", "hello world");
    rename(mount, "/a/b", "/a/c");
    mount.write("/a/b", "new");
    mount
        .namespace()
        .setAttributes(
            FsPath.parse("/a/b"),
            before -> before.withXattrs(before.xattrs().with("user.k", new byte[] {1, 2})));
    isShown("files", states.last());
    isRead("files", Map.of("/a/", "", "/a/b", "new", "/a/c", "hello world"));
  }

  @Test
  void layouts() throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    mount.mkdirs("/a");
    StoredStates states = new StoredStates(client, SimulatedMount.POOL);
    mount
        .layouts()
        .change(
            FsPath.parse("/a"), before -> new DataLayout(Optional.of("cold"), Optional.of(4096)));
    mount.mkdirs("/a/b");
    mount
        .layouts()
        .change(FsPath.ROOT, before -> new DataLayout(Optional.empty(), Optional.of(8192)));
    isShown("layouts", states.last());
    isRead("layouts", Map.of("/a/", "", "/a/b/", ""));
    PoolReader read = PoolReader.of(VECTORS.pools().get("layouts"));
    assertThat(read.layout("")).isEqualTo("stripe=8192");
    assertThat(read.layout("a")).isEqualTo("pool=cold stripe=4096");
    assertThat(read.layout("a/b")).isEqualTo("pool=cold stripe=4096");
  }

  @Test
  void rename() throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    mount.write("/a/b", "x");
    mount.mkdirs("/z");
    StoredStates states = new StoredStates(client, SimulatedMount.POOL);
    rename(mount, "/a", "/z/a");
    isShown("rename", states.first("state=COMMITTED"));
    isRead("rename", Map.of("/z/", "", "/z/a/", "", "/z/a/b", "x"));
  }

  /**
   * The first driver sends what it prepares in p=1, and dies before that arrives. A second one
   * takes the job over, commits it, and dies before it has resolved p=2. The job's file in p=1 is
   * removed. Then what the first one has sent arrives.
   */
  @Test
  void takeover() throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    mount.write("/out/p=1/old", "o");
    mount.write("/out/p=2/old", "p");
    FsPath out = FsPath.parse("/out");
    Registration job = new Registration("job-1", out, ObjectNames.job(out, "job-1"));
    mount.transactions().register(job);
    TransactionChanges changes =
        TransactionChanges.of(
            Map.of(
                out.child("p=1"), adding(mount, "/out/p=1/new", "x"),
                out.child("p=2"), adding(mount, "/out/p=2/new", "y")));
    SimulatedCluster cluster = client.cluster();
    Predicate<OpInfo> prepares = op -> op.summary().contains("assertExists");
    Predicate<OpInfo> resolves = op -> op.summary().contains("removeOmap");
    SimulatedClient first = cluster.client("first");
    first.faults().once(prepares.and(op -> writesTo(op, "out/p=1/")), Fault.CRASH_LATE);
    commitDying(SimulatedMount.of(first), job, changes, /* besideOthers= */ false);
    client.faults().once(resolves.and(op -> writesTo(op, "out/p=2/")), Fault.CRASH_BEFORE);
    commitDying(mount, job, changes, /* besideOthers= */ true);
    SimulatedMount other = SimulatedMount.of(cluster.client("other"));
    assertThat(other.namespace().delete(out.child("p=1").child("new"), false)).isTrue();
    assertThat(cluster.landDelayedOps()).isEqualTo(1);
    isShown("takeover", new StoredStates(client, SimulatedMount.POOL).last());
    isRead(
        "takeover",
        Map.of(
            "/out/", "",
            "/out/p=1/", "",
            "/out/p=1/old", "o",
            "/out/p=2/", "",
            "/out/p=2/new", "y",
            "/out/p=2/old", "p"));
  }

  private static boolean writesTo(OpInfo op, String object) {
    return op.write() && op.object().equals(object);
  }

  private static void commitDying(
      SimulatedMount mount, Registration job, TransactionChanges changes, boolean besideOthers)
      throws IOException {
    assertThatThrownBy(() -> mount.transactions().commit(job, changes, Set.of(), besideOthers))
        .isInstanceOf(ClientCrashed.class);
  }

  /** A change that adds a file, whose data a task has written. */
  private static DirectoryChange adding(SimulatedMount mount, String path, String content)
      throws IOException {
    FileData data =
        new FileData(FsPath.parse(path), Uid.random(), true, content.length(), 8, Optional.empty());
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    mount.writeStripe(data, bytes);
    CRC32C sum = new CRC32C();
    sum.update(bytes);
    return DirectoryChange.adding(
        Map.of(
            data.origin().name(),
            new Entry.OfFile(data, (int) sum.getValue(), SimulatedMount.ATTRIBUTES)));
  }

  @Test
  void closing() throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    mount.write("/a/b", "x");
    StoredStates states = new StoredStates(client, SimulatedMount.POOL);
    assertThat(mount.namespace().delete(FsPath.parse("/a"), /* recursive= */ true)).isTrue();
    isShown("closing", states.first(" closing "));
    isRead("closing", Map.of("/a/", ""));
  }

  @Test
  void deletion() throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    mount.write("/a/b", "x");
    StoredStates states = new StoredStates(client, SimulatedMount.POOL);
    assertThat(mount.namespace().delete(FsPath.parse("/a/b"), /* recursive= */ false)).isTrue();
    isShown("deletion", states.first("omap x/"));
    isRead("deletion", Map.of("/a/", ""));
  }

  @Test
  void shards() throws IOException {
    SimulatedMount mount = SimulatedMount.of(client, new Sharding(1, 2));
    mount.write("/a/b", "x");
    mount.write("/a/e", "y");
    mount.write("/a/c", "z");
    StoredStates states = new StoredStates(client, SimulatedMount.POOL);
    isShown("shards", states.last());
    isRead("shards", Map.of("/a/", "", "/a/b", "x", "/a/c", "z", "/a/e", "y"));
  }

  @Test
  void replaced() throws IOException {
    SimulatedMount mount =
        SimulatedMount.of(
            client, new Retention(Duration.ofSeconds(300), () -> SimulatedMount.WORKING));
    mount.write("/b", "x");
    StoredStates states = new StoredStates(client, SimulatedMount.POOL);
    mount.write("/b", "y", true);
    isShown("replaced", states.last());
    isRead("replaced", Map.of("/b", "y"));
  }

  /** Before each operation of a client that does a bit of everything, small directories split. */
  @Test
  void aReaderOfThePageSeesAtEachInstantWhatRadosfsSees() throws IOException {
    SimulatedMount mount = SimulatedMount.of(client, new Sharding(1, 2));
    SimulatedClient observer = client.cluster().client("observer");
    StoredStates stored = new StoredStates(client.cluster().client("idle"), SimulatedMount.POOL);
    Set<String> states = new TreeSet<>();
    client
        .faults()
        .before(
            op -> {
              String state = stored.last();
              if (states.add(state)) {
                assertThat(PoolReader.of(state).tree())
                    .as(state)
                    .isEqualTo(SimulatedMount.of(observer).tree());
              }
            });
    mount.write("/a/b", "several-stripes-of-8-bytes");
    mount.write("/a/d/e", "x");
    mount.write("/a/c", "y");
    mount.mkdirs("/z/y");
    rename(mount, "/a", "/z/a");
    rename(mount, "/z/a/c", "/z/y/c");
    mount.write("/z/y/c", "z", /* overwrite= */ true);
    assertThat(mount.namespace().delete(FsPath.parse("/z/a"), /* recursive= */ true)).isTrue();
    assertThat(states)
        .hasSizeGreaterThan(50)
        .anyMatch(state -> state.contains(" splitting"))
        .anyMatch(state -> state.contains(" filling "))
        .anyMatch(state -> state.contains(" closing "))
        .anyMatch(state -> state.contains("directory=MOVED"));
  }

  /** The client that has split it dies before it has removed them. */
  @Test
  void entriesFromBeforeASplitAreNotRead() throws IOException {
    SimulatedMount mount = SimulatedMount.of(client, new Sharding(1, 2));
    mount.write("/a/b", "x");
    client
        .faults()
        .once(
            op -> writesTo(op, "a/") && op.summary().contains("removeOmap(e/"), Fault.CRASH_BEFORE);
    assertThatThrownBy(
            () -> {
              mount.write("/a/c", "y");
              mount.write("/a/e", "z");
            })
        .isInstanceOf(ClientCrashed.class);
    SimulatedClient other = client.cluster().client("other");
    assertThat(SimulatedMount.of(other).namespace().delete(FsPath.parse("/a/b"), false)).isTrue();
    String state = new StoredStates(other, SimulatedMount.POOL).last();
    assertThat(state).containsPattern("(?s)\na/\n    omap e/b = .*shards=2/\\S+ open");
    assertThat(PoolReader.of(state).tree())
        .as(state)
        .isEqualTo(SimulatedMount.of(other).tree())
        .doesNotContainKey("/a/b");
  }
}
