// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction;

import java.util.Optional;

/**
 * A transaction is committed: what {@link Transactions#commit} answers once it has been decided.
 * Whatever comes after the decision is in here, and no exception: whoever has this has committed.
 *
 * @param unresolved why it is not resolved everywhere yet; empty where it is. Readers see it all
 *     the same; {@link Transactions#resolve} does the rest, and must before the status record is
 *     forgotten
 */
public record Committed(Optional<Exception> unresolved) {

  public static final Committed RESOLVED = new Committed(Optional.empty());

  public boolean isSettled() {
    return unresolved.isEmpty();
  }
}
