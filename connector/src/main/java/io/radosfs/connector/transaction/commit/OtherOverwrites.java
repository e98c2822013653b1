// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LockHolder;
import io.radosfs.connector.transaction.ListingGuard;
import io.radosfs.connector.transaction.OverwriteGuard;
import io.radosfs.connector.transaction.resolve.BoundedBackoff;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Those below the directories whose overwrite locks a transaction has. Each directory is looked at
 * once: whoever asks for its lock later sees the lock above, and waits.
 */
final class OtherOverwrites implements OverwriteGuard {

  /** A lock that has ended. */
  private record Ended(FsPath directory, String transaction) {}

  private final OverwriteLock locks;
  private final Map<FsPath, LockedDirectory> own = new HashMap<>();
  private final BoundedBackoff backoff;
  private final Set<FsPath> lookedAt = new HashSet<>();
  private final Set<Ended> ended = new HashSet<>();

  OtherOverwrites(OverwriteLock locks, List<LockedDirectory> own, BoundedBackoff backoff) {
    this.locks = locks;
    own.forEach(lock -> this.own.put(lock.directory(), lock));
    this.backoff = backoff;
  }

  @Override
  public ListingGuard before(FsPath path) throws IOException {
    Deque<FsPath> between = new ArrayDeque<>();
    FsPath above = path;
    while (!own.containsKey(above) && !above.isRoot()) {
      above = above.parent();
      between.addFirst(above);
    }
    LockedDirectory lock = own.get(above);
    if (lock == null || between.isEmpty()) {
      return ListingGuard.NONE;
    }
    between.removeFirst(); // its own
    for (FsPath directory : between) {
      if (!lookedAt.contains(directory)) {
        locks.awaitOthers(directory, lock, backoff);
        lookedAt.add(directory);
      }
    }
    return head -> admits(head, lock);
  }

  private boolean admits(DirectoryView head, LockedDirectory lock) throws IOException {
    FsPath directory = head.directory();
    Optional<LockHolder> other =
        OverwriteLock.holder(head)
            .filter(holder -> !ended.contains(new Ended(directory, holder.transaction())));
    if (other.isEmpty()) {
      lookedAt.add(directory);
      return true;
    }
    if (locks.isBeside(other.get(), directory, lock)) {
      return true;
    }
    // Listed once more also if it is decided by now: the listing may be of an instant before.
    if (locks.await(other.get(), directory, lock, backoff)) {
      ended.add(new Ended(directory, other.get().transaction()));
    }
    return false;
  }
}
