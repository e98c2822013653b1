// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.FsPath.InvalidNameException;

/**
 * Where a file or directory of a job is, as work paths, the job's record and the manifests have it:
 * relative to the job's destination; or, where it is elsewhere in the file system, as a partition
 * with a location of its own is, {@code __radosfs_elsewhere/} and its path from the root.
 */
public final class JobPaths {

  /** The first component of what is not below the destination. */
  public static final String ELSEWHERE = "__radosfs_elsewhere";

  private JobPaths() {}

  /** The recorded form of a path; empty for the destination itself. */
  public static String relative(FsPath destination, FsPath path) {
    return path.isAtOrBelow(destination)
        ? path.relativeTo(destination)
        : ELSEWHERE + "/" + path.key();
  }

  /** The path that a recorded form stands for. */
  public static FsPath resolve(FsPath destination, String relative) throws InvalidNameException {
    return relative.equals(ELSEWHERE) || relative.startsWith(ELSEWHERE + "/")
        ? FsPath.ROOT.resolve(relative.substring(ELSEWHERE.length()))
        : destination.resolve(relative);
  }
}
