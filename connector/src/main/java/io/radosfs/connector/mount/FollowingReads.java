// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.Await;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.PoolPlacement;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The data pool of a file that is being read, through the current connection. A stream may be open
 * for long. Each connection reads the same bytes, as data never changes and names of objects never
 * come again. If a read finds its connection cut off, or another has taken its place and closed it,
 * it is repeated once, with the next one.
 *
 * <p>For reads of data only; everything else throws. Its mount closes the stores.
 */
final class FollowingReads implements ObjectStore {

  private final LastingMount mount;
  private final FileData file;
  private final String pool;
  private final String namespace;

  /**
   * @param store the store by which the file is read first
   */
  FollowingReads(LastingMount mount, FileData file, ObjectStore store) {
    this.mount = mount;
    this.file = file;
    this.pool = store.pool();
    this.namespace = store.namespace();
  }

  @Override
  public String pool() {
    return pool;
  }

  @Override
  public String namespace() {
    return namespace;
  }

  @Override
  public ReadResult read(String object, ReadOp op) throws IOException {
    return Await.get(readAsync(object, op));
  }

  @Override
  public CompletableFuture<ReadResult> readAsync(String object, ReadOp op) {
    Mount first = mount.latest();
    return current(first, object, op)
        .exceptionallyCompose(
            thrown ->
                isOver(first, Await.failure(thrown))
                    ? current(mount.latest(), object, op)
                    : CompletableFuture.failedFuture(thrown));
  }

  /** A read that had no answer in its time would have none in as much more. */
  private boolean isOver(Mount by, IOException failure) {
    return failure instanceof StoreException e && e.is(Kind.BLOCKLISTED)
        || by != mount.latest() && !Failures.isUnanswered(failure);
  }

  private CompletableFuture<ReadResult> current(Mount latest, String object, ReadOp op) {
    return latest.isCutOff()
        ? mount.currentAsync().thenCompose(now -> asked(now, object, op))
        : asked(latest, object, op);
  }

  private CompletableFuture<ReadResult> asked(Mount by, String object, ReadOp op) {
    try {
      return by.dataStores().of(file).readAsync(object, op);
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public void write(String object, WriteOp op) {
    throw forReadingOnly();
  }

  @Override
  public CompletableFuture<Void> writeAsync(String object, WriteOp op) {
    throw forReadingOnly();
  }

  @Override
  public PoolUsage usage() {
    throw forReadingOnly();
  }

  @Override
  public Set<String> applications() {
    throw forReadingOnly();
  }

  @Override
  public PoolPlacement placement() {
    throw forReadingOnly();
  }

  @Override
  public void list(NameReader names) {
    throw forReadingOnly();
  }

  @Override
  public void close() {
    throw forReadingOnly();
  }

  private UnsupportedOperationException forReadingOnly() {
    return new UnsupportedOperationException("only the data of " + file.origin() + " is read here");
  }
}
