// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.shard;

import io.radosfs.connector.index.LruCache;
import io.radosfs.connector.index.ShardRouter;
import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has directories split in time. RADOS does not tell how many keys an object has, so a client that
 * has added a certain number of names to a directory counts all that are there. Clients that add
 * fewer leave it to others, and to {@code radosfs gc}.
 *
 * <p>Thread-safe.
 */
public final class DirectoryGrowth {

  private static final Logger LOG = LoggerFactory.getLogger(DirectoryGrowth.class);
  private static final int REMEMBERED = 10_000;

  private final IndexSplitter splitter;
  private final ShardRouter router;
  private final Sharding sharding;
  private final LruCache<FsPath, Integer> added = new LruCache<>(REMEMBERED);

  public DirectoryGrowth(IndexSplitter splitter, ShardRouter router, Sharding sharding) {
    this.splitter = splitter;
    this.router = router;
    this.sharding = sharding;
  }

  /** Notes that names were added to a directory. Mostly no operation. A failure is only logged. */
  public void added(FsPath directory, int names) {
    if (names == 0 || router.remembered(directory).isPresent()) {
      return;
    }
    int since = added.merge(directory, names, Integer::sum);
    // Of several threads that add at a time, the one whose sum is the last counts the names.
    if (since >= sharding.countedEvery() && added.forget(directory, since)) {
      boolean unused = splitIfLarge(directory, 0);
    }
  }

  /**
   * Notes that names are about to be added to a directory. No operation if they are few.
   *
   * @return true if they were counted and, with those already there, fit one object, so that they
   *     need not be counted again
   */
  public boolean adding(FsPath directory, int names) {
    return names >= sharding.countedEvery()
        && router.remembered(directory).isEmpty()
        && splitIfLarge(directory, names);
  }

  /** Logs a failure: the directory serves split or not; its next change finishes a split. */
  private boolean splitIfLarge(FsPath directory, int more) {
    try {
      return splitter.splitIfLarge(directory, more);
    } catch (IOException | RuntimeException e) {
      LOG.warn("directory {} may have to be split into shards, but could not be", directory, e);
      return false;
    }
  }
}
