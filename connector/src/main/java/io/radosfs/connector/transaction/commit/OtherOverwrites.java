// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LockHolder;
import io.radosfs.connector.transaction.ListingGuard;
import io.radosfs.connector.transaction.OverwriteGuard;
import io.radosfs.connector.transaction.Transactions.Registration;
import io.radosfs.connector.transaction.resolve.BoundedBackoff;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Those below the coordinator of a transaction that has its overwrite lock. Each directory is
 * looked at once: whoever asks for its lock later sees the lock above, and waits.
 */
final class OtherOverwrites implements OverwriteGuard {

  /** A lock that has ended. */
  private record Ended(FsPath directory, String transaction) {}

  private final OverwriteLock lock;
  private final Registration own;
  private final BoundedBackoff backoff;
  private final Set<FsPath> lookedAt = new HashSet<>();
  private final Set<Ended> ended = new HashSet<>();

  OtherOverwrites(OverwriteLock lock, Registration own, BoundedBackoff backoff) {
    this.lock = lock;
    this.own = own;
    this.backoff = backoff;
  }

  @Override
  public ListingGuard before(FsPath path) throws IOException {
    if (path.equals(own.coordinator()) || !path.isAtOrBelow(own.coordinator())) {
      return ListingGuard.NONE;
    }
    Deque<FsPath> between = new ArrayDeque<>();
    for (FsPath above = path.parent(); !above.equals(own.coordinator()); above = above.parent()) {
      between.addFirst(above);
    }
    for (FsPath directory : between) {
      if (!lookedAt.contains(directory)) {
        lock.awaitOthers(directory, own, backoff);
        lookedAt.add(directory);
      }
    }
    return this::admits;
  }

  private boolean admits(DirectoryView head) throws IOException {
    FsPath directory = head.directory();
    Optional<LockHolder> other =
        OverwriteLock.holder(head)
            .filter(holder -> !ended.contains(new Ended(directory, holder.transaction())));
    if (other.isEmpty()) {
      lookedAt.add(directory);
      return true;
    }
    if (lock.isBeside(other.get(), directory, own)) {
      return true;
    }
    // Listed once more also if it is decided by now: the listing may be of an instant before.
    if (lock.await(other.get(), directory, own, backoff)) {
      ended.add(new Ended(directory, other.get().transaction()));
    }
    return false;
  }
}
