// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.read;

import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.transaction.Transactions.Registration;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the status records in a directory's index: of jobs registered there, of which there may be
 * any number, and of renames into the directory and removals from it.
 */
public final class StoredTransactionStatuses {

  private final IndexReader reader;

  public StoredTransactionStatuses(IndexReader reader) {
    this.reader = reader;
  }

  /** Takes status records, in the order of the transactions' ids. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * @param directory as it was when the record was read
     */
    void visit(DirectoryView directory, Registration registration, TransactionStatus status)
        throws IOException;
  }

  /**
   * Visits all that can be read. Records that are added meanwhile may be missed. Records may be
   * removed meanwhile, also by the visitor. One read for each 1,024, at least one.
   *
   * @param failures told of those that cannot be read, or whose visit fails
   */
  public void visit(FsPath coordinator, Visitor visitor, Failures failures) throws IOException {
    visit(reader.page(coordinator, IndexKeys.TRANSACTION_STATUS_PREFIX, ""), visitor, failures);
  }

  /**
   * Visits all, beginning with a page that was read already: no read if that is the last. The first
   * one that cannot be read ends the visit.
   *
   * @param first of the keys {@link IndexKeys#TRANSACTION_STATUS_PREFIX}
   */
  public void visit(DirectoryPage first, Visitor visitor) throws IOException {
    visit(first, visitor, Failures.END);
  }

  private void visit(DirectoryPage first, Visitor visitor, Failures failures) throws IOException {
    DirectoryPage page = first;
    visitAll(page, visitor, failures);
    while (page.more()) {
      page = reader.page(page.view().index(), IndexKeys.TRANSACTION_STATUS_PREFIX, page.lastKey());
      visitAll(page, visitor, failures);
    }
  }

  /**
   * Visits a bounded number of them, each once: the first page, and the page of those that follow
   * this id. One read.
   *
   * @param failures as in {@link #visit(FsPath, Visitor, Failures)}
   * @return the status record of this id, of the same instant
   */
  public Optional<TransactionStatus> visitSome(
      FsPath coordinator, String id, Visitor visitor, Failures failures) throws IOException {
    String key = IndexKeys.transactionStatus(id);
    List<DirectoryPage> pages =
        reader.pages(
            IndexObject.head(coordinator),
            List.of(key),
            IndexKeys.TRANSACTION_STATUS_PREFIX,
            List.of("", key));
    DirectoryPage first = pages.get(0);
    visitAll(first, visitor, failures);
    Set<String> visited = first.entries().keySet();
    visitAll(
        pages.get(1),
        (view, registration, status) -> {
          if (!visited.contains(IndexKeys.transactionStatus(registration.id()))) {
            visitor.visit(view, registration, status);
          }
        },
        failures);
    return TransactionStatuses.in(first.view(), id);
  }

  private static void visitAll(DirectoryPage page, Visitor visitor, Failures failures)
      throws IOException {
    DirectoryView view = page.view();
    for (Map.Entry<String, byte[]> stored : page.entries().entrySet()) {
      String id = IndexKeys.transactionOfStatus(stored.getKey());
      boolean unused =
          failures.attempt(
              "transaction " + id + " in directory " + view.directory(),
              () -> {
                TransactionStatus status =
                    TransactionStatus.decode(view.object(), id, stored.getValue());
                visitor.visit(view, new Registration(id, view.directory(), status.owner()), status);
              });
    }
  }
}
