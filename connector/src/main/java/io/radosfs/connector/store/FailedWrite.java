// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import io.radosfs.connector.store.StoreException.Kind;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.security.AccessControlException;

/**
 * A write that failed, and what its exception, of whatever class, says of its effect. What an error
 * number means was decided by the store, see {@link StoreException#mayHaveTakenEffect}; an
 * exception that does not come from there, an interrupt's above all, leaves everything open.
 *
 * @param failure what {@link ObjectStore#write} threw, or its future failed with
 */
public record FailedWrite(IOException failure) {

  /**
   * Whether it may be applied all the same. Nothing may be undone or told as failed then before it
   * was looked up ({@link ReadOp#afterWrites()}) what became of it.
   */
  public boolean mayHaveTakenEffect() {
    return told().map(StoreException::mayHaveTakenEffect).orElse(true);
  }

  /** Whether nobody answered. */
  public boolean isUnanswered() {
    return told().filter(StoreException::isUnanswered).isPresent();
  }

  /**
   * Whether a write that may be done twice is worth it, {@link StoreException#isWorthRepeating}.
   */
  public boolean isWorthRepeating() {
    return told().filter(StoreException::isWorthRepeating).isPresent();
  }

  /** Whether it is one of these. */
  public boolean is(Kind... kinds) {
    return told().filter(e -> Arrays.stream(kinds).anyMatch(e::is)).isPresent();
  }

  /** Whether the Ceph user may not write there. */
  public boolean isDenied() {
    return is(Kind.PERMISSION_DENIED);
  }

  /**
   * The failure of a repetition, while nobody knows what became of an earlier try: whatever it is,
   * it says nothing of that one's effect.
   */
  public IOException afterOpenTry() {
    return saying(true);
  }

  /** The failure of a write that was looked for, and has certainly had no effect. */
  public IOException withoutEffect() {
    return saying(false);
  }

  private IOException saying(boolean tookEffectPerhaps) {
    Optional<StoreException> told = told();
    if (told.isEmpty() || told.get().mayHaveTakenEffect() == tookEffectPerhaps) {
      return failure;
    }
    StoreException saying = told.get().again(tookEffectPerhaps);
    if (failure instanceof AccessControlException) {
      AccessControlException denied = new AccessControlException(failure.getMessage());
      denied.initCause(saying);
      return denied;
    }
    return saying;
  }

  /** The store's own exception: a denial is explained to users by one that has it as its cause. */
  private Optional<StoreException> told() {
    Throwable at = failure;
    while (at instanceof AccessControlException && at.getCause() != null) {
      at = at.getCause();
    }
    return at instanceof StoreException e ? Optional.of(e) : Optional.empty();
  }
}
