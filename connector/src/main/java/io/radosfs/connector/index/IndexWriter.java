// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.index;

import io.radosfs.connector.index.ProofOfEffect.Effect;
import io.radosfs.connector.store.FailedWrite;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;

/**
 * Runs {@link IndexChange}s, one RADOS write each. If an answer is lost, or is an error that leaves
 * the outcome open, it reads the index again ({@link ProofOfEffect}). It repeats the change only if
 * the change certainly had no effect. The repetition is guarded with that proof, so that the two
 * tries can never both take effect.
 */
public final class IndexWriter {

  /** The maximum number of tries. No try follows one that has waited its full time. */
  private static final int MAX_TRIES = 8;

  private final ObjectStore store;
  private final IndexReader reader;

  public IndexWriter(ObjectStore store, IndexReader reader) {
    this.store = store;
    this.reader = reader;
  }

  /**
   * Applies a change, or changes nothing. One write; for each try whose outcome is open one read
   * more, and another write if it is repeated.
   *
   * @return true if it was applied; false if a guard failed, or if the object is missing, or exists
   *     but must not
   * @throws OutcomeUnknownException if the outcome stays open: others have changed the index since,
   *     or it cannot be read, or no further try is allowed. Any other exception, except
   *     InterruptedIOException, tells whether the change may have been made ({@link
   *     FailedWrite#mayHaveTakenEffect()}): only a denial may, if the index proves nothing
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
   * The same as {@link #apply}, but in an attempt of {@link io.radosfs.connector.retry.Retries}. If
   * the outcome is unknown, that loop looks again whether the change was made. It remembers the
   * open attempt: if the call fails later, for any reason, its error says that the change may have
   * been made. For changes that readers see, or that the caller is told of.
   *
   * @throws OutcomeUnknownException if the outcome is unknown. The loop takes it for an open
   *     attempt, or ends with it if the full time for an answer was waited: another try would take
   *     at least as long again
   */
  public boolean applyOrLookAgain(IndexChange change) throws IOException {
    try {
      return apply(change);
    } catch (OutcomeUnknownException e) {
      throw e.hasWaitedInFull() ? e : new OpenChangeException(e);
    }
  }

  /**
   * The same as {@link #applyOrLookAgain}, but an interrupt does not leave open whether the change
   * is made. One read more, behind the write, tells; the thread stays interrupted. For a change
   * that decides what the caller tells others.
   *
   * @throws InterruptedIOException if the change is not made, and will not be
   */
  public boolean applyOrLookIfInterrupted(IndexChange change) throws IOException {
    try {
      return applyOrLookAgain(change);
    } catch (InterruptedIOException e) {
      FailedWrite open = new FailedWrite(e);
      return switch (FollowUp.evenIfInterrupted(() -> lookUpOnce(change, open))) {
        case APPLIED -> true;
        case NOT_APPLIED -> throw e;
        case UNKNOWN -> throw unknown(change, open);
      };
    }
  }

  /** Another interrupt leaves the outcome open. */
  private Effect lookUpOnce(IndexChange change, FailedWrite open) throws IOException {
    try {
      return lookUp(change, open).effect();
    } catch (InterruptedIOException e) {
      return Effect.UNKNOWN;
    }
  }

  /**
   * The same as {@link #apply}, but for a step that no reader sees and no call reports: what a
   * transaction prepares before its decision or resolves after it, the opening of an index, the
   * splitting of a directory. The caller looks again and goes by what it finds, or leaves the step
   * to the next client. Not for a change where false must mean that it was not made, such as a
   * removal after which nothing leads to the object.
   *
   * @return true if it was applied; false if it was not, <em>or if the outcome is unknown</em>
   * @throws OutcomeUnknownException if the full time for an answer was waited
   */
  public boolean applyUnseen(IndexChange change) throws IOException {
    return applyUnseen(change, () -> {});
  }

  /**
   * The same, for a step that must not be made twice.
   *
   * @param ifUnknown run if the outcome is unknown
   */
  public boolean applyUnseen(IndexChange change, Runnable ifUnknown) throws IOException {
    try {
      return apply(change);
    } catch (OutcomeUnknownException e) {
      if (e.hasWaitedInFull()) {
        throw e;
      }
      ifUnknown.run();
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
      // Whatever failed the read, perhaps a denial: the change may have been made.
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
