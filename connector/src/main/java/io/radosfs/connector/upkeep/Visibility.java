// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.layout.WriteIntent;
import io.radosfs.connector.ledger.RemovedJobs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tells whether readers see a stored entry: it stays after the transaction that removes it is
 * committed, until that is resolved there. A few reads for each answer.
 */
final class Visibility {

  private final PoolView index;

  /**
   * @param index the pool of the index
   */
  Visibility(PoolView index) {
    this.index = index;
  }

  /** Whether no reader sees the entries of an index any more, so that their data may be deleted. */
  boolean isGone(String object, IndexHead head) throws IOException {
    return head.is(IndexHead.State.CLOSING)
        || head.is(IndexHead.State.FROZEN) && isCommitted(object, head.tag());
  }

  /**
   * Whether readers see a file at this path. The entry is read last: if a transaction removed it
   * and was resolved before, it is missing.
   *
   * <p>So if data of the file was found missing before the call, true means that the file was
   * visible all the while: a file that was removed never comes back to a name.
   */
  boolean isVisible(FsPath path, Uid file) throws IOException {
    Optional<String> object = objectOf(path);
    if (object.isEmpty()) {
      return false;
    }
    Optional<IndexHead> head = head(object.get());
    if (head.isEmpty() || isGone(object.get(), head.get())) {
      return false;
    }
    Optional<byte[]> intent = index.value(object.get(), IndexKeys.intent(path.name()));
    if (intent.isPresent() && takesAway(object.get(), WriteIntent.decode(path, intent.get()))) {
      return false;
    }
    Optional<byte[]> stored = index.value(object.get(), IndexKeys.entry(path.name()));
    return stored.isPresent()
        && EntryCodec.decode(path, stored.get()) instanceof Entry.OfFile entry
        && entry.uid().equals(file);
  }

  private boolean takesAway(String object, WriteIntent intent) throws IOException {
    if (intent.removed().isPresent()) {
      for (String id : intent.transactions()) {
        if (isCommitted(object, id)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a transaction is committed, but not yet resolved in this index object. */
  private boolean isCommitted(String object, String id) throws IOException {
    Optional<TransactionStatus> status = status(object, id);
    return status.filter(s -> s.is(TransactionStatus.State.COMMITTED)).isPresent();
  }

  /**
   * The status record of a transaction that has left a mark in an index object, if both are there.
   */
  private Optional<TransactionStatus> status(String object, String id) throws IOException {
    Optional<byte[]> mark = index.value(object, IndexKeys.transaction(id));
    return mark.isEmpty() ? Optional.empty() : status(object, id, mark.get());
  }

  /**
   * The same, given the mark. The record of a job whose destination was removed is in the list of
   * such jobs, where it is put before the index goes.
   */
  Optional<TransactionStatus> status(String object, String id, byte[] mark) throws IOException {
    FsPath coordinator = TransactionMark.decode(object, id, mark).coordinator();
    String named = ObjectNames.index(coordinator);
    Optional<byte[]> stored = index.value(named, IndexKeys.transactionStatus(id));
    if (stored.isPresent()) {
      return Optional.of(TransactionStatus.decode(named, id, stored.get()).of(id));
    }
    return removedJob(coordinator, id);
  }

  private Optional<TransactionStatus> removedJob(FsPath coordinator, String id) throws IOException {
    List<TransactionStatus> found = new ArrayList<>();
    index.omap(
        ObjectNames.LEDGERS,
        (key, value) -> {
          if (key.startsWith(IndexKeys.REMOVED_JOB_PREFIX)) {
            String record = key.substring(IndexKeys.REMOVED_JOB_PREFIX.length());
            if (ObjectNames.isJob(record)
                && ObjectNames.jobOf(record).equals(id)
                && decides(coordinator, ObjectNames.destinationOf(record))) {
              found.add(RemovedJobs.decode(key, value));
            }
          }
        });
    return found.stream().findFirst();
  }

  /** Where a file is in the way of a job's destination, the directory above decides. */
  private static boolean decides(FsPath directory, FsPath destination) {
    return destination.equals(directory)
        || !destination.isRoot() && destination.parent().equals(directory);
  }

  /** Whether a path may be part of a move: in a locked tree entries stay until that is resolved. */
  boolean isBeingMoved(FsPath path) throws IOException {
    for (FsPath at = path; !at.isRoot(); at = at.parent()) {
      Optional<IndexHead> head = head(ObjectNames.index(at.parent()));
      Optional<String> object = objectOf(at);
      if (object.isPresent()
          && (head.filter(h -> h.is(IndexHead.State.FROZEN)).isPresent()
              || index.value(object.get(), IndexKeys.intent(at.name())).isPresent())) {
        return true;
      }
    }
    return false;
  }

  /** The index object that has the entry of a path. */
  private Optional<String> objectOf(FsPath path) throws IOException {
    String object = ObjectNames.index(path.parent());
    return head(object)
        .map(
            head ->
                head.isSharded() ? head.shards().of(path.parent(), path.name()).name() : object);
  }

  private Optional<IndexHead> head(String object) throws IOException {
    Optional<byte[]> stored = index.value(object, IndexKeys.HEAD);
    return stored.isEmpty()
        ? Optional.empty()
        : Optional.of(IndexHead.decode(object, stored.get()));
  }
}
