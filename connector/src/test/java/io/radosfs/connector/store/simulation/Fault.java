// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import io.radosfs.connector.store.StoreException;
import java.util.List;

/**
 * What goes wrong at an operation.
 *
 * @param action what happens
 * @param kind the error of a {@link Action#FAIL} or {@link Action#FAIL_AFTER}; otherwise null
 * @param delay of a write that takes effect late: how many operations of all clients go by before
 *     it does, at most; 0 for until it is told
 * @param inFull whether an answer that does not come is waited for as long as an operation may
 *     take, see {@link #waitedForInFull}
 */
public record Fault(Action action, StoreException.Kind kind, int delay, boolean inFull) {

  /** What happens to the operation and to its client. */
  public enum Action {
    CRASH_BEFORE,
    CRASH_AFTER,
    CRASH_LATE,
    LOSE_ANSWER,
    LOSE_REQUEST,
    TWICE,
    DELAY,
    OVERTAKEN,
    FAIL,
    FAIL_AFTER,
    BLOCKLIST,
    BLOCKLIST_AFTER,
    INTERRUPT,
    INTERRUPT_AFTER,
    INTERRUPT_LATE,
    INTERRUPT_OVERTAKEN
  }

  private Fault(Action action, StoreException.Kind kind) {
    this(action, kind, 0, false);
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
   * The operation takes effect, and its answer is lost. librados sends it once more, and the OSD
   * runs it anew: it knows no more requests of a placement group than {@code
   * osd_pg_log_dups_tracked}, and none of before two groups were merged. Others may have changed
   * the object in between. The client is told what came of the second, as of an operation of one
   * try.
   */
  public static final Fault TWICE = new Fault(Action.TWICE, null);

  /**
   * The client is told OUTCOME_UNKNOWN (a read: TIMED_OUT); a write takes effect later: before this
   * client's next operation on the same object (RADOS keeps that order), or at {@link
   * SimulatedCluster#landDelayedOps()}.
   */
  public static final Fault DELAY = new Fault(Action.DELAY, null);

  /**
   * The same, but that this client's reads of the object overtake the write, as those of a degraded
   * or scrubbed one do, unless they say {@link io.radosfs.connector.store.ReadOp#afterWrites()};
   * and so does whatever is refused, as an OSD looks at rights before it has anything wait.
   */
  public static final Fault OVERTAKEN = new Fault(Action.OVERTAKEN, null);

  /**
   * The client is blocklisted: this operation and all later ones are refused, and what of its
   * writes is under way never takes effect. {@link SimulatedClient#connectAnew} ends it.
   */
  public static final Fault BLOCKLIST = new Fault(Action.BLOCKLIST, null);

  /**
   * The same, but that the operation was applied: what an OSD answers that takes it up again after
   * re-peering.
   */
  public static final Fault BLOCKLIST_AFTER = new Fault(Action.BLOCKLIST_AFTER, null);

  /**
   * The calling thread is interrupted before the operation is sent. Whoever waits for its answer
   * gets an InterruptedIOException and it does not take effect; whoever does not, finds the
   * thread's flag.
   */
  public static final Fault INTERRUPT = new Fault(Action.INTERRUPT, null);

  /** The same with the operation under way: it takes effect. */
  public static final Fault INTERRUPT_AFTER = new Fault(Action.INTERRUPT_AFTER, null);

  /** The same with the operation under way: it takes effect as one of {@link #DELAY} does. */
  public static final Fault INTERRUPT_LATE = new Fault(Action.INTERRUPT_LATE, null);

  /** The same with the operation under way: it takes effect as one of {@link #OVERTAKEN} does. */
  public static final Fault INTERRUPT_OVERTAKEN = new Fault(Action.INTERRUPT_OVERTAKEN, null);

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

  /** The operation takes effect, and is answered with this error all the same. */
  public static Fault failAfter(StoreException.Kind kind) {
    return new Fault(Action.FAIL_AFTER, kind);
  }

  /** The same fault, with the write taking effect once so many operations have gone by. */
  public Fault landingAfter(int operations) {
    return new Fault(action, kind, operations, inFull);
  }

  /**
   * The same fault, with the client told that it has waited as long as an operation may take: as
   * librados tells it where nobody answers. It then asks nothing more of that call. Others are told
   * the same sooner, by an error that means a time-out, and look what came of it.
   */
  public Fault waitedForInFull() {
    return new Fault(action, kind, delay, true);
  }

  /** Whether a client that waits for the answer gets none, and is not interrupted. */
  public boolean isUnanswered() {
    return action == Action.LOSE_ANSWER
        || action == Action.LOSE_REQUEST
        || action == Action.DELAY
        || action == Action.OVERTAKEN;
  }

  /** Whether this client's reads of the object overtake the write that is under way. */
  boolean isOvertaken() {
    return action == Action.OVERTAKEN || action == Action.INTERRUPT_OVERTAKEN;
  }

  /** Whether the operation is answered with an error before it is waited for anything. */
  boolean isRefusal() {
    return action == Action.FAIL;
  }

  boolean crashes() {
    return action == Action.CRASH_BEFORE
        || action == Action.CRASH_AFTER
        || action == Action.CRASH_LATE;
  }

  /** Whether the calling thread is interrupted. */
  public boolean interrupts() {
    return action == Action.INTERRUPT
        || action == Action.INTERRUPT_AFTER
        || action == Action.INTERRUPT_LATE
        || action == Action.INTERRUPT_OVERTAKEN;
  }

  /** Whether it differs from its standard sibling for writes alone. */
  public boolean forWritesOnly() {
    return action == Action.CRASH_LATE
        || action == Action.TWICE
        || action == Action.DELAY
        || action == Action.OVERTAKEN
        || action == Action.INTERRUPT_LATE
        || action == Action.INTERRUPT_OVERTAKEN;
  }

  @Override
  public String toString() {
    return action
        + (kind == null ? "" : "(" + kind + ")")
        + (delay == 0 ? "" : " for " + delay + " operations")
        + (inFull ? ", waited for in full" : "");
  }
}
