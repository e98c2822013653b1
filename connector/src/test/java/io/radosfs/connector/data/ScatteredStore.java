// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.store.ForwardingObjectStore;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets asynchronous operations take effect and be answered in any order, by other threads, a little
 * later.
 */
final class ScatteredStore extends ForwardingObjectStore {

  private final Random random;
  private final ExecutorService threads = Executors.newFixedThreadPool(6);
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger mostUnderWay = new AtomicInteger();

  ScatteredStore(ObjectStore delegate, long seed) {
    super(delegate);
    this.random = new Random(seed);
  }

  int mostUnderWay() {
    return mostUnderWay.get();
  }

  @Override
  public CompletableFuture<Void> writeAsync(String object, WriteOp op) {
    WriteOp own = op.withOwnData();
    return later(
        () -> {
          write(object, own);
          return null;
        });
  }

  @Override
  public CompletableFuture<Void> writeAsync(
      String object, WriteOp op, CompletableFuture<Void> turn) {
    WriteOp own = op.withOwnData();
    return turn.thenCompose(now -> writeAsync(object, own));
  }

  @Override
  public CompletableFuture<ReadResult> readAsync(String object, ReadOp op) {
    return later(() -> read(object, op));
  }

  private interface Operation<T> {
    T run() throws IOException;
  }

  private <T> CompletableFuture<T> later(Operation<T> operation) {
    mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
    int micros;
    synchronized (random) {
      micros = random.nextInt(10) == 0 ? 2000 : random.nextInt(200);
    }
    return CompletableFuture.supplyAsync(
        () -> {
          LockSupport.parkNanos(micros * 1000L);
          try {
            return operation.run();
          } catch (IOException e) {
            throw new CompletionException(e);
          } finally {
            underWay.decrementAndGet();
          }
        },
        threads);
  }

  @Override
  public void close() throws StoreException {
    threads.shutdownNow();
  }
}
