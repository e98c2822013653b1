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
 * Asks coordinators how transactions stand, and remembers that one is committed, which never
 * changes again.
 *
 * <p>Thread-safe.
 */
public final class TransactionStatuses {

  private static final int REMEMBERED = 10_000;

  private final IndexReader reader;
  private final LruCache<String, TransactionStatus> committed = new LruCache<>(REMEMBERED);

  public TransactionStatuses(IndexReader reader) {
    this.reader = reader;
  }

  /**
   * How a transaction stands for what is prepared by an id: ABORTED where another has taken it over
   * since. Empty when the coordinator knows nothing of it: it never began, or it has been resolved
   * everywhere and forgotten. One read, none for one known to be committed.
   *
   * @param id as in marks and intents
   */
  public Optional<TransactionStatus> ask(String id, FsPath coordinator) throws IOException {
    return record(Takeover.transactionOf(id), coordinator).map(status -> status.of(id));
  }

  /** The status record of a transaction, whoever prepares it. As {@link #ask}. */
  public Optional<TransactionStatus> record(String transaction, FsPath coordinator)
      throws IOException {
    Optional<TransactionStatus> known = committed.get(transaction);
    if (known.isPresent()) {
      return known;
    }
    Optional<TransactionStatus> status =
        in(
            reader.keys(coordinator, List.of(IndexKeys.transactionStatus(transaction))),
            transaction);
    status
        .filter(s -> s.is(TransactionStatus.State.COMMITTED))
        .ifPresent(s -> isCommitted(transaction, s));
    return status;
  }

  /** Remembers the record of one that was just committed. */
  public void isCommitted(String transaction, TransactionStatus status) {
    committed.put(transaction, status);
  }

  /** The status record in a view for which its key was asked. */
  public static Optional<TransactionStatus> in(DirectoryView view, String id) throws IOException {
    Optional<byte[]> stored = view.value(IndexKeys.transactionStatus(id));
    return stored.isEmpty()
        ? Optional.empty()
        : Optional.of(TransactionStatus.decode(view.object(), id, stored.get()));
  }
}
