// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.security.AccessControlException;

/**
 * Waits for asynchronous operations, and for threads that run one. There is no timeout here: the
 * store bounds each operation.
 */
public final class Await {

  private Await() {}

  /** Returns the operation's result. An interrupt ends the wait, not the operation. */
  public static <T> T get(CompletableFuture<T> operation) throws IOException {
    try {
      return operation.get();
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (ExecutionException | CancellationException e) {
      throw rethrowable(failure(e));
    }
  }

  /**
   * Takes a lock. An interrupt ends the wait.
   *
   * @param other what the thread that holds it does, for the error: {@code another thread connects}
   */
  public static void lock(ReentrantLock lock, String other) throws InterruptedIOException {
    try {
      lock.lockInterruptibly();
    } catch (InterruptedException e) {
      throw interrupted("interrupted while " + other, e);
    }
  }

  /**
   * Ends what takes many steps, none of which notices an interrupt.
   *
   * @param doing for the error: {@code listing the objects of a pool}
   * @throws InterruptedIOException if the thread is interrupted; it stays so
   */
  public static void checkInterrupt(String doing) throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("interrupted while " + doing);
    }
  }

  /** Returns the failure of an operation without the wrappers of futures. */
  public static IOException failure(Throwable thrown) {
    Throwable cause = thrown;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof IOException io ? io : new IOException(cause.toString(), cause);
  }

  /**
   * Returns a copy of the failure, with the failure as its cause. So the trace shows the thread
   * that waited, and one failure can be thrown many times (an exception cannot suppress itself).
   */
  public static IOException rethrowable(IOException failure) {
    if (failure instanceof StoreException store) {
      return store.again();
    }
    if (failure instanceof AccessControlException) {
      AccessControlException again = new AccessControlException(failure.getMessage());
      again.initCause(failure);
      return again;
    }
    if (failure instanceof FileNotFoundException) {
      FileNotFoundException again = new FileNotFoundException(failure.getMessage());
      again.initCause(failure);
      return again;
    }
    if (failure instanceof OutcomeUnknownException) {
      return new OutcomeUnknownException(failure.getMessage(), failure);
    }
    return new IOException(failure.getMessage(), failure);
  }

  private static InterruptedIOException interrupted(InterruptedException e) {
    return interrupted("interrupted while waiting for RADOS", e);
  }

  private static InterruptedIOException interrupted(String message, InterruptedException e) {
    Thread.currentThread().interrupt();
    InterruptedIOException thrown = new InterruptedIOException(message);
    thrown.initCause(e);
    return thrown;
  }
}
