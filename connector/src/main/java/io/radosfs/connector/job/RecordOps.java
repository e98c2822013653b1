package io.radosfs.connector.job;

import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.RepeatableOps;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;

/** Operations on the object of one job's record, repeated when their answers are lost. */
final class RecordOps {

  private final ObjectStore store;
  private final String object;
  private final String owner;

  /**
   * @param owner whose record it is, for errors
   */
  RecordOps(ObjectStore store, String object, String owner) {
    this.store = store;
    this.object = object;
    this.owner = owner;
  }

  /**
   * @throws OutcomeUnknownException when no repetition was answered
   */
  void write(WriteOp op) throws IOException {
    try {
      RepeatableOps.repeat(() -> store.write(object, op));
    } catch (StoreException e) {
      if (e.is(Kind.OUTCOME_UNKNOWN)) {
        throw new OutcomeUnknownException(
            "no answer to a change of the record of %s, object '%s' in pool %s: it may have taken effect. Repeat the step, or abort the job"
                .formatted(owner, object, store.pool()),
            e);
      }
      throw e;
    }
  }

  /** False when there is no record. */
  boolean writeIfThere(WriteOp.Builder op) throws IOException {
    try {
      write(op.build());
      return true;
    } catch (StoreException e) {
      if (e.is(Kind.NOT_FOUND)) {
        return false;
      }
      throw e;
    }
  }

  /** False when there is no record, or a guard has failed. */
  boolean writeGuarded(WriteOp.Builder op) throws IOException {
    try {
      return writeIfThere(op);
    } catch (StoreException e) {
      if (e.is(Kind.GUARD_FAILED)) {
        return false;
      }
      throw e;
    }
  }

  ReadResult read(ReadOp op) throws IOException {
    return RepeatableOps.repeating(() -> store.read(object, op));
  }
}
