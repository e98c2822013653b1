// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import io.radosfs.connector.store.Await;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FileRange;

/**
 * Reads many ranges of a file at once, each into a buffer from its caller's allocator: straight, if
 * that is direct, and otherwise by way of a buffer of the pool ({@link ReadMemory}).
 *
 * <p><b>Cost.</b> One operation reads everything that is wanted of a stripe, with a step for each
 * range, up to {@value #MOST_PARTS}, and {@link StripeReader#MOST} bytes. Bytes between ranges are
 * not read, so there is nothing to merge or to discard. At most {@value #MOST_UNDER_WAY} operations
 * are under way, and one at least; more only while what they need fits the budget of the streams'
 * memory. The others start as answers come, unless the stream was closed meanwhile: then their
 * ranges fail, as nobody may want their buffers any more. The caller waits for none of them.
 *
 * <p><b>Threads.</b> librados has one thread for all answers of a connection. So that one hands
 * each operation over to a thread of this process, which copies its bytes. What depends on a
 * range's future runs in the thread that completes it, and may wait for anything, other ranges
 * included: so each range has a thread of its own for that.
 *
 * <p>A class of its own, as Hadoop before 3.3.5 has no {@link FileRange}.
 */
final class VectoredReads {

  private static final int MOST_UNDER_WAY = 32;
  private static final int MOST_PARTS = 64;

  private static final int IDLE_SECONDS = 60;

  /** As many as there are answers to copy, and ranges whose dependents wait; idle ones end. */
  private static final Executor COMPLETING =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          task -> {
            Thread thread = new Thread(task, "radosfs-ranges");
            thread.setDaemon(true);
            return thread;
          });

  private final StripeReader reader;
  private final BufferPool pool;
  private final IntFunction<ByteBuffer> allocate;
  private final BooleanSupplier closed;
  private final ArrayDeque<Operation> waiting = new ArrayDeque<>();
  private int underWay;
  private boolean starting;
  private final List<StripeReader.Part> parts = new ArrayList<>();
  private final List<Pending> partOwners = new ArrayList<>();
  private int partBytes;
  private int operations;

  private VectoredReads(
      StripeReader reader,
      BufferPool pool,
      IntFunction<ByteBuffer> allocate,
      BooleanSupplier closed) {
    this.closed = closed;
    this.reader = reader;
    this.pool = pool;
    this.allocate = allocate;
  }

  /**
   * Starts reading, and sets each range's future. The future fails or completes only when nothing
   * is read into its buffer any more.
   *
   * @param closed whether the stream is closed
   * @return the number of operations
   * @throws EOFException if a range is not within the file
   * @throws IllegalArgumentException if ranges overlap, or a length is negative
   */
  static int start(
      StripeReader reader,
      BufferPool pool,
      List<? extends FileRange> ranges,
      IntFunction<ByteBuffer> allocate,
      BooleanSupplier closed)
      throws IOException {
    VectoredReads reads = new VectoredReads(reader, pool, allocate, closed);
    reads.start(sorted(ranges, reader.file().length()));
    return reads.operations;
  }

  /** In this one where none can be made, or whoever waits for the range would wait for ever. */
  private static void inAnotherThread(Runnable completion) {
    try {
      COMPLETING.execute(completion);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      completion.run();
    }
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
      // All buffers first: a caller that this fails may use those that it has given again.
      for (Pending pending : all) {
        pending.buffer = allocate.apply(pending.range.getLength());
      }
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
    ByteBuffer buffer = pending.buffer;
    long position = pending.range.getOffset();
    int done = 0;
    while (done < length) {
      if (!parts.isEmpty()
          && (parts.size() >= MOST_PARTS
              || partBytes >= StripeReader.MOST
              || reader.stripeOf(parts.get(0).position()) != reader.stripeOf(position))) {
        send();
      }
      int wanted = Math.min(length - done, StripeReader.MOST - partBytes);
      int size = Math.min(wanted, reader.most(position));
      ByteBuffer room = buffer.duplicate();
      room.position(done).limit(done + size);
      parts.add(new StripeReader.Part(position, room));
      partOwners.add(pending);
      partBytes += size;
      position += size;
      done += size;
    }
  }

  private void send() {
    if (parts.isEmpty()) {
      return;
    }
    Operation operation = new Operation(List.copyOf(parts), new CompletableFuture<>());
    operations++;
    for (Pending owner : partOwners) {
      owner.operations.add(operation.answer());
    }
    parts.clear();
    partOwners.clear();
    partBytes = 0;
    synchronized (this) {
      waiting.add(operation);
    }
    startNext();
  }

  /**
   * Starts what may be under way too. Called by whoever begins, and by each that has ended: waits
   * for nothing. One thread does it at a time, and not within itself, as it would where answers
   * come at once.
   */
  private void startNext() {
    synchronized (this) {
      if (starting) {
        return; // that one looks again
      }
      starting = true;
    }
    try {
      Optional<Started> next = takeNext();
      while (next.isPresent()) {
        start(next.get());
        next = takeNext();
      }
    } catch (RuntimeException | Error e) { // as where no memory is left
      failAll(e);
    }
  }

  private void start(Started started) {
    CompletableFuture<Void> read;
    try {
      read = read(started.memory().parts());
      read.whenCompleteAsync(
          (done, thrown) -> end(started, thrown), VectoredReads::inAnotherThread);
    } catch (RuntimeException | Error e) {
      // It may have begun: its memory is dropped, and not used again.
      synchronized (this) {
        underWay--;
      }
      started.operation().end(e);
      throw e;
    }
  }

  private CompletableFuture<Void> read(List<StripeReader.Part> parts) {
    return closed.getAsBoolean()
        ? CompletableFuture.failedFuture(
            new IOException(reader.path() + ": " + FSExceptionMessages.STREAM_IS_CLOSED))
        : reader.read(parts);
  }

  private void end(Started started, Throwable thrown) {
    Throwable failure = thrown;
    try (ReadMemory memory = started.memory()) {
      if (thrown == null) {
        memory.deliver();
      }
    } catch (RuntimeException | Error e) { // or the ranges would wait for ever
      failure = e;
    }
    synchronized (this) {
      underWay--;
    }
    try {
      started.operation().end(failure);
    } finally {
      startNext(); // or what waits would do so for ever
    }
  }

  /** Nobody would start what waits, and its ranges would wait for ever. */
  private void failAll(Throwable reason) {
    Operation left = abandonNext();
    while (left != null) {
      left.end(reason);
      left = abandonNext();
    }
  }

  private synchronized Operation abandonNext() {
    starting = !waiting.isEmpty();
    return waiting.poll();
  }

  /** If there is none, nobody starts any more until the next call. */
  private synchronized Optional<Started> takeNext() {
    Optional<ReadMemory> memory =
        waiting.isEmpty() || underWay == MOST_UNDER_WAY
            ? Optional.empty()
            : ReadMemory.of(waiting.peek().parts(), pool, underWay == 0);
    if (memory.isEmpty()) {
      starting = false;
      return Optional.empty();
    }
    Optional<Started> next = Optional.of(new Started(waiting.peek(), memory.get()));
    underWay++;
    waiting.remove();
    return next;
  }

  /** Reads parts of one stripe. */
  private record Operation(List<StripeReader.Part> parts, CompletableFuture<Void> answer) {

    /**
     * @param failure null if there is none
     */
    void end(Throwable failure) {
      if (failure == null) {
        answer.complete(null);
      } else {
        answer.completeExceptionally(failure);
      }
    }
  }

  /** An operation under way. */
  private record Started(Operation operation, ReadMemory memory) {}

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
      CompletableFuture<Void> all =
          CompletableFuture.allOf(operations.toArray(CompletableFuture[]::new));
      if (all.isDone()) {
        all.whenComplete(this::end); // in its caller's thread: no answer waits for it
      } else {
        all.whenCompleteAsync(this::end, VectoredReads::inAnotherThread);
      }
    }

    private void end(Void done, Throwable thrown) {
      try {
        if (thrown != null) {
          result.completeExceptionally(Await.failure(thrown));
        } else if (failure != null) {
          result.completeExceptionally(failure);
        } else {
          buffer.position(0).limit(range.getLength());
          result.complete(buffer);
        }
      } catch (RuntimeException | Error e) { // or whoever waits for the range would wait for ever
        result.completeExceptionally(e);
      }
    }
  }
}
