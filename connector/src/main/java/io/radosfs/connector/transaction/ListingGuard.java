// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction;

import io.radosfs.connector.index.DirectoryView;
import java.io.IOException;

/** Decides whether a directory may be listed as it is now. */
@FunctionalInterface
public interface ListingGuard {

  /** Any may be listed at any time. */
  ListingGuard NONE = head -> true;

  /**
   * Returns false if the directory must be listed again, once what was waited for here has ended.
   *
   * @param head of the index, with its overwrite lock, as of the instant of the listing
   * @throws TransactionConflictException if it has not ended within the wait
   */
  boolean admits(DirectoryView head) throws IOException;
}
