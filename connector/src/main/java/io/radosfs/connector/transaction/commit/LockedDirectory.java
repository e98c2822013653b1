// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LockHolder;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.transaction.Transactions.Registration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A directory whose overwrite lock a transaction has, or is to take.
 *
 * @param directory the coordinator, or a directory outside its tree
 * @param registration of the transaction
 */
record LockedDirectory(FsPath directory, Registration registration) {

  /** The coordinator first, then the others in the order of their paths. */
  static List<LockedDirectory> of(Registration registration, Collection<FsPath> elsewhere) {
    return Stream.concat(Stream.of(registration.coordinator()), elsewhere.stream().sorted())
        .distinct()
        .map(directory -> new LockedDirectory(directory, registration))
        .toList();
  }

  boolean isElsewhere() {
    return !directory.equals(registration.coordinator());
  }

  /** What is stored there while the transaction holds the lock. */
  LockHolder holding() {
    LockHolder here = LockHolder.holding(registration.id());
    return isElsewhere() ? here.decidedIn(registration.coordinator()) : here;
  }

  /** At or below which the transaction may replace anything; empty if that is not known. */
  Optional<FsPath> replaced() {
    return replaced(holding(), directory, registration.owner());
  }

  /** The same of a lock that was found in a directory, of a transaction with this owner. */
  static Optional<FsPath> replaced(LockHolder holder, FsPath directory, String owner) {
    if (holder.elsewhere().isPresent()) {
      return Optional.of(directory);
    }
    return ObjectNames.isJob(owner)
        ? Optional.of(ObjectNames.destinationOf(owner))
        : Optional.empty();
  }
}
