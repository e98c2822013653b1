// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.FsPath.InvalidNameException;

/**
 * The form of paths in work paths, job records and manifests: relative to the job's destination. A
 * path that is not below the destination, such as a partition with a location of its own, is {@code
 * __radosfs_elsewhere/} and its path from the root.
 */
public final class JobPaths {

  /** The first component of a path that is not below the destination. */
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
