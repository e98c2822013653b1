// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.retry;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;

/**
 * The one loop of all that is done without locks: look, make the change guarded with what was seen,
 * and look again where a guard did not hold. Bounded in its attempts; the first look again comes at
 * once, as what was remembered from before is often all that was wrong, later ones after pauses
 * that grow and differ by chance.
 *
 * <p>It is for changes that others were faster with. What became of an operation without an answer
 * is found out below it, see {@link io.radosfs.connector.store.ObjectStore}; where that cannot be
 * told, the attempt is an {@link OpenAttempt}, and it is looked at again: what is wanted may be
 * there. An open attempt is over when a later one succeeds. Where none does, the call ends with an
 * exception that says that it may have taken effect, whatever the last attempt failed with: unknown
 * never becomes false.
 *
 * <p>No RADOS operation of its own. Thread-safe.
 */
public final class Retries {

  /** Attempts before it is given up: with their pauses, some seven seconds. */
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

  /** Looks and tries, once. */
  @FunctionalInterface
  public interface Task<T> {
    /**
     * Answers empty when others were faster, so that it must be looked at again.
     *
     * @throws IOException when trying again is of no use, unless it is an {@link OpenAttempt}
     */
    Optional<T> attempt() throws IOException;
  }

  /** The same for one that is to know whether what it finds done may have been done by itself. */
  @FunctionalInterface
  public interface KnowingTask<T> {
    /**
     * Looks and tries, as {@link Task#attempt}.
     *
     * @param mayBeMade whether an attempt before this one is open
     */
    Optional<T> attempt(boolean mayBeMade) throws IOException;
  }

  /** The same without a result. */
  @FunctionalInterface
  public interface Attempt {
    /** Answers false when others were faster, so that it must be looked at again. */
    boolean succeeds() throws IOException;
  }

  /**
   * Tries until an attempt answers.
   *
   * @param what is done to which path, for the error: {@code "rename of /a to /b"}
   * @throws ContentionException when no attempt did
   * @throws InterruptedIOException when the thread is interrupted, which it stays
   */
  public <T> T run(String what, Task<T> task) throws IOException {
    return run(what, mayBeMade -> task.attempt());
  }

  /** The same for a task that is to know of open attempts. */
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

  /** The same without a result. */
  public void until(String what, Attempt attempt) throws IOException {
    boolean unused =
        run(what, () -> attempt.succeeds() ? Optional.of(Boolean.TRUE) : Optional.empty());
  }

  /** The clock that it waits by, for whoever waits for something else than others' changes. */
  public Pauses pauses() {
    return pauses;
  }
}
