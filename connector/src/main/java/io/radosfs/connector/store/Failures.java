// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/**
 * Takes what failed, of many things that are looked at each by itself: whether the rest goes on is
 * its to say. An interrupt is no such failure, and always ends the work.
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
   * @param subject what could not be dealt with
   * @throws IOException when the rest is not to go on
   */
  void add(String subject, IOException failure) throws IOException;

  /** Tries something; answers whether it succeeded. */
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

  /** Whether RADOS did not answer, so that asking it for the same again is of no use now. */
  static boolean isUnanswered(IOException failure) {
    return failure instanceof StoreException e && e.isUnanswered();
  }
}
