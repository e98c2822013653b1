// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.manifest;

import io.radosfs.connector.layout.FsPath;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a job replaces. All that is there at its commit is removed by the transaction that adds the
 * new files (I8).
 *
 * @param replaced everything at or below these paths
 * @param writtenPartitions everything in the directories that get new files, except the destination
 */
public record Overwrite(Set<FsPath> replaced, boolean writtenPartitions) {

  public static final Overwrite NOTHING = new Overwrite(Set.of(), false);
  public static final Overwrite WRITTEN_PARTITIONS = new Overwrite(Set.of(), true);

  public Overwrite {
    replaced = Set.copyOf(replaced);
  }

  public static Overwrite of(FsPath path) {
    return new Overwrite(Set.of(path), false);
  }

  /** The paths replaced, as far as known before anything is written. */
  public List<String> paths() {
    return replaced.stream().map(FsPath::toString).sorted().toList();
  }

  /**
   * The directories outside a destination in which something is replaced and something comes, and
   * those above them that are replaced whole. Other jobs may replace each of them by its own path.
   *
   * @param changed directories that get new files; there may be others, which lead to more
   */
  public Set<FsPath> elsewhere(FsPath destination, Collection<FsPath> changed) {
    Set<FsPath> elsewhere = new HashSet<>();
    for (FsPath directory : changed) {
      if (directory.isAtOrBelow(destination)) {
        continue;
      }
      List<FsPath> above = replaced.stream().filter(directory::isAtOrBelow).toList();
      if (writtenPartitions || !above.isEmpty()) {
        elsewhere.add(directory);
        elsewhere.addAll(above);
      }
    }
    return elsewhere;
  }

  public boolean isNothing() {
    return replaced.isEmpty() && !writtenPartitions;
  }
}
