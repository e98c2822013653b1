// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.SuccessReport;
import java.util.Optional;

/**
 * The result of a job's commit, which succeeded.
 *
 * @param repeated whether it was committed before, by another call
 * @param committedHere whether this call brought it to its end, and may have made it visible; also
 *     where that goes on with the plan of another one, or with its own after a lost answer. Two
 *     that do so at the same time both count it
 * @param report that of {@code _SUCCESS}, with the times of later stages; of a repeated commit, if
 *     it is still known
 */
public record JobCommit(boolean repeated, boolean committedHere, Optional<SuccessReport> report) {

  /** One that was found committed, by a call that may have been another process's. */
  static JobCommit found(Optional<SuccessReport> report) {
    return new JobCommit(true, false, report);
  }
}
