// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import io.radosfs.connector.store.StoreException.Kind;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.security.AccessControlException;

/**
 * A failed write, and what its exception says about its effect. The store decides what an error
 * number means, see {@link StoreException#mayHaveTakenEffect}. An exception that is not the
 * store's, above all an interrupt, leaves the outcome open.
 *
 * @param failure what {@link ObjectStore#write} threw, or its future failed with
 */
public record FailedWrite(IOException failure) {

  /**
   * Whether the write may have taken effect, or may yet. Then the caller must look up the outcome
   * ({@link ReadOp#afterWrites()}) before it undoes anything or reports a failure.
   */
  public boolean mayHaveTakenEffect() {
    return told().map(StoreException::mayHaveTakenEffect).orElse(true);
  }

  /** Whether nobody answered. */
  public boolean isUnanswered() {
    return told().filter(StoreException::isUnanswered).isPresent();
  }

  /**
   * Whether it is worth repeating, if it may be made twice: {@link
   * StoreException#isWorthRepeating}.
   */
  public boolean isWorthRepeating() {
    return told().filter(StoreException::isWorthRepeating).isPresent();
  }

  /** Whether the failure is of one of these kinds. */
  public boolean is(Kind... kinds) {
    return told().filter(e -> Arrays.stream(kinds).anyMatch(e::is)).isPresent();
  }

  /** Whether the Ceph user may not write there. */
  public boolean isDenied() {
    return is(Kind.PERMISSION_DENIED);
  }

  /**
   * The failure of a repetition while the outcome of an earlier try is open: whatever this failure
   * is, it says nothing about that try.
   */
  public IOException afterOpenTry() {
    return saying(true);
  }

  /** The failure of a write that certainly had no effect, as a look-up has shown. */
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

  /** The store's own exception: the failure, or the cause of the one that explains a denial. */
  private Optional<StoreException> told() {
    Throwable at = failure;
    while (at instanceof AccessControlException && at.getCause() != null) {
      at = at.getCause();
    }
    return at instanceof StoreException e ? Optional.of(e) : Optional.empty();
  }
}
