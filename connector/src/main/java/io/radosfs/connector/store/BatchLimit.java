// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The most that one operation takes of a list of any length: a number of names (or other items) and
 * a number of bytes. A longer list goes into several operations.
 *
 * <p>An OSD refuses an operation beyond {@code osd_max_write_size} (90 MB), guards and keys
 * included. A large operation also keeps the OSD from other work, and the client and each replica
 * hold it in memory. The bytes are upper bounds of what is stored. An operation may carry some of
 * them twice, as guards or in a list of deferred deletions, so the limit must be well below what an
 * OSD refuses.
 *
 * <p>Reads have no such limit: the number of names alone bounds a page of omap ({@link
 * ReadOp.OmapRange}), and a gigabyte is not too much for an OSD. So the size of a value bounds what
 * a reader of pages holds, which is one page of large values:
 *
 * <ul>
 *   <li>entries and intents have at most 16 KiB of extended attributes, names included: rarely more
 *       than 24 KiB as stored, and 24 MiB a page of 1,024. A caller that holds more than a page
 *       drops the attributes, as listings do, or holds up to a few times this limit;
 *   <li>all other values in an index, a ledger or a list, and the files in a job's record, are
 *       paths and numbers: less than 10 KiB each, and usually 500 bytes;
 *   <li>a manifest may have as much as an operation takes, 64 MiB. A record says how large its
 *       manifests may be, and no read takes more of them than 64 MiB.
 * </ul>
 *
 * @param names the most names of an operation; at least one
 * @param bytes the most bytes of an operation, unless a single name has more
 */
public record BatchLimit(int names, long bytes) {

  /**
   * A small part of what an OSD refuses, and short work for it, about a quarter of a second. A name
   * usually takes less than 1,000 bytes, so the number of names decides.
   */
  public static final BatchLimit DEFAULT = new BatchLimit(16_384, 16L << 20);

  public BatchLimit {
    if (names < 1 || bytes < 1) {
      throw new IllegalArgumentException("a limit of " + names + " names, " + bytes + " bytes");
    }
  }

  /** The same limit with at most so many names. */
  public BatchLimit withNames(int most) {
    return new BatchLimit(Math.min(names, most), bytes);
  }

  /** Whether one operation takes so many names and bytes. */
  public boolean allows(long someNames, long someBytes) {
    return someNames <= 1 || (someNames <= names && someBytes <= bytes);
  }

  /** Cuts a collection into batches, in its order; into one if one operation takes all of it. */
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
