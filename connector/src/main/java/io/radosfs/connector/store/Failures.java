// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/**
 * Takes the failures of items that are processed one by one, and decides whether the rest goes on.
 * An interrupt is not one of these failures: it always ends the work.
 */
@FunctionalInterface
public interface Failures {

  /** The first failure ends the work. */
  Failures END =
      (subject, failure) -> {
        throw failure;
      };

  /**
   * Takes a failure.
   *
   * @param subject the item that failed
   * @throws IOException if the rest is not to go on
   */
  void add(String subject, IOException failure) throws IOException;

  /** Runs something and returns whether it succeeded. */
  default boolean attempt(String subject, InvocationRaisingIOE tried) throws IOException {
    try {
      tried.apply();
      return true;
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      add(subject, e);
    } catch (RuntimeException e) {
      add(subject, new IOException(e.toString(), e));
    }
    return false;
  }

  /**
   * Whether an operation has waited for its answer as long as a call may wait. The next one would
   * take as long again, so the call ends, and begins nothing more.
   */
  static boolean hasWaitedInFull(Throwable failure) {
    return failure instanceof StoreException e && e.isUnanswered() && !e.isWorthRepeating()
        || failure instanceof OutcomeUnknownException unknown && unknown.hasWaitedInFull();
  }

  /**
   * The same failure, for people who know a path and not the objects of it. What does not speak of
   * objects is returned as it is.
   *
   * @param subject comes first in the message
   */
  static IOException about(Object subject, IOException failure) {
    if (failure instanceof StoreException ofObject) {
      return ofObject.about(subject);
    }
    if (failure instanceof OutcomeUnknownException unknown) {
      return unknown.about(subject);
    }
    if (failure instanceof AccessControlException) {
      AccessControlException denied =
          new AccessControlException(subject + ": " + failure.getMessage());
      denied.initCause(failure);
      return denied;
    }
    return failure;
  }

  /** Whether RADOS did not answer, so that it is of no use to ask the same again now. */
  static boolean isUnanswered(IOException failure) {
    return failure instanceof StoreException e && e.isUnanswered();
  }
}
