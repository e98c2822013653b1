// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction;

import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Transactions over directories, decided in the index of one directory under the key {@code
 * j/<id>}.
 *
 * <p>States: {@link #register} makes the status record PENDING; {@link #commit} turns it to
 * COMMITTED in the one operation that is the commit; {@link #abort} turns it to ABORTED, and
 * whichever comes first wins; {@link #forget} removes it once nothing refers to it. All can be
 * repeated after a crash or a lost answer, by the same or another client.
 */
public interface Transactions {

  /** How a transaction stands. */
  enum State {
    PENDING,
    COMMITTED,
    ABORTED
  }

  /**
   * A transaction as registered.
   *
   * @param id unique, without {@code /}
   * @param coordinator the directory whose index holds the status record; it must exist
   * @param owner what it belongs to, for people and for recovery: for a job the name of its record
   */
  record Registration(String id, FsPath coordinator, String owner) {}

  /** Registers a transaction as PENDING. One write; repeating it changes nothing. */
  void register(Registration registration) throws IOException;

  /**
   * Jobs registered in a directory, with their state, in the order of their ids. ⌈n/1024⌉ reads.
   */
  Map<Registration, State> registered(FsPath coordinator) throws IOException;

  /**
   * A job and those registered beside it.
   *
   * @param own how the job itself stands; empty when it is not registered
   * @param others some of the others, with their state, in the order of their ids
   */
  record Neighbours(Optional<State> own, Map<Registration, State> others) {}

  /**
   * How a job stands, and a bounded number of others: of the first 1,024 transactions and the 1,024
   * that come after this one, so of all where they are no more than the first. One read.
   */
  Neighbours neighbours(Registration own) throws IOException;

  /** How a transaction stands; empty when it was never registered or is forgotten. One read. */
  Optional<State> state(Registration registration) throws IOException;

  /**
   * How a transaction stood when its coordinator was removed, as far as that is known still; empty
   * where the coordinator was not removed. One read.
   */
  Optional<State> stateWhenRemoved(Registration registration) throws IOException;

  /**
   * Takes the coordinator's overwrite lock, and waits for it, within the bound that others'
   * transactions are waited for. For transactions that replace much: two such, each of which has
   * prepared where the other wants to, would otherwise wait for each other until both fail. Others
   * take no heed of it.
   *
   * <p>What is then looked at is replaced by no other that takes the lock, until this one is
   * decided. That ends the lock; so no crash leaves it taken, once the transaction is decided by
   * whoever recovers it. May be repeated. One read and one write where nobody has the lock.
   *
   * @throws TransactionConflictException when another still holds the lock after the wait
   */
  void takeOverwriteLock(Registration registration) throws IOException;

  /** Removes what is left of an overwrite lock that has ended. One write mostly. */
  void releaseOverwriteLock(Registration registration) throws IOException;

  /**
   * Makes the changes visible, all at one instant. Missing directories are made by the same
   * transaction, as invisible as their files until then; directories in {@code removeWhole} vanish
   * with all that is in them.
   *
   * <p>A directory may be elsewhere than below the coordinator. There a missing one is made before,
   * visible and empty, and costs one read more. As long as such a transaction is not resolved
   * there, whoever removes the coordinator resolves it first.
   *
   * <p>Where all changes are in the coordinator and fit one operation, this is one write there.
   * Else: per directory one write to prepare and one to apply, each for as many names as fit one
   * operation; where the directory exists already two reads more, and another to apply; one read
   * and one write to decide.
   *
   * <p>When this returns, the transaction is committed, and mostly resolved in all these
   * directories: nothing that comes after the decision is thrown. When it throws anything but what
   * is named here, {@link #state} tells whether it is committed, as when the answer to the decision
   * was lost.
   *
   * @param changes by directory
   * @param removeWhole directories that are removed whole, as a static overwrite does; those above
   *     changed directories, and the coordinator and those above it, must not be among them
   * @param besideOthers whether another has begun the commit, and may end it at any time: nothing
   *     else leads then to what this makes after that. So each directory's index that it makes is
   *     in the ledger of its process until it is resolved, by one write more for each
   * @throws TransactionAbortedException when it was aborted before; nothing is visible
   * @throws TransactionConflictException when a name belongs to another transaction; nothing is
   *     visible, and the transaction is still PENDING
   * @throws org.apache.hadoop.fs.FileAlreadyExistsException when a name to be added exists;
   *     likewise
   * @throws org.apache.hadoop.fs.PathIOException when an entry to be removed has changed; likewise
   */
  Committed commit(
      Registration registration,
      TransactionChanges changes,
      Set<FsPath> removeWhole,
      boolean besideOthers)
      throws IOException;

  /** The same with changes that are in memory, by directory, and not beside others. */
  default Committed commit(
      Registration registration, Map<FsPath, DirectoryChange> changes, Set<FsPath> removeWhole)
      throws IOException {
    return commit(registration, TransactionChanges.of(changes), removeWhole, false);
  }

  /**
   * Turns a PENDING transaction to ABORTED. Answers the final state: COMMITTED when the commit came
   * first.
   */
  State abort(Registration registration) throws IOException;

  /**
   * Resolves a decided transaction in these directories: rolls a committed one forward, rolls back
   * an aborted one, and deletes the data that it removed, or sees that it is kept. Directories in
   * which nothing is pending cost one read.
   */
  void resolve(Registration registration, Collection<FsPath> directories) throws IOException;

  /**
   * Removes the status record. Only once the transaction is resolved in every directory that it
   * concerns. One write.
   */
  void forget(Registration registration) throws IOException;
}
