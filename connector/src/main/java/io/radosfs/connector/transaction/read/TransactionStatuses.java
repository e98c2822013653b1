// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.read;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.index.LruCache;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.Takeover;
import io.radosfs.connector.layout.TransactionStatus;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Asks coordinators for the states of transactions. It remembers which are committed, as that never
 * changes again.
 *
 * <p>Thread-safe.
 */
public final class TransactionStatuses {

  private static final int REMEMBERED = 10_000;

  private final IndexReader reader;
  private final LruCache<Transaction, TransactionStatus> committed = new LruCache<>(REMEMBERED);

  /** One id may be that of several transactions: a MapReduce job may have several destinations. */
  private record Transaction(String id, FsPath coordinator) {}

  public TransactionStatuses(IndexReader reader) {
    this.reader = reader;
  }

  /**
   * The status that counts for what this id has prepared: ABORTED if another client has taken the
   * transaction over since. Empty if the coordinator has no record: the transaction never began, or
   * was resolved everywhere and forgotten. One read; none if it is known to be committed.
   *
   * @param id as in marks and intents
   */
  public Optional<TransactionStatus> ask(String id, FsPath coordinator) throws IOException {
    return record(Takeover.transactionOf(id), coordinator).map(status -> status.of(id));
  }

  /** The status record of a transaction, whoever prepares it. Otherwise as {@link #ask}. */
  public Optional<TransactionStatus> record(String transaction, FsPath coordinator)
      throws IOException {
    Optional<TransactionStatus> known = committed.get(new Transaction(transaction, coordinator));
    if (known.isPresent()) {
      return known;
    }
    Optional<TransactionStatus> status =
        in(
            reader.keys(coordinator, List.of(IndexKeys.transactionStatus(transaction))),
            transaction);
    status
        .filter(s -> s.is(TransactionStatus.State.COMMITTED))
        .ifPresent(s -> isCommitted(transaction, coordinator, s));
    return status;
  }

  /** Remembers the record of a transaction that was just committed. */
  public void isCommitted(String transaction, FsPath coordinator, TransactionStatus status) {
    committed.put(new Transaction(transaction, coordinator), status);
  }

  /** The status record in a view that was read with the record's key. */
  public static Optional<TransactionStatus> in(DirectoryView view, String id) throws IOException {
    Optional<byte[]> stored = view.value(IndexKeys.transactionStatus(id));
    return stored.isEmpty()
        ? Optional.empty()
        : Optional.of(TransactionStatus.decode(view.object(), id, stored.get()));
  }
}
