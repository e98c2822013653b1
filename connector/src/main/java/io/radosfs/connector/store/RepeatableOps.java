// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;

/**
 * Repeats operations whose answer was lost. Only for those that may be repeated: reads, and writes
 * that do the same again.
 */
public final class RepeatableOps {

  /** Tries, of which none follows on one that has waited for as long as an operation may. */
  private static final int MAX_TRIES = 5;

  private RepeatableOps() {}

  /** Something that changes RADOS, with the same effect when done twice. */
  @FunctionalInterface
  public interface Change {
    void run() throws IOException;
  }

  /** What came of a change whose guards may refuse it. */
  public enum Answer {
    /** It was made. */
    ACCEPTED,
    /** A guard did not hold; nothing was changed. */
    REFUSED,
    /**
     * A guard did not hold when it was repeated after a try that nobody answered: that one may have
     * been made, and be what the guard refuses.
     */
    REFUSED_AFTER_OPEN_TRY;

    public boolean isAccepted() {
      return this == ACCEPTED;
    }
  }

  /**
   * Runs a change until it is answered, within a bound.
   *
   * @throws IOException which says that the change may have been made, whatever its kind, when an
   *     earlier try was not answered ({@link FailedWrite})
   */
  public static void repeat(Change change) throws IOException {
    boolean open = false;
    for (int i = 1; ; i++) {
      try {
        change.run();
        return;
      } catch (IOException e) {
        FailedWrite failed = new FailedWrite(e);
        if (!failed.isWorthRepeating() || i == MAX_TRIES) {
          throw open ? failed.afterOpenTry() : e;
        }
        open = true;
      }
    }
  }

  /**
   * Runs a change until it is answered, within a bound.
   *
   * @param refusals what its guards may answer; anything else is thrown as by {@link #repeat}
   */
  public static Answer accepted(Change change, StoreException.Kind... refusals) throws IOException {
    try {
      repeat(change);
      return Answer.ACCEPTED;
    } catch (IOException e) {
      FailedWrite failed = new FailedWrite(e);
      if (!failed.is(refusals)) {
        throw e;
      }
      return failed.mayHaveTakenEffect() ? Answer.REFUSED_AFTER_OPEN_TRY : Answer.REFUSED;
    }
  }
}
