package io.radosfs.committer;

import io.radosfs.committer.stages.ConflictMode;
import io.radosfs.connector.config.Option;
import io.radosfs.connector.config.Settings;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * The committer's settings for one destination.
 *
 * @param conflictMode {@link #CONFLICT_MODE}
 * @param writeSuccess {@value #MARK_SUCCESSFUL_JOBS}, Hadoop's own
 */
public record CommitterOptions(ConflictMode conflictMode, boolean writeSuccess) {

  /** May be set for one pool, as every setting of radosfs. */
  public static final Option<ConflictMode> CONFLICT_MODE =
      new Option<>(
          "fs.rados.committer.conflict-mode",
          "append",
          "What a MapReduce job does about files that its destination holds: `append` adds to them"
              + " (a file of the same name fails the job), `fail` fails when there are any,"
              + " `replace` replaces them all at its commit. Spark's save modes decide for Spark",
          (conf, key, defaultText) -> ConflictMode.parse(conf.getTrimmed(key, defaultText)));

  /** Whether a committed job leaves a file {@code _SUCCESS}. */
  public static final String MARK_SUCCESSFUL_JOBS =
      "mapreduce.fileoutputcommitter.marksuccessfuljobs";

  public static final boolean MARK_SUCCESSFUL_JOBS_DEFAULT = true;

  /**
   * The settings for a destination.
   *
   * @throws IllegalArgumentException when what is set cannot be read
   */
  public static CommitterOptions of(Configuration conf, Path destination) {
    String authority = destination.toUri().getAuthority();
    String pool = authority == null ? "" : authority.substring(authority.indexOf('@') + 1);
    return new CommitterOptions(
        new Settings(conf, pool).get(CONFLICT_MODE),
        conf.getBoolean(MARK_SUCCESSFUL_JOBS, MARK_SUCCESSFUL_JOBS_DEFAULT));
  }
}
