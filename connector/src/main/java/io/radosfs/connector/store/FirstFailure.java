// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/**
 * Collects the failures of several actions that are all tried, then throws the first one, with the
 * others suppressed. A later {@link OutcomeUnknownException} replaces the first failure, unless the
 * first is one too, an interrupt or an {@link Error}. Of the others the first {@value
 * #MOST_SUPPRESSED} are kept, and how many there are more: there may be as many as directories.
 * Hadoop's {@code TaskPool} drops failures of the same class as the first, and looks only every 10
 * ms for the end of parallel work.
 *
 * <p>Not thread-safe.
 */
public final class FirstFailure {

  static final int MOST_SUPPRESSED = 10;

  private Throwable first;
  private int suppressed;
  private LeftOut leftOut;
  private boolean isEnd;

  /** Runs something and keeps its failure, unless that is an {@link Error}. */
  public void attempt(InvocationRaisingIOE tried) {
    try {
      tried.apply();
    } catch (IOException | RuntimeException e) {
      add(e);
    }
  }

  /** Keeps a failure. */
  public void add(Throwable failure) {
    boolean endsIt =
        !isEnd
            && (failure instanceof InterruptedIOException
                || hasAnyWaitedInFull(failure, new HashSet<>()));
    isEnd |= endsIt;
    if (first == null) {
      first = failure;
    } else if (first != failure) {
      boolean tellsLess = failure instanceof OutcomeUnknownException && isDefinite(first);
      if (tellsLess) {
        failure.addSuppressed(first);
        first = failure;
        suppressed = 1;
        leftOut = null;
      } else if (suppressed < MOST_SUPPRESSED || endsIt) {
        first.addSuppressed(failure);
        suppressed++;
      } else {
        leaveOut();
      }
    }
  }

  private void leaveOut() {
    if (leftOut == null) {
      leftOut = new LeftOut();
      first.addSuppressed(leftOut);
    }
    leftOut.count++;
  }

  /** Stands for the failures that are not kept. */
  private static final class LeftOut extends IOException {
    private static final long serialVersionUID = 1L;

    private volatile int count;

    @Override
    public String getMessage() {
      return "and " + count + " failures more";
    }

    /** Where it was made tells nothing. */
    @Override
    public Throwable fillInStackTrace() {
      return this;
    }
  }

  /**
   * Whether the failure, or one that it suppresses, {@linkplain Failures#hasWaitedInFull has waited
   * in full}: it may be the first of several actions itself.
   */
  private static boolean hasAnyWaitedInFull(Throwable failure, Set<Throwable> seen) {
    return seen.add(failure)
        && (Failures.hasWaitedInFull(failure)
            || Stream.of(failure.getSuppressed())
                .anyMatch(other -> hasAnyWaitedInFull(other, seen)));
  }

  private static boolean isDefinite(Throwable failure) {
    return !(failure instanceof OutcomeUnknownException
        || failure instanceof InterruptedIOException
        || failure instanceof Error);
  }

  /**
   * Whether nothing more is to be tried: an operation has waited in full for an answer, and the
   * next one might wait as long again; or the thread is interrupted.
   */
  public boolean isEnd() {
    return isEnd;
  }

  /** What {@link #rethrow} would throw; empty if nothing has failed. */
  public Optional<Throwable> first() {
    return Optional.ofNullable(first);
  }

  /** Throws the first failure as it is; returns if there is none. */
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
