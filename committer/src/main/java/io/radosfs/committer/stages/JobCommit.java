// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.SuccessReport;
import java.util.Optional;

/**
 * The result of a job's commit, which succeeded.
 *
 * @param repeated whether it was committed before, by another call
 * @param report that of {@code _SUCCESS}, with the times of later stages; of a repeated commit, if
 *     it is still known
 */
public record JobCommit(boolean repeated, Optional<SuccessReport> report) {}
