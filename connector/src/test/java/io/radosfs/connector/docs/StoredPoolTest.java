// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Superblock;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.superblock.Superblocks;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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

  private static void rename(SimulatedMount mount, String from, String to) throws IOException {
    mount.namespace().rename(FsPath.parse(from), FsPath.parse(to), /* overwrite= */ false);
  }

  @Test
  void thePageShowsThese() {
    assertThat(VECTORS.pools().keySet())
        .isEqualTo(
            new TreeSet<>(
                Set.of("files", "layouts", "rename", "closing", "deletion", "shards", "replaced")));
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
    isShown("layouts", states.last());
  }

  @Test
  void rename() throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    mount.write("/a/b", "x");
    mount.mkdirs("/z");
    StoredStates states = new StoredStates(client, SimulatedMount.POOL);
    rename(mount, "/a", "/z/a");
    isShown("rename", states.first("state=COMMITTED"));
  }

  @Test
  void closing() throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    mount.write("/a/b", "x");
    StoredStates states = new StoredStates(client, SimulatedMount.POOL);
    assertThat(mount.namespace().delete(FsPath.parse("/a"), /* recursive= */ true)).isTrue();
    isShown("closing", states.first(" closing "));
  }

  @Test
  void deletion() throws IOException {
    SimulatedMount mount = SimulatedMount.of(client);
    mount.write("/a/b", "x");
    StoredStates states = new StoredStates(client, SimulatedMount.POOL);
    assertThat(mount.namespace().delete(FsPath.parse("/a/b"), /* recursive= */ false)).isTrue();
    isShown("deletion", states.first("omap x/"));
  }

  @Test
  void shards() throws IOException {
    SimulatedMount mount = SimulatedMount.of(client, new Sharding(1, 2));
    mount.write("/a/b", "x");
    mount.write("/a/e", "y");
    mount.write("/a/c", "z");
    StoredStates states = new StoredStates(client, SimulatedMount.POOL);
    isShown("shards", states.last());
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
  }
}
