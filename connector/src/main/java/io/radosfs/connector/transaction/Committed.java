// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction;

import java.util.Optional;

/**
 * What {@link Transactions#commit} returns: the transaction is committed. A failure after the
 * decision is reported in here and never thrown.
 *
 * @param unresolved why the transaction is not resolved everywhere yet; empty if it is. Readers see
 *     it in either case. {@link Transactions#resolve} does the rest, and must before the status
 *     record is forgotten
 */
public record Committed(Optional<Throwable> unresolved) {

  public static final Committed RESOLVED = new Committed(Optional.empty());

  public boolean isResolved() {
    return unresolved.isEmpty();
  }
}
