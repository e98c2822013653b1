package io.radosfs.connector.store.librados;

import io.radosfs.connector.store.StoreException.Kind;

/** The error numbers that librados answers (negated), as Linux has them, and what each means. */
enum Errno {
  EPERM(
      1,
      Kind.PERMISSION_DENIED,
      "the Ceph user's capabilities do not allow it: see `ceph auth get <user>`, and give it"
          + " `osd 'allow rw pool=<pool>'` with `ceph auth caps`"),
  ENOENT(2, Kind.NOT_FOUND, "there is no such object"),
  EIO(5, Kind.OTHER, "something could not be read or written: see `ceph health detail`"),
  E2BIG(7, Kind.TOO_LARGE, "it is beyond what one RADOS operation may hold"),
  EACCES(13, Kind.PERMISSION_DENIED, EPERM.advice),
  EEXIST(17, Kind.EXISTS, "the object is there already"),
  EINVAL(22, Kind.OTHER, "RADOS finds the request invalid"),
  EFBIG(27, Kind.TOO_LARGE, "an object may not grow beyond osd_max_object_size"),
  ENOSPC(
      28,
      Kind.NO_SPACE,
      "the pool or the cluster is full: remove data or add OSDs; see `ceph df` and `ceph health"
          + " detail`"),
  EROFS(30, Kind.OTHER, "what is read is a snapshot"),
  ERANGE(34, Kind.OTHER, "an answer did not fit"),
  ENAMETOOLONG(
      36,
      Kind.NAME_TOO_LONG,
      "names are bounded by osd_max_object_name_len, xattrs by" + " osd_max_attr_name_len"),
  ENODATA(61, Kind.GUARD_FAILED, "what was to be compared is not there"),
  EMSGSIZE(90, Kind.TOO_LARGE, "an operation may not carry more than osd_max_write_size"),
  EOPNOTSUPP(
      95,
      Kind.UNSUPPORTED,
      "an erasure-coded pool cannot hold an index (omap): name a replicated pool in the URI and"
          + " use this one as its data pool"),
  ESHUTDOWN(
      108,
      Kind.BLOCKLISTED,
      "the cluster has blocklisted this client or librados is shut down: see `ceph osd blocklist"
          + " ls`, and connect anew"),
  ETIMEDOUT(
      110,
      Kind.TIMED_OUT,
      "no answer in time: see `ceph -s`; the bound is fs.rados.operation.timeout"),
  EDQUOT(
      122,
      Kind.NO_SPACE,
      "the pool has reached its quota: remove data or raise it with `ceph osd pool set-quota`"),
  ECANCELED(125, Kind.GUARD_FAILED, "a comparison with what is stored was false");

  private final int number;
  private final Kind kind;
  private final String advice;

  Errno(int number, Kind kind, String advice) {
    this.number = number;
    this.kind = kind;
    this.advice = advice;
  }

  /** What a caller can tell apart; a write without an answer is for {@link Failures} to see. */
  Kind kind() {
    return kind;
  }

  /** What it means here and what can be done. */
  String advice() {
    return advice;
  }

  /** The error of a negative return value; null for one that has no name here. */
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
