// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.SuccessReport;
import java.util.Optional;

/**
 * What became of a job's commit: it is committed.
 *
 * @param repeated whether it was committed before, by another call
 * @param report as {@code _SUCCESS} has it, with the times of the stages after that was written; of
 *     a repeated commit, as far as it is still known
 */
public record JobCommit(boolean repeated, Optional<SuccessReport> report) {}
