// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.retry.Doubling;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.resolve.BoundedBackoff;
import java.io.IOException;
import java.time.Duration;

/**
 * Leaves a transaction for a while to the client that has taken it over, twice as long each time.
 * Two clients that take a transaction over from each other at once make the other's work vain, and
 * neither would come to the end. Once the time is as long as a commit takes, one does. The client
 * that has taken it over may have died, so the time is bounded.
 *
 * <p>Not thread-safe.
 */
final class GivingWay {

  private static final Duration FIRST = Duration.ofMillis(200);
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private final StatusRecords records;
  private final Registration registration;
  private final Doubling times = new Doubling(FIRST, LONGEST);

  GivingWay(StatusRecords records, Registration registration) {
    this.records = records;
    this.registration = registration;
  }

  /** Waits until the transaction is decided, or the time is over. A read after each pause. */
  void untilDecided() throws IOException {
    BoundedBackoff backoff = new BoundedBackoff(times.next(), records.retries().pauses());
    boolean pending = true;
    while (pending && backoff.pause()) {
      pending =
          records
              .record(registration)
              .filter(now -> now.is(TransactionStatus.State.PENDING))
              .isPresent();
    }
  }
}
