// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * How much of something one operation takes at most, where there may be any amount of it: names, or
 * what else there is one by one, and bytes. What is more goes into several operations.
 *
 * <p>An operation is refused beyond {@code osd_max_write_size} (90 MB), guards and keys counted; it
 * keeps an OSD from others' work, and is held in memory by the client and by each replica. The
 * bytes of a limit are upper bounds of what is stored, of which an operation may carry some twice,
 * as guards or in a list of what is to be deleted: so they are to be well below what is refused.
 *
 * <p>Reading has no such limit: a page of omap is bounded by its names alone ({@link
 * ReadOp.OmapRange}), to an OSD a gigabyte is not too much. So a reader of pages is bounded by what
 * one value may have, and holds no more than a page of what is large:
 *
 * <ul>
 *   <li>entries and intents have 16 KiB of extended attributes, names included: rarely more than 24
 *       KiB as stored, and 24 MiB a page of 1,024. Whoever holds more than a page holds them
 *       without attributes, as listings do, or up to a few times this limit;
 *   <li>all else that is in an index, a ledger or a list, and the files in a job's record, are
 *       paths and numbers: less than 10 KiB each, and as a rule 500 bytes;
 *   <li>a manifest may have what an operation takes, 64 MiB. Manifests are read few at first, and
 *       then as many as fit by what those before had.
 * </ul>
 *
 * @param names at most so many, and at least one
 * @param bytes at most so many, but for one name that has more
 */
public record BatchLimit(int names, long bytes) {

  /**
   * Short for an OSD, some quarter of a second, and a small part of what is refused. As a rule a
   * name takes less than 1,000 bytes, so that the number of names is what counts.
   */
  public static final BatchLimit DEFAULT = new BatchLimit(16_384, 16L << 20);

  public BatchLimit {
    if (names < 1 || bytes < 1) {
      throw new IllegalArgumentException("a limit of " + names + " names, " + bytes + " bytes");
    }
  }

  /** The same, of no more than so many names. */
  public BatchLimit withNames(int most) {
    return new BatchLimit(Math.min(names, most), bytes);
  }

  /** Whether so much fits one operation. */
  public boolean allows(long someNames, long someBytes) {
    return someNames <= 1 || (someNames <= names && someBytes <= bytes);
  }

  /** Cuts what there is into batches, in its order; into one where all of it fits one. */
  public <T> List<List<T>> cut(Collection<T> all, ToLongFunction<? super T> size) {
    List<List<T>> batches = new ArrayList<>();
    List<T> batch = new ArrayList<>();
    long sum = 0;
    for (T one : all) {
      long more = size.applyAsLong(one);
      if (!allows(batch.size() + 1L, sum + more)) {
        batches.add(batch);
        batch = new ArrayList<>();
        sum = 0;
      }
      batch.add(one);
      sum += more;
    }
    if (!batch.isEmpty()) {
      batches.add(batch);
    }
    return batches;
  }
}
