// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.retry;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;

/**
 * The one retry loop of everything that is done without locks: read, make the change guarded with
 * what was read, and read again if a guard did not hold. The number of attempts is bounded. The
 * second attempt comes at once, as often only a remembered value was out of date. The later ones
 * come after pauses that grow and have jitter.
 *
 * <p>The loop is for changes that lost to another client. The outcome of an operation without an
 * answer is found out below it, see {@link io.radosfs.connector.store.ObjectStore}. If it cannot be
 * found out, the attempt throws an {@link OpenAttempt}, and the loop looks again, as the wanted
 * result may be there. An open attempt is over when a later one succeeds. If none does, the call
 * ends with an exception that says that the change may have taken effect, whatever the last failure
 * was: unknown never becomes false.
 *
 * <p>No RADOS operation of its own. Thread-safe.
 */
public final class Retries {

  /** The most attempts: with their pauses, some seven seconds. */
  static final int MOST = 200;

  private static final int WITHOUT_PAUSE = 1;

  private final Pauses pauses;
  private final Runnable counter;

  /**
   * @param counter called once for each attempt after the first
   */
  public Retries(Pauses pauses, Runnable counter) {
    this.pauses = pauses;
    this.counter = counter;
  }

  /** Reads and tries, once. */
  @FunctionalInterface
  public interface Task<T> {
    /**
     * Returns empty if another client was faster; the loop then calls this again.
     *
     * @throws IOException if trying again is of no use, unless it is an {@link OpenAttempt}
     */
    Optional<T> attempt() throws IOException;
  }

  /** A {@link Task} that has to know whether what it finds may be its own earlier change. */
  @FunctionalInterface
  public interface KnowingTask<T> {
    /**
     * Reads and tries, as {@link Task#attempt}.
     *
     * @param mayBeMade whether an earlier attempt is open
     */
    Optional<T> attempt(boolean mayBeMade) throws IOException;
  }

  /** A {@link Task} without a result. */
  @FunctionalInterface
  public interface Attempt {
    /** Returns false if another client was faster; the loop then calls this again. */
    boolean succeeds() throws IOException;
  }

  /**
   * Tries until an attempt returns a result.
   *
   * @param what the action and its path, for the error: {@code "rename of /a to /b"}
   * @throws ContentionException if no attempt did
   * @throws InterruptedIOException if the thread is interrupted; it stays interrupted
   */
  public <T> T run(String what, Task<T> task) throws IOException {
    return run(what, mayBeMade -> task.attempt());
  }

  /** The same as {@link #run(String, Task)}, for a task that has to know of open attempts. */
  public <T> T run(String what, KnowingTask<T> task) throws IOException {
    long started = pauses.nanoTime();
    Backoff backoff = new Backoff(pauses);
    Optional<OpenAttempt> open = Optional.empty();
    for (int attempt = 1; ; attempt++) {
      try {
        Optional<T> answer = task.attempt(open.isPresent());
        if (answer.isPresent()) {
          return answer.get();
        }
      } catch (IOException e) {
        if (!(e instanceof OpenAttempt now)) {
          throw failure(open, e);
        }
        open = open.or(() -> Optional.of(now));
      }
      if (attempt == MOST) {
        Duration waited = Duration.ofNanos(pauses.nanoTime() - started);
        throw failure(open, new ContentionException(what, attempt, waited));
      }
      counter.run();
      if (attempt > WITHOUT_PAUSE) {
        pause(backoff, open);
      }
    }
  }

  private static void pause(Backoff backoff, Optional<OpenAttempt> open) throws IOException {
    try {
      backoff.pause();
    } catch (InterruptedIOException e) {
      throw failure(open, e);
    }
  }

  private static IOException failure(Optional<OpenAttempt> open, IOException last) {
    return open.map(attempt -> attempt.endedBy(last)).orElse(last);
  }

  /** The same as {@link #run(String, Task)}, but without a result. */
  public void until(String what, Attempt attempt) throws IOException {
    boolean unused =
        run(what, () -> attempt.succeeds() ? Optional.of(Boolean.TRUE) : Optional.empty());
  }

  /** The clock of this loop, for code that waits for something else than a change. */
  public Pauses pauses() {
    return pauses;
  }
}
