// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.store.ForwardingObjectStore;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * Has something done before each write, and fails if that fails: the superblock is stored before
 * anything else. Everything else is as in the wrapped store. The calling thread does it, so an
 * asynchronous write may block the first time.
 */
final class FirstWriteStore extends ForwardingObjectStore {

  /** What is done before each write. It is to cost nothing once it is done. */
  @FunctionalInterface
  interface BeforeWrite {
    void run() throws IOException;
  }

  private final ObjectStore unguarded;
  private final BeforeWrite before;

  FirstWriteStore(ObjectStore store, BeforeWrite before) {
    super(store);
    this.unguarded = store;
    this.before = before;
  }

  /** The wrapped store, for what is done before. */
  ObjectStore unguarded() {
    return unguarded;
  }

  @Override
  public void write(String object, WriteOp op) throws IOException {
    before.run();
    super.write(object, op);
  }

  @Override
  public CompletableFuture<Void> writeAsync(String object, WriteOp op) {
    try {
      before.run();
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
    return super.writeAsync(object, op);
  }

  @Override
  public CompletableFuture<Void> writeAsync(
      String object, WriteOp op, CompletableFuture<Void> turn) {
    try {
      before.run();
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
    return super.writeAsync(object, op, turn);
  }
}
