// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction;

import io.radosfs.connector.layout.FsPath;
import java.io.IOException;

/**
 * What a transaction that has an overwrite lock asks before it looks at what it replaces, see
 * {@link Transactions#overwriteGuard}.
 */
@FunctionalInterface
public interface OverwriteGuard {

  /**
   * Waits while another transaction has the overwrite lock of a directory between a path and the
   * one above it that this transaction has locked. One read for each such directory that was not
   * looked at before; no cost for a path that is not below a locked directory.
   *
   * @return for the listing of the path: waits while another transaction has its lock
   * @throws TransactionConflictException if it still has it after the wait
   */
  ListingGuard before(FsPath path) throws IOException;
}
