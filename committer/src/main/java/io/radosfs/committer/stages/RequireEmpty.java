// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.layout.FsPath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.fs.PathExistsException;

/** Where a job fails if anything exists already: conflict mode {@code fail}. */
public enum RequireEmpty {
  /** Nowhere. */
  NOTHING,
  /** In the destination. */
  DESTINATION,
  /** In the directories that get new files, except the destination. */
  WRITTEN_PARTITIONS;

  /**
   * Checks the directories, each by listing it.
   *
   * @param written directories that get new files
   * @throws PathExistsException naming a directory that is not empty
   */
  void check(Job job, Collection<FsPath> written) throws IOException {
    switch (this) {
      case NOTHING -> {}
      case DESTINATION -> check(job, List.of(job.destination()), "destination");
      case WRITTEN_PARTITIONS ->
          check(
              job,
              written.stream().filter(path -> !path.equals(job.destination())).toList(),
              "partition");
    }
  }

  private static void check(Job job, Collection<FsPath> directories, String what)
      throws IOException {
    for (FsPath directory : directories) {
      if (!isEmpty(job, directory)) {
        throw new PathExistsException(
            directory.toString(),
            "the "
                + what
                + " holds files already, and the conflict mode of job "
                + job.id()
                + " is fail; nothing was changed");
      }
    }
  }

  /** Also if it is missing, or others remove it just now. */
  private static boolean isEmpty(Job job, FsPath directory) throws IOException {
    try {
      return !job.fs().namespace().listing(directory).hasNext();
    } catch (FileNotFoundException e) {
      return true;
    }
  }
}
