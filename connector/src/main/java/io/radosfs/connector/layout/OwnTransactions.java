// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.util.List;
import java.util.stream.Stream;

/**
 * Transactions that do not belong to jobs: renames, and removals of directories with shards. Their
 * owner says what they do, so that any client can finish them. While one is pending, a client that
 * needs its names can abort it; its own client then tries again.
 *
 * <p>A job's owner is the name of its record, which begins with the destination and ends with the
 * job's id. So it may begin as a rename's does, and a rename into {@code /job} reads as a record's
 * name. The transaction's id tells them apart: that of a job is the one in its record's name, and
 * that of a rename is random.
 */
public final class OwnTransactions {

  /** {@code rename <source>//<destination>}; as paths hold no double slash, it separates them. */
  public static final String RENAME = "rename ";

  /** {@code removal <directory>}. */
  public static final String REMOVAL = "removal ";

  private static final String SEPARATOR = "//";

  private OwnTransactions() {}

  /** The owner of a rename. */
  public static String ofRename(FsPath source, FsPath destination) {
    return RENAME + source.key() + SEPARATOR + destination.key();
  }

  /** The owner of a removal. */
  public static String ofRemoval(FsPath directory) {
    return REMOVAL + directory.key();
  }

  /**
   * The paths that an owner names: source and destination of a rename, or the directory of a
   * removal.
   *
   * @throws IllegalArgumentException if it does not name them, or one is the root, which neither
   *     can be
   */
  public static List<FsPath> paths(String owner) {
    boolean removal = owner.startsWith(REMOVAL);
    String[] keys =
        owner.substring((removal ? REMOVAL : RENAME).length()).split(SEPARATOR, /* limit= */ 2);
    List<FsPath> paths = Stream.of(keys).map(FsPath::ofKey).toList();
    if (paths.size() != (removal ? 1 : 2) || paths.stream().anyMatch(FsPath::isRoot)) {
      throw new IllegalArgumentException("it names no path");
    }
    return paths;
  }

  /**
   * Whether a transaction does not belong to a job.
   *
   * @param id of the transaction, or of one of its preparations
   */
  public static boolean include(String id, String owner) {
    return isRename(id, owner) || isRemoval(id, owner);
  }

  /** Whether a transaction is a rename. */
  public static boolean isRename(String id, String owner) {
    return owner.startsWith(RENAME) && !isRecord(id, owner);
  }

  /** Whether a transaction is a removal. */
  public static boolean isRemoval(String id, String owner) {
    return owner.startsWith(REMOVAL) && !isRecord(id, owner);
  }

  private static boolean isRecord(String id, String owner) {
    return ObjectNames.isJob(owner) && ObjectNames.jobOf(owner).equals(Takeover.transactionOf(id));
  }
}
