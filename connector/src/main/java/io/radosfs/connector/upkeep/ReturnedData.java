// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.RetainedData;
import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.LedgerEntry;
import io.radosfs.connector.transaction.Retention;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Retains data again of which a process that is gone was to make a file. The time begins anew, by
 * this client's setting. But the data stays at least as long as any line of it says: it may be all
 * that is left of a table, and the client that replaced it may have a longer retention.
 *
 * <p>For one collection. Not thread-safe.
 */
final class ReturnedData {

  private final RetainedData retainedData;
  private final Retention retention;

  /** The latest time until which data is retained, by the uid that it was written with. */
  private final Map<Uid, Long> retained = new HashMap<>();

  private boolean isRead;

  ReturnedData(RetainedData retainedData, Retention retention) {
    this.retainedData = retainedData;
    this.retention = retention;
  }

  /**
   * Lists the data. One write; before the first one the reads of {@link RetainedData#list}.
   *
   * @throws IOException also if a line of the lists cannot be read: it may say how long
   */
  void keep(LedgerEntry.RestoredFile file) throws IOException {
    if (!isRead) {
      retainedData.list(
          line -> retained.merge(line.file().data().written(), line.until(), Math::max));
      isRead = true;
    }
    long before = retained.getOrDefault(file.data().written(), DeferredDeletion.AT_ONCE);
    long until = Math.max(before, retention.until());
    retainedData.keep(List.of(new DeferredDeletion.OfFile(file.file(), until)));
  }
}
