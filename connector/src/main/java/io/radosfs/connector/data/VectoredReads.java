// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.store.Await;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.FileRange;

/**
 * Reads many ranges of a file at once, each straight into a buffer from its caller's allocator.
 *
 * <p><b>Cost.</b> One operation reads everything that is wanted of a stripe, with a step for each
 * range, up to {@value #MOST_PARTS}. Bytes between ranges are not read, so there is nothing to
 * merge or to discard. At most {@value #MOST_UNDER_WAY} operations are under way; the others start
 * as answers come. The caller waits for none of them.
 *
 * <p><b>Threads.</b> What depends on a range's future runs in the thread that completes it, and may
 * wait for anything, other ranges included. librados has one thread for all answers of a
 * connection, so it hands each range over to a thread of this process.
 *
 * <p>A class of its own, as Hadoop before 3.3.5 has no {@link FileRange}.
 */
final class VectoredReads {

  private static final int MOST_UNDER_WAY = 32;
  private static final int MOST_PARTS = 64;

  /** It makes another thread for one that waits for a future, and ends threads that are idle. */
  private static final Executor COMPLETING =
      new ForkJoinPool(
          Math.max(2, Runtime.getRuntime().availableProcessors()),
          VectoredReads::completingThread,
          /* handler= */ null,
          /* asyncMode= */ true);

  private final StripeReader reader;
  private final IntFunction<ByteBuffer> allocate;
  private final OperationWindow window = new OperationWindow(MOST_UNDER_WAY);
  private final List<StripeReader.Part> parts = new ArrayList<>();
  private final List<Pending> partOwners = new ArrayList<>();
  private int operations;

  private VectoredReads(StripeReader reader, IntFunction<ByteBuffer> allocate) {
    this.reader = reader;
    this.allocate = allocate;
  }

  /**
   * Starts reading, and sets each range's future. The future fails or completes only when nothing
   * is read into its buffer any more.
   *
   * @return the number of operations
   * @throws EOFException if a range is not within the file
   * @throws IllegalArgumentException if ranges overlap, or a length is negative
   */
  static int start(
      StripeReader reader, List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate)
      throws IOException {
    VectoredReads reads = new VectoredReads(reader, allocate);
    reads.start(sorted(ranges, reader.file().length()));
    return reads.operations;
  }

  private static ForkJoinWorkerThread completingThread(ForkJoinPool pool) {
    ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
    thread.setName("radosfs-ranges-" + thread.getPoolIndex());
    return thread;
  }

  /** Not by Hadoop's utilities: releases that have vectored reads differ in their methods. */
  private static List<FileRange> sorted(List<? extends FileRange> ranges, long length)
      throws EOFException {
    List<FileRange> sorted = new ArrayList<>(ranges);
    sorted.sort(Comparator.comparingLong(FileRange::getOffset));
    FileRange before = null;
    for (FileRange range : sorted) {
      if (range.getLength() < 0) {
        throw new IllegalArgumentException("the length of " + range + " is negative");
      }
      if (range.getOffset() < 0 || range.getLength() > length - range.getOffset()) {
        throw new EOFException(range + " is not within the file, which has " + length + " bytes");
      }
      if (before != null && before.getOffset() + before.getLength() > range.getOffset()) {
        throw new IllegalArgumentException(before + " and " + range + " overlap");
      }
      before = range;
    }
    return sorted;
  }

  private void start(List<? extends FileRange> sorted) {
    List<Pending> all = new ArrayList<>();
    for (FileRange range : sorted) {
      Pending pending = new Pending(range);
      range.setData(pending.result);
      all.add(pending);
    }
    try {
      for (Pending pending : all) {
        begin(pending);
      }
      send();
    } catch (RuntimeException | Error e) { // as of an allocator that has no memory left
      all.forEach(pending -> pending.failure = e);
      throw e;
    } finally {
      all.forEach(Pending::endWithOperations);
    }
  }

  private void begin(Pending pending) {
    int length = pending.range.getLength();
    ByteBuffer buffer = allocate.apply(length);
    pending.buffer = buffer;
    long position = pending.range.getOffset();
    int done = 0;
    while (done < length) {
      if (!parts.isEmpty()
          && (parts.size() >= MOST_PARTS
              || reader.stripeOf(parts.get(0).position()) != reader.stripeOf(position))) {
        send();
      }
      int size = (int) Math.min(length - done, reader.endOfStripe(position) - position);
      ByteBuffer room = buffer.duplicate();
      room.position(done).limit(done + size);
      parts.add(new StripeReader.Part(position, room));
      partOwners.add(pending);
      position += size;
      done += size;
    }
  }

  private void send() {
    if (parts.isEmpty()) {
      return;
    }
    List<StripeReader.Part> together = List.copyOf(parts);
    CompletableFuture<Void> operation =
        window.start(turn -> turn.thenCompose(now -> reader.read(together)));
    operations++;
    for (Pending owner : partOwners) {
      owner.operations.add(operation);
    }
    parts.clear();
    partOwners.clear();
  }

  /** A range and the operations that read it. */
  private static final class Pending {
    final FileRange range;
    final CompletableFuture<ByteBuffer> result = new CompletableFuture<>();
    final List<CompletableFuture<Void>> operations = new ArrayList<>();
    ByteBuffer buffer;
    private Throwable failure;

    Pending(FileRange range) {
      this.range = range;
    }

    void endWithOperations() {
      CompletableFuture.allOf(operations.toArray(CompletableFuture[]::new))
          .whenCompleteAsync(
              (done, thrown) -> {
                if (thrown != null) {
                  result.completeExceptionally(Await.failure(thrown));
                } else if (failure != null) {
                  result.completeExceptionally(failure);
                } else {
                  buffer.position(0).limit(range.getLength());
                  result.complete(buffer);
                }
              },
              COMPLETING);
    }
  }
}
