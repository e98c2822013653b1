// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.util.List;
import java.util.stream.Stream;

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

  /** Whether the owner of a transaction is not a job. */
  public static boolean isOwner(String owner) {
    return owner.startsWith(RENAME) || owner.startsWith(REMOVAL);
  }
}
