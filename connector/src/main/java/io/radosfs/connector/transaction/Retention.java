// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction;

import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long the data of files that this process replaces is kept, for readers in the middle of them
 * ({@link io.radosfs.connector.data.RetainedData}). Of a transaction that counts which another one
 * left to be resolved by this process. A wrong clock makes the time shorter or longer, and no more.
 *
 * @param time zero for not at all
 * @param clock milliseconds since the epoch
 */
public record Retention(Duration time, LongSupplier clock) {

  /** What is left to delete of something that is replaced now. */
  public DeferredDeletion replaced(FsPath path, Entry old) {
    return DeferredDeletion.of(path, old, until());
  }

  /** The data of a file that is replaced now. */
  public DeferredDeletion.OfFile replaced(Entry.OfFile old) {
    return new DeferredDeletion.OfFile(old, until());
  }

  /** Until when what is replaced now is kept; {@link DeferredDeletion#AT_ONCE} for not at all. */
  public long until() {
    return time.isZero() ? DeferredDeletion.AT_ONCE : clock.getAsLong() + time.toMillis();
  }

  /** Whether something is to be kept still. */
  public boolean keeps(DeferredDeletion.OfFile file) {
    return file.until() > DeferredDeletion.AT_ONCE && file.until() > clock.getAsLong();
  }
}
