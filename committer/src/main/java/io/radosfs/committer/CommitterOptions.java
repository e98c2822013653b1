package io.radosfs.committer;

import io.radosfs.committer.stages.ConflictMode;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * The committer's settings for one destination.
 *
 * @param conflictMode {@value #CONFLICT_MODE}
 * @param writeSuccess {@value #MARK_SUCCESSFUL_JOBS}, Hadoop's own
 */
public record CommitterOptions(ConflictMode conflictMode, boolean writeSuccess) {

  /**
   * What a job does about files that its destination holds; not for Spark, which decides itself.
   */
  public static final String CONFLICT_MODE = "fs.rados.committer.conflict-mode";

  public static final ConflictMode CONFLICT_MODE_DEFAULT = ConflictMode.APPEND;

  /** Whether a committed job leaves a file {@code _SUCCESS}. */
  public static final String MARK_SUCCESSFUL_JOBS =
      "mapreduce.fileoutputcommitter.marksuccessfuljobs";

  public static final boolean MARK_SUCCESSFUL_JOBS_DEFAULT = true;

  private static final String PREFIX = "fs.rados.";
  private static final String POOL_PREFIX = "fs.rados.pool.";

  /** The settings for a destination; those of its pool ({@value #POOL_PREFIX}…) come first. */
  public static CommitterOptions of(Configuration conf, Path destination) {
    String authority = destination.toUri().getAuthority();
    String pool = authority == null ? "" : authority.substring(authority.indexOf('@') + 1);
    String ofPool = POOL_PREFIX + pool + "." + CONFLICT_MODE.substring(PREFIX.length());
    String set = conf.getTrimmed(ofPool);
    ConflictMode mode =
        set != null
            ? ConflictMode.parse(ofPool, set)
            : ConflictMode.parse(
                CONFLICT_MODE, conf.getTrimmed(CONFLICT_MODE, CONFLICT_MODE_DEFAULT.toString()));
    return new CommitterOptions(
        mode, conf.getBoolean(MARK_SUCCESSFUL_JOBS, MARK_SUCCESSFUL_JOBS_DEFAULT));
  }
}
