// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;

/** A failed RADOS operation: what it was, on which object, and what can be done. */
public class StoreException extends IOException {

  private static final long serialVersionUID = 1L;

  /** What a caller can distinguish. */
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
     * ESHUTDOWN: the cluster has blocklisted the address of this connection. From now on every
     * operation on it fails with this kind. A write may have taken effect nevertheless: an OSD that
     * takes up an applied write again after re-peering returns this error too.
     */
    BLOCKLISTED,
    /**
     * ENOENT of the pool: it was deleted or renamed since its store was opened, or made again under
     * its name. From now on every operation on the store fails with this kind; another store of the
     * pool of that name, if there is one, works. A write may have taken effect before.
     */
    POOL_GONE,
    /** Anything else; the errno is in the message. */
    OTHER
  }

  private final Kind kind;
  private final String object;
  private final boolean mayHaveTakenEffect;
  private final boolean waitedInFull;

  /** For an operation that has changed nothing, unless the kind is OUTCOME_UNKNOWN. */
  public StoreException(Kind kind, String object, String message) {
    this(kind, object, message, null);
  }

  /** For an operation that has changed nothing, unless the kind is OUTCOME_UNKNOWN. */
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
   * Whether the failed operation is a write that may have taken effect, or may yet. That is so if
   * nobody answered, if an OSD can return this error for an operation that it has applied already,
   * or if this is the failure of a repetition after a try that nobody answered. Otherwise the
   * operation has changed nothing, and never will. Always false for a read.
   */
  public boolean mayHaveTakenEffect() {
    return mayHaveTakenEffect;
  }

  /** Whether nobody answered. */
  public boolean isUnanswered() {
    return kind == Kind.TIMED_OUT || kind == Kind.OUTCOME_UNKNOWN;
  }

  /**
   * Whether it is worth repeating the operation, if it may be repeated: nobody answered, and it has
   * not used up its time. During that time the client library itself sends the operation again
   * whenever there is an OSD to send it to.
   */
  public boolean isWorthRepeating() {
    return isUnanswered() && !waitedInFull;
  }

  /** The same failure, for an operation that has used up its time. */
  public StoreException afterWaitingInFull() {
    return new StoreException(kind, object, getMessage(), getCause(), mayHaveTakenEffect, true);
  }

  /**
   * The same failure, for people who know a file and not its objects.
   *
   * @param file comes first in the message
   */
  public StoreException about(Object file) {
    return new StoreException(
        kind, object, file + ": " + getMessage(), this, mayHaveTakenEffect, waitedInFull);
  }

  /** A copy with the trace of the thread that waited; a failure may be thrown more than once. */
  public StoreException again() {
    return again(mayHaveTakenEffect);
  }

  /** A copy with what is now known about the effect. */
  StoreException again(boolean tookEffectPerhaps) {
    return new StoreException(kind, object, getMessage(), this, tookEffectPerhaps, waitedInFull);
  }
}
