// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction;

import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long the data of files that this process replaces is retained for their readers ({@link
 * io.radosfs.connector.data.RetainedData}). That includes files of transactions that others
 * committed and this process resolves. A wrong clock only makes the time shorter or longer.
 *
 * @param time zero for not at all
 * @param clock milliseconds since the epoch
 */
public record Retention(Duration time, LongSupplier clock) {

  /** The deferred deletion of an entry that is replaced now. */
  public DeferredDeletion replaced(FsPath path, Entry old) {
    return DeferredDeletion.of(path, old, until());
  }

  /** The deferred deletion of a file that is replaced now. */
  public DeferredDeletion.OfFile replaced(Entry.OfFile old) {
    return new DeferredDeletion.OfFile(old, until());
  }

  /** Until when data replaced now is retained; {@link DeferredDeletion#AT_ONCE} if not at all. */
  public long until() {
    return time.isZero() ? DeferredDeletion.AT_ONCE : clock.getAsLong() + time.toMillis();
  }

  /** Whether the data of this file is still to be retained. */
  public boolean keeps(DeferredDeletion.OfFile file) {
    return file.isKept() && file.until() > clock.getAsLong();
  }
}
