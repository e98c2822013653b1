// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/** Repeats changes whose answer was lost. Only for changes that may be made twice. */
public final class RepeatableOps {

  /** The number of tries. A try that has waited for a whole operation timeout is the last one. */
  private static final int MAX_TRIES = 5;

  private RepeatableOps() {}

  /** The outcome of a change whose guards may refuse it. */
  public enum Answer {
    /** It was made. */
    ACCEPTED,
    /** A guard did not hold; nothing was changed. */
    REFUSED,
    /**
     * A guard did not hold, but an earlier try was not answered: that try may have made the change,
     * and the guard may have failed for that reason.
     */
    REFUSED_AFTER_OPEN_TRY;

    public boolean isAccepted() {
      return this == ACCEPTED;
    }
  }

  /**
   * Runs a change until it is answered, within a bound.
   *
   * @param change has the same effect in RADOS if it is made twice
   * @throws IOException the last failure; if an earlier try was not answered, it says that the
   *     change may have been made, whatever its kind ({@link FailedWrite})
   */
  public static void repeat(InvocationRaisingIOE change) throws IOException {
    boolean open = false;
    for (int i = 1; ; i++) {
      try {
        change.apply();
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
   * @param refusals the kinds of failure that mean that a guard refused the change; any other
   *     failure is thrown as by {@link #repeat}
   */
  public static Answer accepted(InvocationRaisingIOE change, StoreException.Kind... refusals)
      throws IOException {
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
