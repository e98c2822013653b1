// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.placement.BlockHosts;
import io.radosfs.connector.placement.BlockHosts.Block;
import io.radosfs.connector.store.PoolPlacement.Osd;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.BlockLocation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's block locations of files. If hosts are not known, a file is one block at {@code
 * localhost}. Thread-safe.
 */
final class BlockLocations {

  private static final Logger LOG = LoggerFactory.getLogger(BlockLocations.class);

  private static final String[] HOSTS = {"localhost"};
  private static final String[] NAMES = {"localhost:0"};
  private static final BlockLocation[] NONE = {};

  /** Returns the hosts, by the current connection. */
  @FunctionalInterface
  interface Hosts {
    BlockHosts now() throws IOException;
  }

  private final Optional<Hosts> blocks;
  private final long blockSize;
  private final AtomicBoolean warned = new AtomicBoolean();

  /**
   * @param blocks empty if hosts must not be asked for
   */
  BlockLocations(Optional<Hosts> blocks, long blockSize) {
    this.blocks = blocks;
    this.blockSize = blockSize;
  }

  /** The whole file at {@code localhost}; nothing for a directory or an empty file. */
  private static BlockLocation[] nowhere(long length) {
    return length == 0 ? NONE : new BlockLocation[] {new BlockLocation(NAMES, HOSTS, 0, length)};
  }

  /**
   * Returns the blocks that a part of a file is in. Costs what {@link BlockHosts} does. If that
   * fails, the failure is logged once and the hosts are not known.
   */
  BlockLocation[] of(Entry.OfFile file, long start, long length) {
    long end = file.data().length();
    if (start >= end) {
      return NONE;
    }
    if (blocks.isPresent()) {
      try {
        return locations(blocks.get().now().locate(file.data(), blockSize, start, length));
      } catch (IOException e) {
        if (!warned.getAndSet(true)) {
          LOG.warn(
              "The monitors do not tell where objects are, so tasks are not placed near to them;"
                  + " fs.rados.block.hosts = false stops asking",
              e);
        }
      }
    }
    return nowhere(end);
  }

  private static BlockLocation[] locations(List<Block> blocks) {
    BlockLocation[] locations = new BlockLocation[blocks.size()];
    for (int i = 0; i < locations.length; i++) {
      Block block = blocks.get(i);
      String[] hosts = block.osds().stream().map(Osd::host).toArray(String[]::new);
      String[] names = block.osds().stream().map(Osd::address).toArray(String[]::new);
      locations[i] =
          hosts.length == 0
              ? new BlockLocation(NAMES, HOSTS, block.offset(), block.length())
              : new BlockLocation(names, hosts, block.offset(), block.length());
    }
    return locations;
  }
}
