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
 * Retains data again of which a process that is gone was to make a file: until the latest time that
 * any line of it says, whatever this client's setting. No longer: a line of the file that was
 * replaced is worked off at its time, and what of the objects was not taken goes with it, so that a
 * later time would not hold. Where no line is left, the time begins anew, by this client's setting.
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
          line -> {
            if (line.isKept()) {
              retained.merge(line.file().data().written(), line.until(), Math::max);
            }
          });
      isRead = true;
    }
    Long before = retained.get(file.data().written());
    long until = before != null ? before : retention.until();
    retainedData.keep(List.of(new DeferredDeletion.OfFile(file.file(), until)));
  }
}
