// SPDX-License-Identifier: Apache-2.0
package io.radosfs.micro;

import io.radosfs.connector.store.ForwardingObjectStore;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.ReadResult.StepResult;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Takes and gives the data of streams at once: every write succeeds, and every byte is there. What
 * is measured on it is what the streams cost without RADOS. All else is asked of another store.
 */
final class AnsweringStore extends ForwardingObjectStore {

  private final byte[] bytes = new byte[SampleFiles.OBJECT_SIZE];

  AnsweringStore(ObjectStore others) {
    super(others);
  }

  @Override
  public void write(String object, WriteOp op) {}

  @Override
  public CompletableFuture<Void> writeAsync(String object, WriteOp op) {
    return CompletableFuture.completedFuture(null);
  }

  /** With the copy that librados makes. */
  @Override
  public CompletableFuture<Void> writeAsync(
      String object, WriteOp op, CompletableFuture<Void> turn) {
    WriteOp own = op.withOwnData();
    return turn.thenCompose(now -> writeAsync(object, own));
  }

  @Override
  public CompletableFuture<ReadResult> readAsync(String object, ReadOp op) {
    List<StepResult> results = new ArrayList<>();
    for (ReadOp.Step step : op.steps()) {
      if (step instanceof ReadOp.Data data) {
        ByteBuffer into = data.into().duplicate();
        int count = into.remaining();
        into.put(bytes, 0, count);
        results.add(new ReadResult.Bytes(count));
      } else if (step instanceof ReadOp.CompareXattr) {
        results.add(new ReadResult.Passed());
      } else {
        return super.readAsync(object, op);
      }
    }
    return CompletableFuture.completedFuture(new ReadResult(results));
  }

  @Override
  public ReadResult read(String object, ReadOp op) throws IOException {
    return readAsync(object, op).join();
  }
}
