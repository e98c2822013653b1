// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction;

import io.radosfs.connector.store.FirstFailure;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collection;

/**
 * How work on many directories, or on the objects of one, is run: one after another, or several at
 * a time. Each is tried even where another fails; then the first failure is thrown, with the others
 * suppressed. Work may itself run a loop.
 *
 * <p>On a thread that is interrupted nothing is begun any more. When a loop returns or throws, all
 * of its work that was begun has ended: whoever takes back what it has done meets no more of it.
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
   * @throws InterruptedIOException when something was not begun as the thread is interrupted, which
   *     it stays
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
        }
        failure.rethrow();
      }
    };
  }
}
