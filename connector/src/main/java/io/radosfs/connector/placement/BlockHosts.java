// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.placement;

import io.radosfs.connector.data.DataStores;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.PoolPlacement.Osd;
import io.radosfs.connector.store.ReadFrom;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The machines that are near to the blocks of files: those whose OSDs hold most of a block's bytes.
 *
 * <p>Cost: no RADOS operation. In {@value PlacementCache#MINUTES} minutes at most one command to a
 * monitor for each pool, one for each placement group that has objects of its files, and one for
 * each OSD. If the monitors do not answer, they are not asked again for that time.
 *
 * <p>Thread-safe.
 */
public final class BlockHosts {

  /** The number of hosts that HDFS names for a block; more where any of more copies is read. */
  private static final int MOST = 3;

  /**
   * A block of a file.
   *
   * @param osds one on each machine, the one with the most bytes first; may be empty
   */
  public record Block(long offset, long length, List<Osd> osds) {}

  private final DataStores stores;
  private final Comparator<Share> nearness;
  private final LongSupplier nanos;
  private final Map<String, PlacementCache> pools = new HashMap<>();

  /**
   * @param from which copies are read: if not the primary's alone, a machine with any copy is as
   *     near as that of the primary
   * @param nanos the time, as by {@link System#nanoTime}
   */
  public BlockHosts(DataStores stores, ReadFrom from, LongSupplier nanos) {
    this.stores = stores;
    this.nearness = from == ReadFrom.PRIMARY ? BY_PRIMARY : BY_COPIES;
    this.nanos = nanos;
  }

  /**
   * Returns the blocks that a part of a file is in, each whole, in their order.
   *
   * @throws IOException if the monitors do not answer
   */
  public List<Block> locate(FileData file, long blockSize, long start, long length)
      throws IOException {
    PlacementCache pool = pool(stores.of(file));
    List<Block> blocks = new ArrayList<>();
    long end =
        Math.min(file.length(), length > Long.MAX_VALUE - start ? Long.MAX_VALUE : start + length);
    for (long offset = start - start % blockSize; offset < end; offset += blockSize) {
      long bytes = Math.min(blockSize, file.length() - offset);
      blocks.add(new Block(offset, bytes, osds(pool, file, offset, bytes)));
    }
    return blocks;
  }

  private synchronized PlacementCache pool(ObjectStore store) {
    return pools.computeIfAbsent(
        store.pool(), any -> new PlacementCache(store.placement(), store.namespace(), nanos));
  }

  /** Reads go to the primary, so a machine with many primary bytes is nearer than with copies. */
  private static final Comparator<Share> BY_PRIMARY =
      Comparator.comparingLong((Share share) -> share.primary)
          .thenComparingLong(share -> share.bytes)
          .reversed();

  /** Reads go to any copy; where that makes no difference, to the primary. */
  private static final Comparator<Share> BY_COPIES =
      Comparator.comparingLong((Share share) -> share.bytes)
          .thenComparingLong(share -> share.primary)
          .reversed();

  /** The bytes of a block that a machine holds, and how many of them its OSDs hold as primary. */
  private static final class Share {
    private final Osd osd;
    private long bytes;
    private long primary;

    private Share(Osd osd) {
      this.osd = osd;
    }
  }

  private List<Osd> osds(PlacementCache pool, FileData file, long offset, long length)
      throws IOException {
    Map<String, Share> shares = new LinkedHashMap<>();
    long end = offset + length;
    int copies = 0;
    for (long at = offset; at < end; ) {
      int stripe = (int) (at / file.objectSize());
      long next = Math.min(end, (stripe + 1L) * file.objectSize());
      boolean first = true;
      List<Integer> acting = pool.acting(file.stripe(stripe));
      copies = nearness == BY_COPIES ? Math.max(copies, acting.size()) : MOST;
      for (int id : acting) {
        Optional<Osd> osd = pool.osd(id);
        if (osd.isPresent()) {
          Share share = shares.computeIfAbsent(osd.get().host(), any -> new Share(osd.get()));
          share.bytes += next - at;
          share.primary += first ? next - at : 0;
        }
        first = false;
      }
      at = next;
    }
    return shares.values().stream()
        .sorted(nearness)
        .limit(Math.max(MOST, copies))
        .map(share -> share.osd)
        .toList();
  }
}
