// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says that Parquet's summary files ({@code _metadata}, {@code _common_metadata}) are not written.
 * Parquet's own output committer writes them, after the job has become visible, and readers have
 * not used them for long.
 */
final class ParquetSummaries {

  private static final String LEVEL = "parquet.summary.metadata.level";
  private static final String ENABLED = "parquet.enable.summary-metadata";

  private static final Logger LOG = LoggerFactory.getLogger(ParquetSummaries.class);

  /** Spark sets it for a job that writes Parquet, and that job alone. */
  private static final String WRITE_SUPPORT = "parquet.write.support.class";

  private ParquetSummaries() {}

  /** Logs a warning if the job is asked for them. */
  static void tellIfAskedFor(Configuration job, String destination) {
    warning(job).ifPresent(sentence -> LOG.warn("{}: {}", destination, sentence));
  }

  /** The sentence; empty if the job is not asked for them. */
  static Optional<String> warning(Configuration job) {
    String level = job.get(LEVEL);
    boolean asked =
        level == null
            ? job.getBoolean(ENABLED, false)
            : !level.trim().toUpperCase(Locale.ROOT).equals("NONE");
    if (!asked || job.get(WRITE_SUPPORT) == null) {
      return Optional.empty();
    }
    return Optional.of(
        "no summary files of Parquet are written: "
            + (level == null ? ENABLED : LEVEL + " = " + level.trim())
            + " has no effect with this committer. Readers look at the files' own footers");
  }
}
