// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads the manifests of a job's record in pages that fit the memory of a driver, whatever their
 * size: the sizes in one page determine the length of the next. Not thread-safe.
 */
final class ManifestPages {

  /**
   * Manifests in the first page, when their sizes are not known yet. It is read together with the
   * rest of the record and holds all manifests of a small job. At worst it is this many times what
   * one operation takes.
   */
  private static final int FIRST = 16;

  /** The same for a first page that is a separate read: a short one costs one read at most. */
  private static final int FIRST_BY_KEYS = 2;

  /** Maximum growth from one page to the next, as the next manifests may be larger. */
  private static final int GROWTH = 8;

  private static final long PAGE_BYTES = 4 << 20;

  private final String object;
  private final RecordReader.Reader reader;
  private SortedMap<String, byte[]> page = new TreeMap<>();
  private String after = "";
  private int size = FIRST;
  private boolean more = true;

  ManifestPages(String object, RecordReader.Reader reader) {
    this.object = object;
    this.reader = reader;
  }

  /** Adds a step that reads the first page to an operation. */
  void askForFirst(ReadOp.Builder op) {
    op.omapRange("", RecordKeys.MANIFEST_PREFIX, size);
  }

  /** Takes a page from the result of a step. */
  void first(ReadResult result, int step) {
    page = result.omap(step);
    more = result.more(step);
  }

  /** Hands out the first page, then reads and hands out the others. */
  void readAll(JobRecord.ManifestReader manifests) throws IOException {
    while (true) {
      long bytes = 0;
      for (Map.Entry<String, byte[]> manifest : page.entrySet()) {
        bytes += manifest.getValue().length;
        after = manifest.getKey();
        manifests.read(attempt(manifest.getKey()), manifest.getValue());
      }
      if (!more) {
        return;
      }
      fit(page.size(), bytes, JobRecord.PAGE);
      page = new TreeMap<>(); // freed before the next is read
      ReadResult result =
          reader.read(ReadOp.builder().omapRange(after, RecordKeys.MANIFEST_PREFIX, size).build());
      first(result, 0);
    }
  }

  /** Sets the length of the next page, given the number and bytes of manifests in this one. */
  private void fit(int manifests, long bytes, int most) {
    long fitting = manifests == 0 ? FIRST : PAGE_BYTES * manifests / Math.max(1, bytes);
    size = (int) Math.max(1, Math.min(fitting, Math.min(most, (long) size * GROWTH)));
  }

  /** Reads the manifests of these attempts, a few at a time. */
  void read(Collection<TaskAttempt> attempts, JobRecord.ManifestReader manifests)
      throws IOException {
    List<TaskAttempt> all = new ArrayList<>(attempts);
    int from = 0;
    size = FIRST_BY_KEYS;
    while (from < all.size()) {
      List<TaskAttempt> some = all.subList(from, Math.min(all.size(), from + size));
      from += some.size();
      List<String> keys = some.stream().map(RecordKeys::manifest).toList();
      long bytes = 0;
      int found = 0;
      for (Map.Entry<String, byte[]> manifest :
          reader.read(ReadOp.builder().omapByKeys(keys).build()).omap(0).entrySet()) {
        manifests.read(attempt(manifest.getKey()), manifest.getValue());
        bytes += manifest.getValue().length;
        found++;
      }
      fit(found, bytes, FIRST);
    }
  }

  private TaskAttempt attempt(String key) throws LayoutException {
    return RecordReader.attempt(object, key, RecordKeys.MANIFEST_PREFIX);
  }
}
