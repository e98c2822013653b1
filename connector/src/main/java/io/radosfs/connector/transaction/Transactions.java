// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.Failures;
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

  /** The state of a transaction. */
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

  /**
   * Registers a transaction as PENDING. One read and one write; repeating it changes nothing.
   *
   * <p>No call registers a transaction a second time. Whoever is about to end the first could not
   * tell it from the second: what they have on its way would change or remove that.
   *
   * @throws TransactionAbortedException if an answer was lost while others changed the directory,
   *     and the transaction is not registered: it was ended since, or never registered
   */
  void register(Registration registration) throws IOException;

  /**
   * Jobs registered in a directory, with their state, in the order of their ids. ⌈n/1024⌉ reads.
   *
   * @param failures told of status records that cannot be read
   */
  Map<Registration, State> registered(FsPath coordinator, Failures failures) throws IOException;

  /**
   * A job, and others registered in the same directory.
   *
   * @param own the state of the job itself; empty if it is not registered
   * @param others some of the others, with their state, in the order of their ids
   */
  record Neighbours(Optional<State> own, Map<Registration, State> others) {}

  /**
   * The state of a job, and a bounded number of other jobs: those among the first 1,024
   * transactions and the 1,024 after this one, so all if they are at most 1,024. Others whose
   * status records cannot be read are left out, with a warning. One read.
   */
  Neighbours neighbours(Registration own) throws IOException;

  /** The state of a transaction; empty if never registered or forgotten. At most one read. */
  Optional<State> state(Registration registration) throws IOException;

  /**
   * The state of a transaction when its coordinator was removed, as far as still known; empty if
   * the coordinator was not removed. One read.
   */
  Optional<State> stateWhenRemoved(Registration registration) throws IOException;

  /**
   * Takes the coordinator's overwrite lock, and those of directories outside its tree. Waits for
   * them as long as for other clients' transactions. They are for transactions that replace much:
   * two of them, each prepared where the other wants to prepare, would otherwise wait for each
   * other until both fail. Other transactions ignore them.
   *
   * <p>Until this transaction is decided, no other that takes the lock replaces what this one reads
   * under it, with its {@link #overwriteGuard} where that is below a locked directory. The decision
   * ends the locks. So no crash leaves one taken, once a recovery has decided the transaction. May
   * be repeated.
   *
   * <p>A transaction that has the lock of a directory above is waited for, too. If the lock is
   * free: one read and two writes, and one read for each directory above; one read more for each
   * lock that has ended and was left. If this transaction holds it: one read. For each directory
   * elsewhere as much, and one read more.
   *
   * @param elsewhere directories that are not at or below what the transaction's owner writes to,
   *     and in which it replaces, too. One that is missing is made, as by {@link #commit}. Until
   *     that prepares there, others may remove it, with the lock
   * @return whether this call has taken a lock; false if the transaction had them all
   * @throws TransactionConflictException if another transaction still holds a lock, or that of a
   *     directory above, after the wait
   */
  boolean takeOverwriteLock(Registration registration, Collection<FsPath> elsewhere)
      throws IOException;

  /**
   * For a transaction that has the overwrite locks, and is to look at what it replaces below the
   * locked directories. It waits for all others together as long as for one. Where the lock of a
   * directory has ended and was left, that is found out by two reads, and a listing of the
   * directory is made once more. Not thread-safe.
   *
   * @param elsewhere as locked
   */
  OverwriteGuard overwriteGuard(Registration registration, Collection<FsPath> elsewhere);

  /**
   * Removes what is left of overwrite locks that have ended. Mostly one write for each.
   *
   * @param elsewhere as locked, or others, which cost one read more each
   */
  void releaseOverwriteLock(Registration registration, Collection<FsPath> elsewhere)
      throws IOException;

  /**
   * Makes all changes visible at one instant. The same transaction makes missing directories, which
   * are as invisible as their files until then. Directories in {@code removeWhole} disappear with
   * all that is in them.
   *
   * <p>A directory need not be below the coordinator. One that is not costs one read more; if it is
   * missing, it is made before the commit, visible and empty. Until the transaction is resolved
   * there, a client that removes the coordinator resolves it first.
   *
   * <p>If all changes are in the coordinator and fit one operation, this is one write there. Else
   * each directory costs one write to prepare and one to apply, for each batch of names that fits
   * one operation; a directory that exists already costs two reads more to prepare, and one to
   * apply. The decision costs one read and one write.
   *
   * <p>When this returns, the transaction is committed, and mostly resolved in all these
   * directories: no failure after the decision is thrown. If it throws anything not named here, for
   * example because the answer to the decision was lost, {@link #state} tells whether it is
   * committed.
   *
   * @param changes by directory
   * @param removeWhole directories to remove whole, as a static overwrite does. None of them may be
   *     the coordinator, or above it, or above a changed directory
   * @param besideOthers whether another client has begun the commit and may end it at any time.
   *     Nothing would then lead to indexes that this call makes later. So the ledger of this
   *     process names each index that it makes until it is resolved, for one write more each
   * @throws TransactionAbortedException if it was aborted before; nothing is visible
   * @throws TransactionConflictException if a name belongs to another transaction; nothing is
   *     visible, and this transaction is still PENDING
   * @throws org.apache.hadoop.fs.FileAlreadyExistsException if a name to be added exists; likewise
   * @throws LocationRemovedException if a directory that is not below the coordinator was removed
   *     meanwhile; likewise
   * @throws org.apache.hadoop.fs.PathIOException if an entry to be removed has changed; likewise
   */
  Committed commit(
      Registration registration,
      TransactionChanges changes,
      Set<FsPath> removeWhole,
      boolean besideOthers)
      throws IOException;

  /** The same with changes in memory, by directory, and with no other client committing it. */
  default Committed commit(
      Registration registration, Map<FsPath, DirectoryChange> changes, Set<FsPath> removeWhole)
      throws IOException {
    return commit(registration, TransactionChanges.of(changes), removeWhole, false);
  }

  /**
   * Turns a PENDING transaction to ABORTED. Returns the final state: COMMITTED if the commit came
   * first, ABORTED also if there is no status record. But a job is COMMITTED without one if it was
   * when its directory was removed ({@link #stateWhenRemoved}): one read more.
   */
  State abort(Registration registration) throws IOException;

  /** The same as {@link #abort}, and tells whether it was still PENDING. */
  AbortOutcome tryToAbort(Registration registration) throws IOException;

  /**
   * What came of an abort.
   *
   * @param state the final state
   * @param byThis whether it was PENDING until this call aborted it. False if others had aborted it
   *     before, and perhaps if an answer to this call was lost
   */
  record AbortOutcome(State state, boolean byThis) {

    /** Whether others have aborted it before. */
    public boolean byOthers() {
      return state == State.ABORTED && !byThis;
    }
  }

  /**
   * Resolves a decided transaction in these directories: rolls a committed one forward, rolls back
   * an aborted one, and deletes the data that it removed, or has it retained. What cannot be
   * deleted of all that is listed there stays listed, with a warning: the transaction is resolved,
   * and may be forgotten. A directory in which nothing is pending costs one read. Throws an
   * IllegalStateException if the transaction is PENDING.
   */
  void resolve(Registration registration, Collection<FsPath> directories) throws IOException;

  /**
   * Removes the status record. To be called only once the transaction is resolved in every
   * directory that it concerns. One that is PENDING stays: it is another, which a driver has
   * registered since, whose first registration was not answered. One write.
   */
  void forget(Registration registration) throws IOException;

  /**
   * Puts a decided job into the list of jobs that no directory leads to, so that it can be asked
   * for ({@link #stateWhenRemoved}) when its record and registration are gone. The collection of
   * garbage takes it out. One read and one write.
   *
   * @param decided how it is decided, ABORTED or COMMITTED
   */
  void list(Registration registration, State decided) throws IOException;

  /**
   * Forgets a job without a record, of which a driver may be about to make one. So it is listed
   * before: the list leads to a record that comes later. One read and two writes.
   *
   * @param decided how it is decided, ABORTED or COMMITTED
   */
  default void forgetUnrecorded(Registration registration, State decided) throws IOException {
    list(registration, decided);
    forget(registration);
  }
}
