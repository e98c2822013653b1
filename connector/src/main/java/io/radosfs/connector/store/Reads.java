// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * Reads that are asked again, a bounded number of times, when their answer is lost; not when all
 * the time has gone that there is for it ({@link StoreException#isWorthRepeating}).
 */
public final class Reads {

  private static final int ATTEMPTS = 3;

  private Reads() {}

  public static ReadResult read(ObjectStore store, String object, ReadOp op) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return store.read(object, op);
      } catch (StoreException e) {
        if (!e.isWorthRepeating() || attempt >= ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  public static CompletableFuture<ReadResult> readAsync(
      ObjectStore store, String object, ReadOp op) {
    return readAsync(store, object, op, ATTEMPTS);
  }

  private static CompletableFuture<ReadResult> readAsync(
      ObjectStore store, String object, ReadOp op, int attempts) {
    CompletableFuture<ReadResult> answer = store.readAsync(object, op);
    if (attempts <= 1) {
      return answer;
    }
    return answer.exceptionallyCompose(
        thrown ->
            Await.failure(thrown) instanceof StoreException e && e.isWorthRepeating()
                ? readAsync(store, object, op, attempts - 1)
                : CompletableFuture.failedFuture(thrown));
  }
}
