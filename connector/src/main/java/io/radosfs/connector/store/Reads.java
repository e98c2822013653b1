// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Reads that are repeated when their answer is lost, a bounded number of times. A read that has
 * used up its time is not repeated ({@link StoreException#isWorthRepeating}).
 */
public final class Reads {

  /** The number of tries. A try that waited for a whole operation timeout is the last one. */
  private static final int TRIES = 5;

  /** The number of tries of an asynchronous read, which other work waits for. */
  private static final int ASYNC_TRIES = 3;

  private Reads() {}

  public static ReadResult read(ObjectStore store, String object, ReadOp op) throws IOException {
    for (int i = 1; ; i++) {
      try {
        return store.read(object, op);
      } catch (StoreException e) {
        if (!e.isWorthRepeating() || i == TRIES) {
          throw e;
        }
      }
    }
  }

  /** The same as {@link #read}, but empty if there is no such object. */
  public static Optional<ReadResult> find(ObjectStore store, String object, ReadOp op)
      throws IOException {
    try {
      return Optional.of(read(store, object, op));
    } catch (StoreException e) {
      if (e.is(StoreException.Kind.NOT_FOUND)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * Returns all entries whose keys have a prefix, none if there is no object, also if it is removed
   * between two reads: half of it would be taken for the whole. ⌈n/1024⌉ reads.
   */
  public static SortedMap<String, byte[]> omap(ObjectStore store, String object, String prefix)
      throws IOException {
    SortedMap<String, byte[]> all = new TreeMap<>();
    String after = "";
    while (true) {
      ReadOp op = ReadOp.builder().omapRange(after, prefix, ReadOp.MAX_RANGE).build();
      Optional<ReadResult> page = find(store, object, op);
      if (page.isEmpty()) {
        return new TreeMap<>();
      }
      all.putAll(page.get().omap(0));
      if (!page.get().more(0)) {
        return all;
      }
      after = page.get().omap(0).lastKey();
    }
  }

  public static CompletableFuture<ReadResult> readAsync(
      ObjectStore store, String object, ReadOp op) {
    return readAsync(store, object, op, ASYNC_TRIES);
  }

  private static CompletableFuture<ReadResult> readAsync(
      ObjectStore store, String object, ReadOp op, int tries) {
    CompletableFuture<ReadResult> answer = store.readAsync(object, op);
    if (tries <= 1) {
      return answer;
    }
    return answer.exceptionallyCompose(
        thrown ->
            Await.failure(thrown) instanceof StoreException e && e.isWorthRepeating()
                ? readAsync(store, object, op, tries - 1)
                : CompletableFuture.failedFuture(thrown));
  }
}
