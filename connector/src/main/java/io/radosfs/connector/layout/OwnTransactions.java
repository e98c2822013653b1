// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

/**
 * Transactions that do not belong to jobs: renames, and removals of directories with shards. Their
 * owner says what they do, so that any client can finish them. While one is pending, a client that
 * needs its names can abort it; its own client then tries again.
 */
public final class OwnTransactions {

  /** {@code rename <source>//<destination>}; as paths hold no double slash, it separates them. */
  public static final String RENAME = "rename ";

  /** {@code removal <directory>}. */
  public static final String REMOVAL = "removal ";

  private OwnTransactions() {}

  /** Whether the owner of a transaction is not a job. */
  public static boolean isOwner(String owner) {
    return owner.startsWith(RENAME) || owner.startsWith(REMOVAL);
  }
}
