package io.radosfs.connector.mount;

import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.PoolPlacement;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;

/**
 * Fails with an {@link org.apache.hadoop.security.AccessControlException} where the Ceph user may
 * not do what it tries, so that it is the same whatever was tried: a look-up, a stripe of a file, a
 * job's commit. A denied operation had no effect. All else is the other store's.
 */
final class DenialExplainingStore implements ObjectStore {

  private final ObjectStore store;
  private final UnaryOperator<IOException> explain;

  /**
   * @param explain the exception to throw instead
   */
  DenialExplainingStore(ObjectStore store, UnaryOperator<IOException> explain) {
    this.store = store;
    this.explain = explain;
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
    try {
      store.write(object, op);
    } catch (IOException e) {
      throw explain.apply(e);
    }
  }

  @Override
  public CompletableFuture<Void> writeAsync(String object, WriteOp op) {
    return explained(store.writeAsync(object, op));
  }

  @Override
  public CompletableFuture<Void> writeAsync(
      String object, WriteOp op, CompletableFuture<Void> turn) {
    return explained(store.writeAsync(object, op, turn));
  }

  @Override
  public ReadResult read(String object, ReadOp op) throws IOException {
    try {
      return store.read(object, op);
    } catch (IOException e) {
      throw explain.apply(e);
    }
  }

  @Override
  public CompletableFuture<ReadResult> readAsync(String object, ReadOp op) {
    return explained(store.readAsync(object, op));
  }

  @Override
  public PoolPlacement placement() {
    return store.placement();
  }

  @Override
  public PoolUsage usage() throws IOException {
    try {
      return store.usage();
    } catch (IOException e) {
      throw explain.apply(e);
    }
  }

  @Override
  public void list(NameReader names) throws IOException {
    try {
      store.list(names);
    } catch (IOException e) {
      throw explain.apply(e);
    }
  }

  @Override
  public void close() throws IOException {
    store.close();
  }

  /** A future of its own, so that its failure is the exception and not one wrapped around. */
  private <T> CompletableFuture<T> explained(CompletableFuture<T> operation) {
    CompletableFuture<T> explained = new CompletableFuture<>();
    operation.whenComplete(
        (result, thrown) -> {
          if (thrown == null) {
            explained.complete(result);
            return;
          }
          Throwable cause =
              thrown instanceof CompletionException && thrown.getCause() != null
                  ? thrown.getCause()
                  : thrown;
          explained.completeExceptionally(
              cause instanceof IOException failure ? explain.apply(failure) : cause);
        });
    return explained;
  }
}
