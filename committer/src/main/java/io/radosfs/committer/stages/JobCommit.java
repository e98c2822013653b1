package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.SuccessReport;
import java.util.Map;
import java.util.Optional;

/**
 * What became of a job's commit: it is committed.
 *
 * @param repeated whether it was committed before, by another call
 * @param report as written to {@code _SUCCESS}; of a repeated commit, as far as it is still known
 * @param millis by stage
 */
public record JobCommit(
    boolean repeated, Optional<SuccessReport> report, Map<String, Long> millis) {}
