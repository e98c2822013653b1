// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

/** Where a job looks for existing files for {@link ConflictMode}. */
public enum ConflictScope {
  /** In the whole destination. */
  DIRECTORY,
  /** In each directory below the destination that gets files. */
  PARTITION
}
