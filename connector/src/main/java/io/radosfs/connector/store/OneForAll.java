// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/**
 * Work that must be done once, and that one thread does for all that need it. The others wait until
 * it has tried; an interrupt ends their wait. If it has failed, the next one tries. But if RADOS
 * has not answered it in all its time, that failure is theirs too: each of them would wait as long
 * again, one after another.
 *
 * <p>Thread-safe.
 */
public final class OneForAll {

  private volatile boolean done;

  /**
   * What the thread at work ends with: the failure of all that wait; null if there is no thread.
   */
  private CompletableFuture<Optional<IOException>> atWork;

  /** Whether it is done. */
  public boolean isDone() {
    return done;
  }

  /**
   * Does the work, unless it is done. No cost if it is.
   *
   * @throws java.io.InterruptedIOException if the thread is interrupted; it stays interrupted
   */
  public void run(InvocationRaisingIOE work) throws IOException {
    while (!done) {
      CompletableFuture<Optional<IOException>> own = new CompletableFuture<>();
      CompletableFuture<Optional<IOException>> others = enter(own);
      if (others == null) {
        runNow(own, work);
        return;
      }
      Optional<IOException> failure = Await.get(others);
      if (failure.isPresent()) {
        throw Await.rethrowable(failure.get());
      }
    }
  }

  /** Returns null if this thread is to work. */
  private synchronized CompletableFuture<Optional<IOException>> enter(
      CompletableFuture<Optional<IOException>> own) {
    if (atWork != null) {
      return atWork;
    }
    atWork = own;
    return null;
  }

  private void runNow(CompletableFuture<Optional<IOException>> own, InvocationRaisingIOE work)
      throws IOException {
    Optional<IOException> shared = Optional.empty();
    try {
      // Another thread may have done it before this one entered.
      if (!done) {
        work.apply();
        done = true;
      }
    } catch (IOException e) {
      shared = Optional.of(e).filter(Failures::hasWaitedInFull);
      throw e;
    } finally {
      synchronized (this) {
        atWork = null;
      }
      own.complete(shared);
    }
  }
}
