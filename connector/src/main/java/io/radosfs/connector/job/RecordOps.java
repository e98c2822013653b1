// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.store.Await;
import io.radosfs.connector.store.FailedWrite;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.RepeatableOps;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

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
   * @throws OutcomeUnknownException if no repetition was answered, or only with an error that
   *     leaves the outcome open
   */
  void write(WriteOp op) throws IOException {
    write(() -> store.write(object, op));
  }

  /**
   * The same as {@link #write}, but looks for the effect of an unanswered try before it repeats it.
   * So no repetition is under way that could arrive after the record has gone. One read more for
   * each unanswered try.
   *
   * @param made returns whether a try took effect, by a read ordered after it
   * @return false if an unanswered try has taken effect
   */
  boolean writeUnless(CallableRaisingIOE<Boolean> made, WriteOp op) throws IOException {
    boolean[] tried = new boolean[1];
    boolean[] found = new boolean[1];
    write(
        () -> {
          found[0] = tried[0] && made.apply();
          if (!found[0]) {
            tried[0] = true;
            store.write(object, op);
          }
        });
    return !found[0];
  }

  private void write(InvocationRaisingIOE change) throws IOException {
    try {
      RepeatableOps.repeat(change);
    } catch (StoreException e) {
      if (e.mayHaveTakenEffect() && !isRefusal(e)) {
        throw unknown(e);
      }
      throw e;
    }
  }

  private OutcomeUnknownException unknown(StoreException e) {
    return new OutcomeUnknownException(
        "no answer to a change of the record of %s, object '%s' in pool %s, or one that leaves it open: it may have taken effect. Repeat the step, or abort the job"
            .formatted(owner, object, store.pool()),
        e);
  }

  /**
   * Looks at the record after a refusal. If that fails, and a repetition was refused, the outcome
   * is unknown: the first try may have taken effect.
   *
   * @param look reads what became of the change
   */
  <T> T look(StoreException refusal, CallableRaisingIOE<T> look) throws IOException {
    try {
      return look.apply();
    } catch (IOException e) {
      throw refusal.mayHaveTakenEffect() ? unknown(refusal).endedBy(e) : e;
    }
  }

  /**
   * Throws if a repetition was refused: the first try may have taken effect before the change that
   * the refusal is about.
   */
  void requireDefinite(StoreException refusal) throws OutcomeUnknownException {
    if (refusal.mayHaveTakenEffect()) {
      throw unknown(refusal);
    }
  }

  /**
   * Returns whether guards refused the operation. A repetition may be refused because of its own
   * unanswered first try: then each caller looks at the record, or treats that as a refusal.
   */
  private static boolean isRefusal(StoreException e) {
    return e.is(Kind.NOT_FOUND) || e.is(Kind.GUARD_FAILED);
  }

  /** Returns false if there is no record. */
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

  /** Returns false if there is no record, or a guard has failed. */
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

  /**
   * Begins one try of the first, and of the second if that is refused; false if there is no record,
   * or a guard of either has failed.
   */
  CompletableFuture<Boolean> beginEither(WriteOp.Builder first, WriteOp.Builder second) {
    return beginGuarded(first)
        .thenCompose(done -> done ? CompletableFuture.completedFuture(true) : beginGuarded(second));
  }

  private CompletableFuture<Boolean> beginGuarded(WriteOp.Builder op) {
    return store
        .writeAsync(object, op.build())
        .handle(
            (done, thrown) -> {
              if (thrown != null
                  && !new FailedWrite(Await.failure(thrown))
                      .is(Kind.NOT_FOUND, Kind.GUARD_FAILED)) {
                throw new CompletionException(thrown);
              }
              return thrown == null;
            });
  }

  /** Removes the record, if it is there. Returns false if a guard has failed. */
  boolean removeGuarded(WriteOp.Builder guards) throws IOException {
    try {
      boolean unused = writeIfThere(guards.remove());
      return true;
    } catch (StoreException e) {
      if (e.is(Kind.GUARD_FAILED)) {
        return false;
      }
      throw e;
    }
  }

  ReadResult read(ReadOp op) throws IOException {
    return Reads.read(store, object, op);
  }

  /** The same as {@link #read}, but empty if there is no record. */
  Optional<ReadResult> find(ReadOp op) throws IOException {
    return Reads.find(store, object, op);
  }

  /** The same for these keys, by a read that is ordered after this client's writes. */
  Optional<ReadResult> findAfterWrites(Set<String> keys) throws IOException {
    return find(ReadOp.builder().afterWrites().omapByKeys(keys).build());
  }
}
