// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

/** What a job does if its destination has files already. */
public enum ConflictMode {
  /** Adds to them; a file of the same name fails the job. */
  APPEND,
  /** Fails if there are any, at its start (if that is known then) and at its commit. */
  FAIL,
  /** Replaces them all, at its commit. */
  REPLACE
}
