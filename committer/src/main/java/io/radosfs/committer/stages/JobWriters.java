// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.layout.Uid;
import java.util.Optional;

/**
 * What is known of a job's processes when it is cleaned up.
 *
 * @param areGone whether none of them is left, so that no late write is expected, and the record
 *     need not stay
 * @param found as the record was when that became known ({@link JobRecord.Head#found}). Whoever
 *     finds something of a file that was not closed changes it before removing that
 */
record JobWriters(boolean areGone, Optional<Uid> found) {

  /** They may be writing. */
  static final JobWriters MAY_LIVE = new JobWriters(false, Optional.empty());

  /**
   * None of them is left.
   *
   * @param head of the record, which shows that; empty if there is no record
   */
  static JobWriters gone(Optional<JobRecord.Head> head) {
    return new JobWriters(true, head.flatMap(JobRecord.Head::found));
  }
}
