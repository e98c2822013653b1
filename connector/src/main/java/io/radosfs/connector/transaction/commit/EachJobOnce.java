// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.layout.OwnTransactions;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.transaction.Transactions.Registration;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Finishes for one call what others have registered, and remembers the committed jobs. They stay
 * registered, and the call looks again where others are faster. If it resolved them all each time,
 * a directory that changes often would never be as it was read. Not thread-safe.
 */
public final class EachJobOnce implements Finisher {

  private final Finisher finisher;
  private final Map<Registration, TransactionStatus> resolved = new HashMap<>();

  public EachJobOnce(Finisher finisher) {
    this.finisher = finisher;
  }

  @Override
  public void finish(Registration registration, TransactionStatus status) throws IOException {
    if (status.equals(resolved.get(registration))) {
      return;
    }
    finisher.finish(registration, status);
    if (status.is(TransactionStatus.State.COMMITTED)
        && !OwnTransactions.include(registration.id(), status.owner())) {
      resolved.put(registration, status);
    }
  }
}
