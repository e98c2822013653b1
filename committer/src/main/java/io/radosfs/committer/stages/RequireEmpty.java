// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.fs.PathExistsException;

/** Where a job fails when anything is there already: conflict mode fail. */
public enum RequireEmpty {
  /** Nowhere. */
  NOTHING,
  /** In the destination. */
  DESTINATION,
  /** In the directories, but for the destination, that get new files. */
  WRITTEN_PARTITIONS;

  /**
   * One or two reads for each directory looked at.
   *
   * @param written directories that get new files
   * @throws PathExistsException naming a directory that holds anything
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
      if (job.fs().namespace().lookup(directory).isPresent()
          && !job.fs().namespace().list(directory).isEmpty()) {
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
}
