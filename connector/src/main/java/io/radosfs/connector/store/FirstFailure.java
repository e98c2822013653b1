// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/**
 * Several things are all tried, and then the first failure is thrown, with the others suppressed:
 * the first that leaves open whether a change was made, if one does, unless an interrupt was before
 * it. Hadoop's {@code TaskPool} drops failures of the class of the first, and looks for the end of
 * parallel work every 10 ms alone.
 *
 * <p>Not thread-safe.
 */
public final class FirstFailure {

  private Throwable first;

  /** Tries something; keeps what it throws, unless that is an {@link Error}. */
  public void attempt(InvocationRaisingIOE tried) {
    try {
      tried.apply();
    } catch (IOException | RuntimeException e) {
      add(e);
    }
  }

  /** Keeps a failure. */
  public void add(Throwable failure) {
    if (first == null) {
      first = failure;
    } else if (first != failure) {
      boolean tellsLess = failure instanceof OutcomeUnknownException && isDefinite(first);
      Throwable thrown = tellsLess ? failure : first;
      thrown.addSuppressed(tellsLess ? first : failure);
      first = thrown;
    }
  }

  private static boolean isDefinite(Throwable failure) {
    return !(failure instanceof OutcomeUnknownException
        || failure instanceof InterruptedIOException
        || failure instanceof Error);
  }

  /** Throws the first failure, as it is; returns when there is none. */
  public void rethrow() throws IOException {
    if (first instanceof IOException e) {
      throw e;
    } else if (first instanceof RuntimeException e) {
      throw e;
    } else if (first instanceof Error e) {
      throw e;
    } else if (first != null) {
      throw new IOException(first);
    }
  }
}
