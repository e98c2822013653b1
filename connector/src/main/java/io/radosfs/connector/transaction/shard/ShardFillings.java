// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.shard;

import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.IndexWriter;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.store.BatchLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the shards of a directory that is being split are still to be filled with. A shard's part is
 * written when it fills one operation; the largest part is written when all parts together exceed a
 * bound. So a directory of any size takes bounded memory. For one thread.
 */
final class ShardFillings {

  /** Names with which a shard is filled in one operation. */
  private static final int FILLED_AT_ONCE = 1024;

  /** How many operations' worth of bytes is held at most. */
  private static final int OPERATIONS_HELD = 4;

  private final IndexWriter writer;
  private final Map<IndexObject, IndexHead> toFill;
  private final BatchLimit limit;
  private final long mostHeld;
  private final SortedMap<IndexObject, Filling> fillings = new TreeMap<>();
  private long held;

  /** A change of a shard that is not written yet. */
  private static final class Filling {
    private final IndexChange change;
    private long bytes;

    Filling(IndexChange change) {
      this.change = change;
    }
  }

  /**
   * @param toFill the shards, with the heads that the filling is guarded with
   */
  ShardFillings(IndexWriter writer, Map<IndexObject, IndexHead> toFill, BatchLimit limit) {
    this.writer = writer;
    this.toFill = toFill;
    this.limit = limit.withNames(FILLED_AT_ONCE);
    this.mostHeld = OPERATIONS_HELD * limit.bytes();
  }

  /**
   * Adds an entry to what a shard is to be filled with. Sometimes one write, rarely two.
   *
   * @return false if a write was refused, and the directory must be read again
   */
  boolean add(IndexObject shard, String key, byte[] value) throws IOException {
    long bytes = key.length() + value.length;
    Filling filling = fillings.computeIfAbsent(shard, this::begin);
    if (filling.change.keysSet() > 0
        && !limit.allows(filling.change.keysSet() + 1L, filling.bytes + bytes)) {
      if (!fill(shard)) {
        return false;
      }
      filling = fillings.computeIfAbsent(shard, this::begin);
    }
    filling.change.set(key, value);
    filling.bytes += bytes;
    held += bytes;
    return held <= mostHeld || fill(largest());
  }

  private Filling begin(IndexObject shard) {
    return new Filling(IndexChange.of(shard, toFill.get(shard)));
  }

  private IndexObject largest() {
    return fillings.entrySet().stream()
        .max(Comparator.comparingLong(filling -> filling.getValue().bytes))
        .orElseThrow()
        .getKey();
  }

  private boolean fill(IndexObject shard) throws IOException {
    Filling filling = fillings.remove(shard);
    held -= filling.bytes;
    return writer.applyUnseen(filling.change);
  }

  /** What is left for each shard, for some nothing. To be called at the end. */
  Collection<IndexChange> rest() {
    List<IndexChange> rest = new ArrayList<>();
    for (IndexObject shard : toFill.keySet()) {
      rest.add(fillings.computeIfAbsent(shard, this::begin).change);
    }
    return rest;
  }
}
