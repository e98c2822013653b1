// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

/**
 * Transactions that are not of jobs: renames, and removals of directories with shards. Their owner
 * says what they do, so that anyone can finish them; while they are pending they can be aborted by
 * whoever is in need of the names, and are tried again by their client.
 */
public final class OwnTransactions {

  /** {@code rename <source>//<destination>}; paths hold no double slash, which so can part them. */
  public static final String RENAME = "rename ";

  /** {@code removal <directory>}. */
  public static final String REMOVAL = "removal ";

  private OwnTransactions() {}

  /** Whether the owner of a transaction is not a job. */
  public static boolean isOwner(String owner) {
    return owner.startsWith(RENAME) || owner.startsWith(REMOVAL);
  }
}
