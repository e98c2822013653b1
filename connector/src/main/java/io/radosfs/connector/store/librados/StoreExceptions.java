// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import java.time.Duration;

/** Makes the exceptions of one store. It is the only place where an errno becomes a kind. */
record StoreExceptions(String pool, String namespace) {

  /** The failure of a write, by librados' return value. */
  StoreException write(int returnValue, String object, String operation) {
    Errno errno = Errno.of(returnValue);
    if (errno == Errno.ETIMEDOUT) {
      return outcomeUnknown(object, operation, errno.advice());
    }
    return of(errno, returnValue, object, operation, Errno.leavesWriteOpen(returnValue));
  }

  /** The failure, by librados' return value, of a read or anything else that changes nothing. */
  StoreException read(int returnValue, String object, String operation) {
    Errno errno = Errno.of(returnValue);
    StoreException failure = of(errno, returnValue, object, operation, false);
    return errno == Errno.ETIMEDOUT ? failure.afterWaitingInFull() : failure;
  }

  /** A write that this client no longer waits for. */
  StoreException outcomeUnknown(String object, String operation, String why) {
    return new StoreException(
            Kind.OUTCOME_UNKNOWN,
            object,
            text(object, operation)
                + ": outcome unknown, it may have taken effect or may yet: "
                + why)
        .afterWaitingInFull();
  }

  /** A read that this client no longer waits for. */
  StoreException timedOut(String object, String operation, String why) {
    return new StoreException(Kind.TIMED_OUT, object, text(object, operation) + ": " + why)
        .afterWaitingInFull();
  }

  /** An operation that never reached librados. */
  StoreException closed(String object, String operation) {
    return new StoreException(
        Kind.OTHER, object, text(object, operation) + ": this store is closed");
  }

  /** An operation that was not sent because the connection is blocklisted. */
  StoreException cutOff(String object, String operation) {
    return new StoreException(
        Kind.BLOCKLISTED,
        object,
        text(object, operation)
            + ": not sent, as the cluster had blocklisted this connection: what was begun on it has"
            + " failed, begin it anew");
  }

  /** A read that had no answer yet when the connection was found blocklisted. */
  StoreException droppedByCutOff(String object, String operation) {
    return new StoreException(
        Kind.BLOCKLISTED,
        object,
        text(object, operation)
            + ": cancelled without an answer, as the cluster has blocklisted this connection:"
            + " begin it anew");
  }

  /**
   * An operation on a pool that is gone.
   *
   * @param mayHaveTakenEffect whether it is a write that was sent
   */
  StoreException poolGone(String object, String operation, boolean mayHaveTakenEffect) {
    return new StoreException(
        Kind.POOL_GONE,
        object,
        text(object, operation)
            + ": this pool was deleted or renamed since this process opened it: what was begun in"
            + " it has failed. If there is a pool of that name again (`ceph osd pool ls`), begin"
            + " it anew",
        null,
        mayHaveTakenEffect);
  }

  /** A name or key that RADOS does not allow. */
  StoreException invalid(String object, String operation, IllegalArgumentException why) {
    return new StoreException(
        Kind.OTHER, object, text(object, operation) + ": " + why.getMessage(), why);
  }

  static String noAnswer(Duration bound) {
    return "no answer within " + bound.toMillis() + " ms: " + Errno.ETIMEDOUT.advice();
  }

  private StoreException of(
      Errno errno, int returnValue, String object, String operation, boolean mayHaveTakenEffect) {
    String text = text(object, operation) + ": " + Errno.name(returnValue);
    return errno == null
        ? new StoreException(Kind.OTHER, object, text, null, mayHaveTakenEffect)
        : new StoreException(
            errno.kind(), object, text + ", " + errno.advice(), null, mayHaveTakenEffect);
  }

  /** The operation, the object and the pool, for messages. */
  String text(String object, String operation) {
    if (pool.isEmpty()) {
      return operation; // a command to the monitors
    }
    String where =
        namespace.isEmpty() ? "pool " + pool : "pool " + pool + ", namespace " + namespace;
    return object.isEmpty()
        ? operation + " in " + where
        : operation + " on object '" + OpText.shortened(object) + "' in " + where;
  }
}
