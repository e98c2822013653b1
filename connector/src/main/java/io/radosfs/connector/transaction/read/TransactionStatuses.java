// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.read;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.index.LruCache;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
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
   * How a transaction stands; empty when the coordinator knows nothing of it: it never began, or it
   * has been resolved everywhere and forgotten. One read, none for one known to be committed.
   */
  public Optional<TransactionStatus> ask(String id, FsPath coordinator) throws IOException {
    Optional<TransactionStatus> known = committed.get(id);
    if (known.isPresent()) {
      return known;
    }
    Optional<TransactionStatus> status =
        in(reader.keys(coordinator, List.of(IndexKeys.transactionStatus(id))), id);
    status
        .filter(s -> s.is(TransactionStatus.State.COMMITTED))
        .ifPresent(s -> committed.put(id, s));
    return status;
  }

  /** The status record in a view for which its key was asked. */
  public static Optional<TransactionStatus> in(DirectoryView view, String id) throws IOException {
    Optional<byte[]> stored = view.value(IndexKeys.transactionStatus(id));
    return stored.isEmpty()
        ? Optional.empty()
        : Optional.of(TransactionStatus.decode(view.object(), id, stored.get()));
  }
}
