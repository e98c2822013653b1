// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.ledger.Ledgers;
import io.radosfs.connector.ledger.Ledgers.Ledger;
import java.io.IOException;

/**
 * Whether anything was there of the files of one ledger that were not published, or may have been:
 * a process that was held up may be writing on. The ledger notes that before any of it is removed.
 * Else another collector, which finds nothing any more, could forget the ledger. Not thread-safe.
 */
final class LedgerFinds {

  private final Ledgers ledgers;
  private final Ledger ledger;
  private final boolean takenBefore;
  private final long before;
  private boolean any;
  private boolean noted;

  /**
   * Of one collection.
   *
   * @param takenBefore whether an earlier one had taken the ledger over. One that was taken over
   *     just now stays without a note
   * @param before the collection forgets a ledger without a sign of its process since then
   */
  LedgerFinds(Ledgers ledgers, Ledger ledger, boolean takenBefore, long before) {
    this.ledgers = ledgers;
    this.ledger = ledger;
    this.takenBefore = takenBefore;
    this.before = before;
  }

  boolean isAny() {
    return any;
  }

  /** What fails may have removed some of it. */
  void maybe() {
    any = true;
  }

  /** One write, the first time. */
  void note() throws IOException {
    any = true;
    long now = ledgers.now();
    if (!noted && takenBefore && now > before) {
      ledgers.noteFound(ledger, now);
    }
    noted = true;
  }
}
