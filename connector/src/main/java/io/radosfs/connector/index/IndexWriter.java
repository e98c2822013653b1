// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.index;

import io.radosfs.connector.index.ProofOfEffect.Effect;
import io.radosfs.connector.store.FailedWrite;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;

/**
 * Runs {@link IndexChange}s: one RADOS write each. Where an answer is lost, or is an error that
 * leaves the outcome open, the index is looked up again ({@link ProofOfEffect}), and the change
 * repeated only if it certainly had no effect: with what the look-up found guarded in the
 * repetition, so that the first try and the second can never both take effect.
 */
public final class IndexWriter {

  /** A bound on tries, of which none follows on one that has waited as long as it may. */
  private static final int MAX_TRIES = 8;

  private final ObjectStore store;
  private final IndexReader reader;

  public IndexWriter(ObjectStore store, IndexReader reader) {
    this.store = store;
    this.reader = reader;
  }

  /**
   * Applies a change, or changes nothing. One write; one read more, and another write, for each try
   * whose outcome is open.
   *
   * @return whether it was applied; false when a guard did not hold, also for want of the object or
   *     because it exists
   * @throws OutcomeUnknownException when the outcome of a try is open and the index does not tell,
   *     because others have changed it since or it cannot be read. Any other exception but an
   *     InterruptedIOException says in itself whether the change may have been made ({@link
   *     FailedWrite#mayHaveTakenEffect()}), which it does of a denial alone, where the index does
   *     not tell
   */
  public boolean apply(IndexChange change) throws IOException {
    FailedWrite open = null;
    for (int i = 0; i < MAX_TRIES; i++) {
      FailedWrite failed;
      try {
        store.write(change.object(), change.operation(open != null));
        return true;
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        failed = new FailedWrite(e);
      }
      boolean refused = failed.is(Kind.GUARD_FAILED, Kind.NOT_FOUND, Kind.EXISTS);
      if (open == null && !failed.mayHaveTakenEffect()) {
        if (refused) {
          return false;
        }
        throw failed.failure();
      }
      if (open == null) {
        open = failed;
      }
      switch (lookUp(change, open).effect()) {
        case APPLIED -> {
          return true;
        }
        case UNKNOWN -> throw open.isDenied() ? open.failure() : unknown(change, open);
        case NOT_APPLIED -> {
          if (refused) {
            return false;
          }
          if (!failed.isUnanswered()) {
            throw failed.withoutEffect();
          }
          if (!failed.isWorthRepeating()) {
            throw unknown(change, open);
          }
          change.renewToken();
        }
      }
    }
    throw unknown(change, open);
  }

  /**
   * The same in an attempt of {@link io.radosfs.connector.retry.Retries}, which looks again whether
   * the change was made where nobody knows. The loop does not forget it: if the call fails after
   * that, whatever with, its user is told that the change may have been made. For changes that
   * readers see, or that a user is told of.
   *
   * @throws OutcomeUnknownException which that loop takes for an open attempt; or which ends it,
   *     when all the time was waited that there is for an answer: to look and try again would take
   *     as long once more, and more
   */
  public boolean applyOrLookAgain(IndexChange change) throws IOException {
    try {
      return apply(change);
    } catch (OutcomeUnknownException e) {
      throw e.hasWaitedInFull() ? e : new OpenChangeException(e);
    }
  }

  /**
   * The same for a step that no reader sees, and that nobody's call tells of: what a transaction
   * prepares, which is nothing until it is decided, or resolves, when it is; the opening of an
   * index and the splitting of a directory. The caller goes by what it finds when it looks again,
   * or leaves it to the next that comes by. Not for one that takes false for a change that was not
   * made, as a removal is after which nothing leads to the object.
   *
   * @return true when it was applied; false when it was not, <em>or nobody knows</em>
   * @throws OutcomeUnknownException when all the time was waited that there is for an answer
   */
  public boolean applyUnseen(IndexChange change) throws IOException {
    try {
      return apply(change);
    } catch (OutcomeUnknownException e) {
      if (e.hasWaitedInFull()) {
        throw e;
      }
      return false;
    }
  }

  private ProofOfEffect lookUp(IndexChange change, FailedWrite open) throws IOException {
    try {
      DirectoryView now = reader.afterWrites(change.index(), ProofOfEffect.keys(change));
      ProofOfEffect proof = ProofOfEffect.of(change, now);
      if (proof.effect() == Effect.APPLIED && !proof.lists(change, now)) {
        change.listedNothing();
      }
      return proof;
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      // Whatever kept the index from being read, a denial too: the change may have been made.
      if (open.isDenied()) {
        open.failure().addSuppressed(e);
        throw open.failure();
      }
      OutcomeUnknownException unknown = unknown(change, open);
      unknown.addSuppressed(e);
      throw unknown;
    }
  }

  private static OutcomeUnknownException unknown(IndexChange change, FailedWrite open) {
    return new OutcomeUnknownException(
        "a change of directory "
            + change.index().directory()
            + " (object '"
            + change.object()
            + "') got no answer, or one that leaves it open, and may or may not have taken effect:"
            + " look at the directory before repeating it. Changed keys: "
            + change.sets().keySet().stream().limit(5).toList()
            + " "
            + change.removals().stream().limit(5).toList(),
        open.failure());
  }
}
