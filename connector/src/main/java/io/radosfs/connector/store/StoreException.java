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

  public StoreException(Kind kind, String object, String message) {
    this(kind, object, message, null);
  }

  public StoreException(Kind kind, String object, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.object = object;
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
}
