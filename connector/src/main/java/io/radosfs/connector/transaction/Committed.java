package io.radosfs.connector.transaction;

import java.util.Optional;

/**
 * A transaction is committed: what {@link Transactions#commit} answers once it has been decided.
 * Whatever comes after the decision is in here, and no exception: who has this has committed.
 *
 * @param unsettled why it is not settled everywhere yet; empty where it is. Readers see it all the
 *     same; {@link Transactions#settle} does the rest, and must before the decision is forgotten
 */
public record Committed(Optional<Exception> unsettled) {

  static final Committed SETTLED = new Committed(Optional.empty());

  public boolean isSettled() {
    return unsettled.isEmpty();
  }
}
