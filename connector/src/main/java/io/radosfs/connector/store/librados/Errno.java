// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import io.radosfs.connector.store.StoreException.Kind;

/**
 * The error numbers that librados returns (negated), as Linux has them: what each means, and
 * whether a write that failed with it may have taken effect.
 *
 * <p>An OSD may take up again a write that it has applied: when the placement group has peered
 * anew, or the client has sent the write once more. It then goes in this order ({@code
 * PrimaryLogPG::do_op} of Ceph 16.2 to 20.2). First it checks capabilities, names, blocklist, size.
 * Then it looks for the request in the placement group's log, and returns what it finds there. Only
 * then it runs the steps of the operation ({@code do_osd_ops}), whose errors it writes to that log,
 * and checks the quota. So an error is definite if it is made after the look into the log, or
 * before it from the request alone, which is the same each time. An errno that is not in this table
 * is not definite.
 */
enum Errno {
  EPERM(
      1,
      Kind.PERMISSION_DENIED,
      Made.BEFORE_THE_LOG,
      "the Ceph user's capabilities do not allow it"),
  ENOENT(2, Kind.NOT_FOUND, Made.BEHIND_THE_LOG, "there is no such object"),
  EIO(
      5,
      Kind.OTHER,
      Made.ANYWHERE,
      "something could not be read or written: see `ceph health detail`"),
  E2BIG(7, Kind.TOO_LARGE, Made.OF_THE_REQUEST, "it is more than one RADOS operation may carry"),
  EACCES(13, Kind.PERMISSION_DENIED, Made.ANYWHERE, EPERM.advice),
  EEXIST(17, Kind.EXISTS, Made.BEHIND_THE_LOG, "the object is there already"),
  EINVAL(22, Kind.OTHER, Made.OF_THE_REQUEST, "RADOS finds the request invalid"),
  EFBIG(
      27, Kind.TOO_LARGE, Made.BEHIND_THE_LOG, "an object may not grow beyond osd_max_object_size"),
  ENOSPC(
      28,
      Kind.NO_SPACE,
      Made.BEHIND_THE_LOG,
      "the pool or the cluster is full: remove data or add OSDs; see `ceph df` and `ceph health"
          + " detail`"),
  EROFS(30, Kind.OTHER, Made.OF_THE_REQUEST, "what is read is a snapshot"),
  ERANGE(34, Kind.OTHER, Made.ANYWHERE, "an answer did not fit"),
  ENAMETOOLONG(
      36,
      Kind.NAME_TOO_LONG,
      Made.OF_THE_REQUEST,
      "names are bounded by osd_max_object_name_len, xattrs by" + " osd_max_attr_name_len"),
  ENODATA(61, Kind.GUARD_FAILED, Made.BEHIND_THE_LOG, "what was to be compared is not there"),
  EMSGSIZE(
      90,
      Kind.TOO_LARGE,
      Made.OF_THE_REQUEST,
      "an operation may not carry more than osd_max_write_size"),
  EOPNOTSUPP(
      95,
      Kind.UNSUPPORTED,
      Made.BEHIND_THE_LOG,
      "an erasure-coded pool cannot hold an index (omap): name a replicated pool in the URI and"
          + " use this one as its data pool"),
  /** EBLOCKLISTED of an OSD; seen for writes that were applied. */
  ESHUTDOWN(
      108,
      Kind.BLOCKLISTED,
      Made.BEFORE_THE_LOG,
      "the cluster has blocklisted this client or librados is shut down: see `ceph osd blocklist"
          + " ls`. The file system connects anew by itself: begin what failed anew"),
  ETIMEDOUT(
      110,
      Kind.TIMED_OUT,
      Made.BY_NOBODY,
      "no answer in time: see `ceph -s`; the bound is fs.rados.operation.timeout. If the key of"
          + " this user was rotated since this process began, its tickets may have run out: begin"
          + " it anew with the new key"),
  /** The pool's flag. An OSD checks it after the steps have run, before anything is applied. */
  EDQUOT(
      122,
      Kind.NO_SPACE,
      Made.BEHIND_THE_LOG,
      "the pool has reached its quota: remove data or raise it with `ceph osd pool set-quota`"),
  /** From an OSD; from librados, for a cancelled operation, see {@link PendingOp#cancel}. */
  ECANCELED(
      125, Kind.GUARD_FAILED, Made.BEHIND_THE_LOG, "a comparison with what is stored was false");

  /** Where an error of a write comes from. */
  enum Made {
    /** By librados before it sends, or by an OSD from the request alone. */
    OF_THE_REQUEST(false),

    /**
     * By an OSD that has not found the request in the log: the steps run now or never. The log has
     * the last 3,000 requests of a placement group ({@code osd_pg_log_dups_tracked}). A write that
     * was applied and comes again after more is not known any more, and may be refused for its own
     * effect. So whoever is refused looks whether what is there is its own, by its uid, or by the
     * token of its change.
     */
    BEHIND_THE_LOG(false),

    /**
     * By an OSD before it looks into the log, from what may have changed since it first took up the
     * request: the user's capabilities, the blocklist.
     */
    BEFORE_THE_LOG(true),

    /** By librados, as no answer came. */
    BY_NOBODY(true),

    /** In more than one place, or in none that is known for a write: the worst is assumed. */
    ANYWHERE(true);

    private final boolean mayHaveTakenEffect;

    Made(boolean mayHaveTakenEffect) {
      this.mayHaveTakenEffect = mayHaveTakenEffect;
    }
  }

  private final int number;
  private final Kind kind;
  private final Made made;
  private final String advice;

  Errno(int number, Kind kind, Made made, String advice) {
    this.number = number;
    this.kind = kind;
    this.made = made;
    this.advice = advice;
  }

  /** What a caller can distinguish. {@link StoreExceptions} handles a write without an answer. */
  Kind kind() {
    return kind;
  }

  /** What it means here and what can be done. */
  String advice() {
    return advice;
  }

  /** Whether a write for which librados returns this value may have taken effect. */
  static boolean leavesWriteOpen(int returnValue) {
    Errno errno = of(returnValue);
    return errno == null || errno.made.mayHaveTakenEffect;
  }

  /** The error of a negative return value; null if it is not in this table. */
  static Errno of(int returnValue) {
    for (Errno errno : values()) {
      if (errno.number == -returnValue) {
        return errno;
      }
    }
    return null;
  }

  boolean is(int returnValue) {
    return number == -returnValue;
  }

  /** A return value for a person: {@code ENOENT (2)}. */
  static String name(int returnValue) {
    Errno errno = of(returnValue);
    return errno == null ? "errno " + -returnValue : errno + " (" + errno.number + ")";
  }
}
