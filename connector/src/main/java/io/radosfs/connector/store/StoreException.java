// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;

/** A RADOS operation that failed: what it was, on which object, and what can be done. */
public class StoreException extends IOException {

  private static final long serialVersionUID = 1L;

  /** What a caller can tell apart. */
  public enum Kind {
    /** ENOENT. */
    NOT_FOUND,
    /** EEXIST. */
    EXISTS,
    /** ECANCELED: a comparison was false. */
    GUARD_FAILED,
    /** EPERM, EACCES. */
    PERMISSION_DENIED,
    /** ENOSPC, EDQUOT. */
    NO_SPACE,
    /** EOPNOTSUPP: an omap step on an erasure-coded pool. */
    UNSUPPORTED,
    /** ENAMETOOLONG. */
    NAME_TOO_LONG,
    /** EFBIG, E2BIG, EMSGSIZE: beyond osd_max_object_size or osd_max_write_size. */
    TOO_LARGE,
    /** A read without an answer in time; it may be repeated. */
    TIMED_OUT,
    /** A write without an answer in time: it may have taken effect, or may yet. */
    OUTCOME_UNKNOWN,
    /**
     * ESHUTDOWN: the cluster has blocklisted the address of this connection, which is of no more
     * use: every operation on it is answered so. A write may have taken effect all the same, as an
     * OSD that takes it up again after re-peering answers so what it has applied before.
     */
    BLOCKLISTED,
    /** Anything else; the errno is in the message. */
    OTHER
  }

  private final Kind kind;
  private final String object;
  private final boolean mayHaveTakenEffect;
  private final boolean waitedInFull;

  /** Of an operation that has changed nothing, unless the kind is OUTCOME_UNKNOWN. */
  public StoreException(Kind kind, String object, String message) {
    this(kind, object, message, null);
  }

  /** Of an operation that has changed nothing, unless the kind is OUTCOME_UNKNOWN. */
  public StoreException(Kind kind, String object, String message, Throwable cause) {
    this(kind, object, message, cause, kind == Kind.OUTCOME_UNKNOWN);
  }

  /**
   * @param mayHaveTakenEffect see {@link #mayHaveTakenEffect()}
   */
  public StoreException(
      Kind kind, String object, String message, Throwable cause, boolean mayHaveTakenEffect) {
    this(kind, object, message, cause, mayHaveTakenEffect, false);
  }

  private StoreException(
      Kind kind,
      String object,
      String message,
      Throwable cause,
      boolean mayHaveTakenEffect,
      boolean waitedInFull) {
    super(message, cause);
    this.waitedInFull = waitedInFull;
    this.kind = kind;
    this.object = object;
    this.mayHaveTakenEffect = mayHaveTakenEffect;
  }

  public Kind kind() {
    return kind;
  }

  /** The object's name; empty when the operation was not on one. */
  public String object() {
    return object;
  }

  public boolean is(Kind other) {
    return kind == other;
  }

  /**
   * Whether the operation, a write, may be applied all the same: because nobody answered, because
   * the error can be made of an operation that was applied when it was taken up before, or because
   * it answers a repetition of a try that nobody answered. Otherwise it has changed nothing, and
   * never will. Never so for a read.
   */
  public boolean mayHaveTakenEffect() {
    return mayHaveTakenEffect;
  }

  /** Whether nobody answered. */
  public boolean isUnanswered() {
    return kind == Kind.TIMED_OUT || kind == Kind.OUTCOME_UNKNOWN;
  }

  /**
   * Whether the operation, if it may be repeated at all, is worth it: nobody answered, and not
   * because all the time was waited that there is for it. In that time the client library has sent
   * it again whenever there was somebody to send it to.
   */
  public boolean isWorthRepeating() {
    return isUnanswered() && !waitedInFull;
  }

  /** The same, of an operation whose whole time has gone. */
  public StoreException afterWaitingInFull() {
    return new StoreException(kind, object, getMessage(), getCause(), mayHaveTakenEffect, true);
  }

  /** The same failure in the trace of the one that waited, as it may be thrown more than once. */
  public StoreException again() {
    return again(mayHaveTakenEffect);
  }

  /** The same failure, with what was learnt since about its effect. */
  StoreException again(boolean tookEffectPerhaps) {
    return new StoreException(kind, object, getMessage(), this, tookEffectPerhaps, waitedInFull);
  }
}
