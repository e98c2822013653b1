package io.radosfs.connector.retry;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * The one loop of all that is done without locks: look, make the change guarded with what was seen,
 * and look again where a guard did not hold. Bounded in its attempts; the first look again comes at
 * once, as what was remembered from before is often all that was wrong, later ones after pauses
 * that grow and differ by chance.
 *
 * <p>It is for changes that others were faster with. What became of an operation without an answer
 * is found out below it, see {@link io.radosfs.connector.store.ObjectStore}.
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
     * @throws IOException when trying again is of no use
     */
    Optional<T> attempt() throws IOException;
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
   * @throws java.io.InterruptedIOException when the thread is interrupted, which it stays
   */
  public <T> T run(String what, Task<T> task) throws IOException {
    long started = pauses.nanoTime();
    Backoff backoff = new Backoff(pauses);
    for (int attempt = 1; ; attempt++) {
      Optional<T> answer = task.attempt();
      if (answer.isPresent()) {
        return answer.get();
      }
      if (attempt == MOST) {
        throw new ContentionException(what, attempt, Duration.ofNanos(pauses.nanoTime() - started));
      }
      counter.run();
      if (attempt > WITHOUT_PAUSE) {
        backoff.pause();
      }
    }
  }

  /** The same without a result. */
  public void until(String what, Attempt attempt) throws IOException {
    boolean unused =
        run(what, () -> attempt.succeeds() ? Optional.of(Boolean.TRUE) : Optional.empty());
  }

  /** The clock that it waits by, for who waits for something else than others' changes. */
  public Pauses pauses() {
    return pauses;
  }
}
