// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Reads the manifests of a job's record in pages that fit the memory of a driver, whatever their
 * size: the sizes in one page determine the length of the next, and {@link ManifestSizes} the
 * greatest length of any. Each page is guarded with all manifests being small, until one is
 * refused. Not thread-safe.
 */
final class ManifestPages {

  /**
   * Maximum number of manifests in the first page, and of those that are read by their keys. The
   * first page is read together with the rest of the record and holds all manifests of a small job.
   */
  private static final int FIRST = 16;

  /** Maximum growth from one page to the next. */
  private static final int GROWTH = 8;

  private static final long PAGE_BYTES = 4 << 20;

  private final String object;
  private final RecordReader.Reader reader;
  private SortedMap<String, byte[]> page = new TreeMap<>();
  private String after = "";
  private int size = FIRST;
  private int most = JobRecord.PAGE;
  private boolean guarded = true;
  private boolean more = true;

  ManifestPages(String object, RecordReader.Reader reader) {
    this.object = object;
    this.reader = reader;
  }

  /**
   * Adds two steps to an operation: a guard, which may refuse it, and one that reads the first
   * page.
   */
  void askForFirst(ReadOp.Builder op) {
    ManifestSizes.ifAllSmall(op).omapRange("", RecordKeys.MANIFEST_PREFIX, size);
  }

  /** Takes a page from the result of a step. */
  void take(ReadResult result, int step) {
    page = result.omap(step);
    more = result.more(step);
  }

  /** Hands out the first page, if it was taken, then reads and hands out the others. */
  void readAll(JobRecord.ManifestReader manifests) throws IOException {
    while (true) {
      long bytes = handOut(manifests);
      if (!more) {
        return;
      }
      fit(page.size(), bytes, JobRecord.PAGE);
      next();
    }
  }

  private void next() throws IOException {
    boolean taken = false;
    while (!taken) {
      taken = read(op -> op.omapRange(after, RecordKeys.MANIFEST_PREFIX, size), this::take);
    }
  }

  /** Sets the length of the next page, if this one has manifests of so many bytes in all. */
  private void fit(int manifests, long bytes, int longest) {
    if (manifests == 0) {
      return;
    }
    long fitting = PAGE_BYTES * manifests / Math.max(1, bytes);
    long grown = Math.min(longest, (long) size * GROWTH);
    size = (int) Math.max(1, Math.min(Math.min(fitting, most), grown));
  }

  /** Reads the manifests of these attempts, a few at a time. */
  void read(Collection<TaskAttempt> attempts, JobRecord.ManifestReader manifests)
      throws IOException {
    List<TaskAttempt> all = new ArrayList<>(attempts);
    int from = 0;
    while (from < all.size()) {
      List<TaskAttempt> some = all.subList(from, Math.min(all.size(), from + size));
      List<String> keys = some.stream().map(RecordKeys::manifest).toList();
      if (read(op -> op.omapByKeys(keys), (result, step) -> page = result.omap(step))) {
        from += some.size();
        fit(page.size(), handOut(manifests), FIRST);
      }
    }
  }

  /** Hands out the page; returns its bytes. */
  private long handOut(JobRecord.ManifestReader manifests) throws IOException {
    long bytes = 0;
    for (Map.Entry<String, byte[]> manifest : page.entrySet()) {
      bytes += manifest.getValue().length;
      after = manifest.getKey();
      manifests.read(attempt(manifest.getKey()), manifest.getValue());
    }
    return bytes;
  }

  /** Takes the result of a step. */
  private interface Taker {
    void take(ReadResult result, int step);
  }

  /** Runs a read of one step; returns false if it was refused, as it asked for too many. */
  private boolean read(Consumer<ReadOp.Builder> step, Taker taker) throws IOException {
    page = new TreeMap<>(); // freed before the next is read
    ReadOp.Builder op = ReadOp.builder();
    if (guarded) {
      ManifestSizes.ifAllSmall(op);
    }
    step.accept(op);
    try {
      taker.take(reader.read(op.build()), guarded ? 1 : 0);
      return true;
    } catch (StoreException e) {
      refused(e);
      return false;
    }
  }

  /**
   * Finds how many manifests one page may have after a page was refused. One read.
   *
   * @throws StoreException {@code refusal}, if it is no refusal
   */
  void refused(StoreException refusal) throws IOException {
    if (!guarded || !refusal.is(Kind.GUARD_FAILED)) {
      throw refusal;
    }
    guarded = false;
    ReadOp look = ReadOp.builder().omapByKeys(ManifestSizes.keys()).build();
    most = ManifestSizes.atOnceIfRefused(reader.read(look).omap(0));
    size = (int) Math.max(1, Math.min(size, most * PAGE_BYTES / ManifestSizes.MOST));
  }

  private TaskAttempt attempt(String key) throws LayoutException {
    return RecordReader.attempt(object, key, RecordKeys.MANIFEST_PREFIX);
  }
}
