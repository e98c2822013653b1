// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
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

  /** A try that waited in full for an answer: its number, from 1, and its failure. */
  private record Unanswered(long number, IOException failure) {}

  /** A lock, and no future: who holds it can be seen, by a thread dump and by the simulation. */
  private final ReentrantLock working = new ReentrantLock();

  private final String other;
  private volatile boolean done;
  private volatile Unanswered last = new Unanswered(0, null);

  /**
   * @param other what a thread at work does, for errors: {@code another thread connects}
   */
  public OneForAll(String other) {
    this.other = other;
  }

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
    if (done) {
      return;
    }
    long before = last.number();
    Await.lock(working, other);
    try {
      if (done) {
        return;
      }
      if (last.number() != before) {
        throw Await.rethrowable(last.failure());
      }
      runNow(work);
    } finally {
      working.unlock();
    }
  }

  private void runNow(InvocationRaisingIOE work) throws IOException {
    try {
      work.apply();
      done = true;
    } catch (IOException e) {
      if (Failures.hasWaitedInFull(e)) {
        last = new Unanswered(last.number() + 1, e);
      }
      throw e;
    }
  }
}
