package io.radosfs.connector.store.simulation;

import io.radosfs.connector.store.StoreException;
import java.util.List;

/**
 * What goes wrong at an operation.
 *
 * @param action what happens
 * @param kind the error of a {@link Action#FAIL}; otherwise null
 */
public record Fault(Action action, StoreException.Kind kind) {

  /** What happens to the operation and to its client. */
  public enum Action {
    CRASH_BEFORE,
    CRASH_AFTER,
    CRASH_LATE,
    LOSE_ANSWER,
    LOSE_REQUEST,
    DELAY,
    FAIL
  }

  /** The client dies; the operation does not take effect. */
  public static final Fault CRASH_BEFORE = new Fault(Action.CRASH_BEFORE, null);

  /** The operation takes effect; then the client dies. */
  public static final Fault CRASH_AFTER = new Fault(Action.CRASH_AFTER, null);

  /**
   * The client dies with the operation still on the wire: it takes effect at {@link
   * SimulatedCluster#landDelayedOps()}, which an {@link Experiment} calls after recovery.
   */
  public static final Fault CRASH_LATE = new Fault(Action.CRASH_LATE, null);

  /** The operation takes effect; the client is told OUTCOME_UNKNOWN (a read: TIMED_OUT). */
  public static final Fault LOSE_ANSWER = new Fault(Action.LOSE_ANSWER, null);

  /** The operation does not take effect; the client is told OUTCOME_UNKNOWN (a read: TIMED_OUT). */
  public static final Fault LOSE_REQUEST = new Fault(Action.LOSE_REQUEST, null);

  /**
   * The client is told OUTCOME_UNKNOWN (a read: TIMED_OUT); a write takes effect later: before this
   * client's next operation on the same object (RADOS keeps that order), or at {@link
   * SimulatedCluster#landDelayedOps()}.
   */
  public static final Fault DELAY = new Fault(Action.DELAY, null);

  /** The four that every protocol must survive. */
  public static final List<Fault> STANDARD =
      List.of(CRASH_BEFORE, CRASH_AFTER, LOSE_ANSWER, LOSE_REQUEST);

  /** The standard ones, and writes that take effect after the client has given up or died. */
  public static final List<Fault> ALL =
      List.of(CRASH_BEFORE, CRASH_AFTER, LOSE_ANSWER, LOSE_REQUEST, CRASH_LATE, DELAY);

  /** The operation does not take effect and fails with this error. */
  public static Fault failWith(StoreException.Kind kind) {
    return new Fault(Action.FAIL, kind);
  }

  boolean crashes() {
    return action == Action.CRASH_BEFORE
        || action == Action.CRASH_AFTER
        || action == Action.CRASH_LATE;
  }

  /** Whether it differs from its standard sibling for writes alone. */
  boolean forWritesOnly() {
    return action == Action.CRASH_LATE || action == Action.DELAY;
  }

  @Override
  public String toString() {
    return kind == null ? action.name() : action + "(" + kind + ")";
  }
}
