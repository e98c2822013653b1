package io.radosfs.connector.index;

import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Runs {@link IndexChange}s: one RADOS write each. Where an answer is lost the index is looked up
 * again, and the change repeated only if it certainly had no effect: with what the look-up found
 * guarded in the repetition, so that the first try and the second can never both take effect.
 */
public final class IndexWriter {

  /** A bound on tries, each of which waits for the store's own bound. */
  private static final int MAX_TRIES = 8;

  private enum Effect {
    APPLIED,
    NOT_APPLIED,
    UNKNOWN
  }

  private final ObjectStore store;
  private final IndexReader reader;

  public IndexWriter(ObjectStore store, IndexReader reader) {
    this.store = store;
    this.reader = reader;
  }

  /**
   * Applies a change, or changes nothing.
   *
   * @return whether it was applied; false when a guard did not hold, also for want of the object or
   *     because it exists
   * @throws OutcomeUnknownException when an answer was lost and the index does not tell, because
   *     others have changed it since
   */
  public boolean apply(IndexChange change) throws IOException {
    Uid token = change.token();
    boolean lostBefore = false;
    StoreException lost = null;
    for (int i = 0; i < MAX_TRIES; i++) {
      boolean refused = false;
      try {
        store.write(
            change.object(), change.operation(lostBefore && change.changeSeen().isPresent()));
        return true;
      } catch (StoreException e) {
        switch (e.kind()) {
          case GUARD_FAILED, NOT_FOUND, EXISTS -> {
            if (!lostBefore) {
              return false;
            }
            refused = true;
          }
          case OUTCOME_UNKNOWN -> {
            if (lost == null) {
              lost = e;
            }
          }
          default -> throw e;
        }
      }
      switch (effectOf(change, token, lost)) {
        case APPLIED -> {
          return true;
        }
        case UNKNOWN -> throw unknown(change, lost);
        case NOT_APPLIED -> {
          if (refused) {
            return false;
          }
          lostBefore = true;
        }
      }
    }
    throw unknown(change, lost);
  }

  /**
   * The same for a caller that answers false by looking at the directory again, and finds there
   * whether its change was made: to it an unknown outcome is one more reason to look.
   */
  public boolean applyOrLookAgain(IndexChange change) throws IOException {
    try {
      return apply(change);
    } catch (OutcomeUnknownException e) {
      return false;
    }
  }

  private static OutcomeUnknownException unknown(IndexChange change, StoreException lost) {
    return new OutcomeUnknownException(
        "a change of directory "
            + change.index().directory()
            + " (object '"
            + change.object()
            + "') got no answer, and may or may not have taken effect: look at the directory"
            + " before repeating it. Changed keys: "
            + change.sets().keySet().stream().limit(5).toList()
            + " "
            + change.removals().stream().limit(5).toList(),
        lost);
  }

  private Effect effectOf(IndexChange change, Uid token, StoreException lost) throws IOException {
    try {
      return effect(change, token);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      // Whatever kept the index from being read, a denial too: the change may have been made.
      OutcomeUnknownException unknown = unknown(change, lost);
      unknown.addSuppressed(e);
      throw unknown;
    }
  }

  /** What became of a change whose answer was lost. */
  private Effect effect(IndexChange change, Uid token) throws IOException {
    Set<String> keys = new HashSet<>(change.expected().keySet());
    keys.addAll(change.sets().keySet());
    keys.addAll(change.removals());
    DirectoryView now = reader.keys(change.index(), keys);
    if (!now.exists()) {
      return change.removesIndex()
          ? Effect.APPLIED
          : change.expectedHead().isEmpty() ? Effect.NOT_APPLIED : Effect.UNKNOWN;
    }
    Optional<byte[]> changeNow = now.value(IndexKeys.CHANGE);
    if (changeNow.isPresent()
        && Arrays.equals(changeNow.get(), token.value().getBytes(StandardCharsets.UTF_8))) {
      return Effect.APPLIED;
    }
    if (!change.removesIndex() && isVisible(change, now)) {
      return Effect.APPLIED;
    }
    if (alteredGuardStillHolds(change, now)) {
      return Effect.NOT_APPLIED;
    }
    if (change.changeSeen().isPresent()
        && Arrays.equals(change.changeSeen().get(), changeNow.orElse(null))) {
      return Effect.NOT_APPLIED;
    }
    boolean onlyRemoves = change.sets().keySet().stream().allMatch(IndexWriter::isReclaim);
    if (!change.removals().isEmpty()
        && onlyRemoves
        && change.removals().stream().noneMatch(key -> now.value(key).isPresent())) {
      return Effect.APPLIED;
    }
    return Effect.UNKNOWN;
  }

  private static boolean isReclaim(String key) {
    return key.startsWith(IndexKeys.RECLAIM_PREFIX);
  }

  /** All that the change sets carries random uids or ids, so that finding it is proof. */
  private static boolean isVisible(IndexChange change, DirectoryView now) {
    if (change.sets().isEmpty()) {
      return false;
    }
    for (Map.Entry<String, byte[]> set : change.sets().entrySet()) {
      if (!isReclaim(set.getKey())
          && !Arrays.equals(set.getValue(), now.value(set.getKey()).orElse(null))) {
        return false;
      }
    }
    return change.sets().keySet().stream().anyMatch(key -> !isReclaim(key))
        && change.removals().stream().noneMatch(key -> now.value(key).isPresent());
  }

  /**
   * Whether something that the change takes away or replaces is still there as it was: then the
   * change was not applied, and the guard on it protects a repetition.
   */
  private static boolean alteredGuardStillHolds(IndexChange change, DirectoryView now)
      throws IOException {
    for (Map.Entry<String, Optional<byte[]>> guard : change.expected().entrySet()) {
      String key = guard.getKey();
      boolean altered =
          change.removesIndex()
              || key.equals(IndexKeys.CHANGE)
              || (key.equals(IndexKeys.TRANSACTIONS) && change.isTransactional())
              || change.removals().contains(key)
              || change.sets().containsKey(key);
      if (altered
          && guard.getValue().isPresent()
          && Arrays.equals(guard.getValue().get(), now.value(key).orElse(null))) {
        return true;
      }
    }
    Optional<IndexHead> expectedHead = change.expectedHead();
    boolean altersHead = change.removesIndex() || change.altersHead();
    return altersHead && expectedHead.isPresent() && expectedHead.equals(now.head());
  }
}
