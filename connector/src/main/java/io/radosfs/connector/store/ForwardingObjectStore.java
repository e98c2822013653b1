// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Base class of stores that wrap another store. Each method calls the same method of that store; a
 * subclass overrides those that it changes.
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
  public Set<String> applications() throws IOException {
    return store.applications();
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
   * Returns a future that ends as the operation does, after the outcome was looked at. It is a new
   * future, so that it fails with the failure itself and not with a wrapper.
   *
   * @param answered gets the answer before the caller has it
   * @param failed returns what the future fails with, given the failure of the operation
   */
  protected static <T> CompletableFuture<T> lookedAt(
      CompletableFuture<T> operation, Consumer<T> answered, UnaryOperator<Throwable> failed) {
    CompletableFuture<T> lookedAt = new CompletableFuture<>();
    operation.whenComplete(
        (answer, thrown) -> {
          try {
            if (thrown == null) {
              answered.accept(answer);
              lookedAt.complete(answer);
            } else {
              boolean wrapped = thrown instanceof CompletionException && thrown.getCause() != null;
              lookedAt.completeExceptionally(failed.apply(wrapped ? thrown.getCause() : thrown));
            }
          } catch (RuntimeException | Error e) {
            // As where no memory is left for a message: whoever waits must not wait for ever.
            lookedAt.completeExceptionally(thrown == null ? e : thrown);
          }
        });
    return lookedAt;
  }
}
