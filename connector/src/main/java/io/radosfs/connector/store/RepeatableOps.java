package io.radosfs.connector.store;

import java.io.IOException;
import java.util.Arrays;

/**
 * Repeats operations whose answer was lost. Only for those that may be repeated: reads, and writes
 * that do the same again.
 */
public final class RepeatableOps {

  /** Tries; each of them waits for the store's own bound. */
  private static final int MAX_TRIES = 5;

  private RepeatableOps() {}

  /** Something that asks RADOS. */
  @FunctionalInterface
  public interface Operation<T> {
    T run() throws IOException;
  }

  /** Something that changes RADOS, with the same effect when done twice. */
  @FunctionalInterface
  public interface Change {
    void run() throws IOException;
  }

  /** Runs an operation until it is answered, within a bound. */
  public static <T> T repeating(Operation<T> operation) throws IOException {
    for (int i = 1; ; i++) {
      try {
        return operation.run();
      } catch (StoreException e) {
        boolean unanswered =
            e.is(StoreException.Kind.TIMED_OUT) || e.is(StoreException.Kind.OUTCOME_UNKNOWN);
        if (!unanswered || i == MAX_TRIES) {
          throw e;
        }
      }
    }
  }

  /** Runs a change until it is answered, within a bound. */
  public static void repeat(Change change) throws IOException {
    repeating(
        () -> {
          change.run();
          return null;
        });
  }

  /**
   * Runs a change until it is answered, within a bound.
   *
   * @param refusals what its guards may answer; anything else is thrown
   * @return false when it was refused so, and changed nothing
   */
  public static boolean accepted(Change change, StoreException.Kind... refusals)
      throws IOException {
    try {
      repeat(change);
      return true;
    } catch (StoreException e) {
      if (Arrays.stream(refusals).anyMatch(e::is)) {
        return false;
      }
      throw e;
    }
  }
}
