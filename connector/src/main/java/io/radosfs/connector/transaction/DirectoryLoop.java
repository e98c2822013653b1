// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction;

import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.FirstFailure;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collection;

/**
 * Runs work on many directories, or on the objects of one: one after another, or several at a time.
 * Each is tried even if another fails. Then the first failure is thrown, with the others
 * suppressed. Work may itself run a loop.
 *
 * <p>On an interrupted thread no more work is begun, nor once an operation has waited in full for
 * an answer ({@link Failures#hasWaitedInFull}): each of the rest might wait as long again. When a
 * loop returns or throws, all work that it began has ended. So a caller can take the work back
 * without meeting more of it.
 */
public interface DirectoryLoop {

  /** Work on one directory, or one object of a directory's index. */
  @FunctionalInterface
  interface Work<T> {
    void on(T one) throws IOException;
  }

  /**
   * Runs the work.
   *
   * @throws InterruptedIOException if work was not begun because the thread is interrupted; it
   *     stays interrupted
   */
  <T> void run(Collection<T> all, Work<T> work) throws IOException;

  /** One after another, in the calling thread. */
  static DirectoryLoop sequential() {
    return new DirectoryLoop() {
      @Override
      public <T> void run(Collection<T> all, Work<T> work) throws IOException {
        FirstFailure failure = new FirstFailure();
        for (T one : all) {
          if (Thread.currentThread().isInterrupted()) {
            failure.add(new InterruptedIOException("interrupted while working on directories"));
            break;
          }
          failure.attempt(() -> work.on(one));
          if (failure.isEnd()) {
            break;
          }
        }
        failure.rethrow();
      }
    };
  }
}
