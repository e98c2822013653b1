// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Another store, for those that change something about it: each method does what the other's does,
 * and a subclass overrides what it changes.
 */
public abstract class ForwardingObjectStore implements ObjectStore {

  private final ObjectStore store;

  protected ForwardingObjectStore(ObjectStore store) {
    this.store = store;
  }

  @Override
  public String pool() {
    return store.pool();
  }

  @Override
  public String namespace() {
    return store.namespace();
  }

  @Override
  public void write(String object, WriteOp op) throws IOException {
    store.write(object, op);
  }

  @Override
  public CompletableFuture<Void> writeAsync(String object, WriteOp op) {
    return store.writeAsync(object, op);
  }

  @Override
  public CompletableFuture<Void> writeAsync(
      String object, WriteOp op, CompletableFuture<Void> turn) {
    return store.writeAsync(object, op, turn);
  }

  @Override
  public ReadResult read(String object, ReadOp op) throws IOException {
    return store.read(object, op);
  }

  @Override
  public CompletableFuture<ReadResult> readAsync(String object, ReadOp op) {
    return store.readAsync(object, op);
  }

  @Override
  public PoolUsage usage() throws IOException {
    return store.usage();
  }

  @Override
  public PoolPlacement placement() {
    return store.placement();
  }

  @Override
  public void list(NameReader names) throws IOException {
    store.list(names);
  }

  @Override
  public void close() throws IOException {
    store.close();
  }

  /**
   * What an operation ends with, looked at before its caller has it. A future of its own, so that
   * its failure is the one that is said and not one wrapped around it.
   *
   * @param answered told of the answer
   * @param failed says what to fail with, of what the operation has failed with
   */
  protected static <T> CompletableFuture<T> lookedAt(
      CompletableFuture<T> operation, Consumer<T> answered, UnaryOperator<Throwable> failed) {
    CompletableFuture<T> lookedAt = new CompletableFuture<>();
    operation.whenComplete(
        (answer, thrown) -> {
          if (thrown == null) {
            answered.accept(answer);
            lookedAt.complete(answer);
          } else {
            boolean wrapped = thrown instanceof CompletionException && thrown.getCause() != null;
            lookedAt.completeExceptionally(failed.apply(wrapped ? thrown.getCause() : thrown));
          }
        });
    return lookedAt;
  }
}
