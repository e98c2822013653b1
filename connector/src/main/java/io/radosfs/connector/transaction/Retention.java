package io.radosfs.connector.transaction;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Reclaim;
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
  public Reclaim replaced(FsPath path, Entry old) {
    return Reclaim.of(path, old, until());
  }

  /** The data of a file that is replaced now. */
  public Reclaim.OfFile replaced(Entry.OfFile old) {
    return new Reclaim.OfFile(old, until());
  }

  /** Until when what is replaced now is kept; {@link Reclaim#AT_ONCE} for not at all. */
  long until() {
    return time.isZero() ? Reclaim.AT_ONCE : clock.getAsLong() + time.toMillis();
  }

  /** Whether something is to be kept still. */
  boolean keeps(Reclaim.OfFile file) {
    return file.until() > Reclaim.AT_ONCE && file.until() > clock.getAsLong();
  }
}
