// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Reads that are asked again, a bounded number of times, when their answer is lost; not when all
 * the time has gone that there is for it ({@link StoreException#isWorthRepeating}).
 */
public final class Reads {

  /** Tries, of which none follows on one that has waited for as long as an operation may. */
  private static final int TRIES = 5;

  /** Of reads that others wait for. */
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

  /** The same; empty where there is no such object. */
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

  /** All keys with a prefix; none where there is no such object. ⌈n/1024⌉ reads. */
  public static SortedMap<String, byte[]> omap(ObjectStore store, String object, String prefix)
      throws IOException {
    SortedMap<String, byte[]> all = new TreeMap<>();
    String after = "";
    while (true) {
      ReadOp op = ReadOp.builder().omapRange(after, prefix, ReadOp.MAX_RANGE).build();
      Optional<ReadResult> page = find(store, object, op);
      page.ifPresent(result -> all.putAll(result.omap(0)));
      if (page.isEmpty() || !page.get().more(0)) {
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
