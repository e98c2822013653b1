// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.store.ForwardingObjectStore;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * Fails with an {@link org.apache.hadoop.security.AccessControlException} if the Ceph user has no
 * permission, so that the error is the same for a look-up, a stripe of a file or a job's commit. A
 * denied write may have taken effect all the same: an OSD that takes it up again after peering
 * checks the rights before it looks whether it has applied it. {@link
 * io.radosfs.connector.store.FailedWrite} tells. Everything else is as in the wrapped store.
 */
final class DenialExplainingStore extends ForwardingObjectStore {

  private final UnaryOperator<IOException> explain;

  /**
   * @param explain the exception to throw instead
   */
  DenialExplainingStore(ObjectStore store, UnaryOperator<IOException> explain) {
    super(store);
    this.explain = explain;
  }

  @Override
  public void write(String object, WriteOp op) throws IOException {
    try {
      super.write(object, op);
    } catch (IOException e) {
      throw explain.apply(e);
    }
  }

  @Override
  public CompletableFuture<Void> writeAsync(String object, WriteOp op) {
    return explained(super.writeAsync(object, op));
  }

  @Override
  public CompletableFuture<Void> writeAsync(
      String object, WriteOp op, CompletableFuture<Void> turn) {
    return explained(super.writeAsync(object, op, turn));
  }

  @Override
  public ReadResult read(String object, ReadOp op) throws IOException {
    try {
      return super.read(object, op);
    } catch (IOException e) {
      throw explain.apply(e);
    }
  }

  @Override
  public CompletableFuture<ReadResult> readAsync(String object, ReadOp op) {
    return explained(super.readAsync(object, op));
  }

  @Override
  public PoolUsage usage() throws IOException {
    try {
      return super.usage();
    } catch (IOException e) {
      throw explain.apply(e);
    }
  }

  @Override
  public void list(NameReader names) throws IOException {
    try {
      super.list(names);
    } catch (IOException e) {
      throw explain.apply(e);
    }
  }

  private <T> CompletableFuture<T> explained(CompletableFuture<T> operation) {
    return lookedAt(
        operation,
        answer -> {},
        thrown -> thrown instanceof IOException failure ? explain.apply(failure) : thrown);
  }
}
