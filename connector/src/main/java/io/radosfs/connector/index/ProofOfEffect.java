// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.index;

import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.LayoutException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What an index object proves about the effect of a change. The object is read after all tries of
 * the change ({@link io.radosfs.connector.store.ReadOp#afterWrites()}), so an effect that the read
 * does not show never comes.
 */
enum ProofOfEffect {
  /** The change removes the object, and the object is gone. */
  OBJECT_GONE(Effect.APPLIED),
  /** The object's last change is this one: it has the random value that this change sets. */
  OWN_TOKEN(Effect.APPLIED),
  /** The same of the object's last change of a transaction. */
  OWN_TRANSACTION(Effect.APPLIED),
  /**
   * All that the change sets is there, random uids and the head included, and all that it removes
   * is gone. Not of a change that {@link IndexChange#othersMayMakeIt others may make}.
   */
  ALL_VISIBLE(Effect.APPLIED),
  /**
   * The change only removes, and all that it removes is gone, so its purpose is served. If it sets
   * the head too, that is there.
   */
  ALL_GONE(Effect.APPLIED),
  /** The object, which the change creates, is missing; others may have removed it since. */
  NOT_MADE(Effect.NOT_APPLIED),
  /**
   * Something that the change removes or replaces, and that nobody can bring back, is still as it
   * was. A repetition is guarded with it, so that at most one of the two tries takes effect.
   */
  ALTERED_GUARD_HOLDS(Effect.NOT_APPLIED),
  /** What every effect sets anew is as seen before the try. A repetition is guarded with it. */
  UNCHANGED(Effect.NOT_APPLIED),
  /** Others have changed the object since, so neither is proved. */
  NONE(Effect.UNKNOWN);

  /** Whether the change is made. */
  enum Effect {
    APPLIED,
    NOT_APPLIED,
    UNKNOWN
  }

  private final Effect effect;

  ProofOfEffect(Effect effect) {
    this.effect = effect;
  }

  Effect effect() {
    return effect;
  }

  /** The keys that {@link #of} needs. */
  static Set<String> keys(IndexChange change) {
    Set<String> keys = new HashSet<>(change.expected().keySet());
    keys.addAll(change.sets().keySet());
    keys.addAll(change.removals());
    return keys;
  }

  /**
   * @param now with {@link #keys}, read after all tries
   */
  static ProofOfEffect of(IndexChange change, DirectoryView now) throws LayoutException {
    if (!now.exists()) {
      return change.removesIndex()
          ? OBJECT_GONE
          : change.expectedHead().isEmpty() ? NOT_MADE : NONE;
    }
    Optional<byte[]> changeNow = now.value(IndexKeys.CHANGE);
    if (changeNow.filter(change::isToken).isPresent()) {
      return OWN_TOKEN;
    }
    if (change.isLastIn(now)) {
      return OWN_TRANSACTION;
    }
    if (!change.removesIndex() && change.isUnlikeOthers() && allVisible(change, now)) {
      return ALL_VISIBLE;
    }
    if (alteredGuardHolds(change, now)) {
      return ALTERED_GUARD_HOLDS;
    }
    if (change.isAsSeen(now)) {
      return UNCHANGED;
    }
    boolean onlyRemoves =
        change.sets().keySet().stream().allMatch(ProofOfEffect::isDeferredDeletion);
    return !change.removals().isEmpty()
            && onlyRemoves
            && hasHeadOf(change, now)
            && !wasSplitMeanwhile(change, now)
            && noneLeft(change, now)
        ? ALL_GONE
        : NONE;
  }

  /**
   * Whether all that the change lists for deletion is listed as it says. If not, it is deleted
   * already, or others have caused the state that the change aims at, perhaps by a rename, or by a
   * replacement that keeps the data for a while.
   */
  boolean lists(IndexChange change, DirectoryView now) {
    return this == OWN_TOKEN
        || change.sets().entrySet().stream()
            .filter(set -> isDeferredDeletion(set.getKey()))
            .allMatch(set -> Arrays.equals(set.getValue(), now.value(set.getKey()).orElse(null)));
  }

  private static boolean isDeferredDeletion(String key) {
    return key.startsWith(IndexKeys.DEFERRED_DELETION_PREFIX);
  }

  /** A split takes entries to the shards: what is missing here then may be there. */
  private static boolean wasSplitMeanwhile(IndexChange change, DirectoryView now)
      throws LayoutException {
    return now.isSharded() && change.expectedHead().filter(head -> !head.isSharded()).isPresent();
  }

  private static boolean noneLeft(IndexChange change, DirectoryView now) {
    return change.removals().stream().noneMatch(key -> now.value(key).isPresent());
  }

  /** Ignores what is listed for deletion, which may be deleted already. */
  private static boolean allVisible(IndexChange change, DirectoryView now) throws LayoutException {
    boolean any = false;
    for (Map.Entry<String, byte[]> set : change.sets().entrySet()) {
      if (!isDeferredDeletion(set.getKey())) {
        any = true;
        if (!Arrays.equals(set.getValue(), now.value(set.getKey()).orElse(null))) {
          return false;
        }
      }
    }
    return any && hasHeadOf(change, now) && noneLeft(change, now);
  }

  /** Others may have made the same of the keys, as of a layout, and something else of the head. */
  private static boolean hasHeadOf(IndexChange change, DirectoryView now) throws LayoutException {
    return !change.altersHead() || change.newHead().equals(now.head());
  }

  private static boolean alteredGuardHolds(IndexChange change, DirectoryView now)
      throws LayoutException {
    for (Map.Entry<String, Optional<byte[]>> guard : change.expected().entrySet()) {
      if (guard.getValue().isPresent()
          && change.alters(guard.getKey())
          && !change.returns(guard.getKey())
          && Arrays.equals(guard.getValue().get(), now.value(guard.getKey()).orElse(null))) {
        return true;
      }
    }
    Optional<IndexHead> expectedHead = change.expectedHead();
    boolean altersHead = change.removesIndex() || change.altersHead();
    // No index that was closed or removed is open again, but another one of its directory's path.
    return altersHead
        && expectedHead.isPresent()
        && expectedHead.equals(now.head())
        && !change.mayBeAnother(now);
  }
}
