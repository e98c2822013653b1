// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.placement.BlockHosts.Block;
import io.radosfs.connector.store.PoolPlacement.Osd;
import io.radosfs.connector.store.ReadFrom;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BlockHostsTest {

  private static final int GROUPS = 8;

  private final SimulatedCluster cluster =
      SimulatedCluster.withPools("p").setHosts("h0", "h1", "h2", "h3");
  private final SimulatedClient client = cluster.client("a");
  private final AtomicLong nanos = new AtomicLong();
  private final BlockHosts hosts =
      new BlockHosts(file -> client.open("p", "team"), ReadFrom.PRIMARY, nanos::get);

  private static FileData file(long length) {
    return new FileData(new FsPath("a/b"), Uid.random(), true, length, 10, Optional.empty());
  }

  private static String hostOfPrimary(String object) {
    return "h" + ObjectHash.placementGroup("team", object, GROUPS) % 4;
  }

  @Test
  void aBlockIsNearToTheHostThatServesMostOfIt() throws IOException {
    FileData file = file(95);
    List<Block> blocks = hosts.locate(file, 30, 0, Long.MAX_VALUE);
    assertThat(blocks).extracting(Block::offset).containsExactly(0L, 30L, 60L, 90L);
    assertThat(blocks).extracting(Block::length).containsExactly(30L, 30L, 30L, 5L);
    for (Block block : blocks) {
      long most = 0;
      for (int host = 0; host < 4; host++) {
        most = Math.max(most, served(file, block, "h" + host));
      }
      assertThat(block.osds()).hasSizeBetween(2, 3).doesNotHaveDuplicates();
      assertThat(served(file, block, block.osds().get(0).host())).isEqualTo(most);
    }
    assertThat(blocks.get(3).osds().get(0)).isEqualTo(osd(hostOfPrimary(file.stripe(9))));
  }

  private static Osd osd(String host) {
    return new Osd(host, host + ":6800");
  }

  private static long served(FileData file, Block block, String host) {
    long bytes = 0;
    for (long at = block.offset(); at < block.offset() + block.length(); at += 10) {
      bytes += hostOfPrimary(file.stripe((int) (at / 10))).equals(host) ? 1 : 0;
    }
    return bytes;
  }

  /** Each object is on two machines here, and the first of a block's may be the primary of none. */
  @Test
  void aBlockIsNearToTheHostWithMostOfItWhereAnyCopyIsRead() throws IOException {
    BlockHosts any = new BlockHosts(file -> client.open("p", "team"), ReadFrom.NEAREST, nanos::get);
    boolean differ = false;
    // Where the objects of one file are is by chance.
    for (int files = 0; files < 30; files++) {
      FileData file = file(95);
      List<Block> primaries = hosts.locate(file, 30, 0, Long.MAX_VALUE);
      List<Block> blocks = any.locate(file, 30, 0, Long.MAX_VALUE);
      for (int i = 0; i < blocks.size(); i++) {
        Block block = blocks.get(i);
        long most = 0;
        for (int host = 0; host < 4; host++) {
          most = Math.max(most, held(file, block, host));
        }
        int first = Integer.parseInt(block.osds().get(0).host().substring(1));
        assertThat(held(file, block, first)).isEqualTo(most);
        differ |= !block.osds().equals(primaries.get(i).osds());
      }
    }
    assertThat(differ).as("somewhere it makes a difference").isTrue();
  }

  private static long held(FileData file, Block block, int host) {
    long objects = 0;
    for (long at = block.offset(); at < block.offset() + block.length(); at += 10) {
      int primary = Integer.parseInt(hostOfPrimary(file.stripe((int) (at / 10))).substring(1));
      objects += primary == host || (primary + 1) % 4 == host ? 1 : 0;
    }
    return objects;
  }

  @Test
  void aPartHasTheBlocksThatItIsIn() throws IOException {
    FileData file = file(95);
    assertThat(hosts.locate(file, 30, 29, 2)).hasSize(2);
    assertThat(hosts.locate(file, 30, 30, 30)).hasSize(1);
    assertThat(hosts.locate(file, 1000, 94, 1)).hasSize(1);
    assertThat(hosts.locate(file, 30, 200, 1)).isEmpty();
    assertThat(hosts.locate(file(0), 30, 0, 1)).isEmpty();
  }

  /** The number of groups, each group, each OSD: whatever the number of files. */
  @Test
  void theMonitorsAreAskedOnceForEachGroup() throws IOException {
    for (int i = 0; i < 100; i++) {
      List<Block> unused = hosts.locate(file(1000), 100, 0, 1000);
    }
    assertThat(cluster.monitorCommands()).isEqualTo(1 + GROUPS + 4);
    nanos.set(Duration.ofMinutes(PlacementCache.MINUTES + 1).toNanos());
    List<Block> unused = hosts.locate(file(5), 100, 0, 5);
    assertThat(cluster.monitorCommands()).isGreaterThan(1 + GROUPS + 4);
    assertThat(client.ops()).isZero();
  }

  @Test
  void whereTheMonitorsDoNotTellTheyAreNotAskedForEachFile() {
    cluster.setHosts();
    for (int i = 0; i < 10; i++) {
      assertThatThrownBy(() -> hosts.locate(file(5), 100, 0, 5)).isInstanceOf(IOException.class);
    }
    assertThat(cluster.monitorCommands()).isEqualTo(1);
  }
}
