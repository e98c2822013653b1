package io.radosfs.committer;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.committer.stages.ConflictMode;
import io.radosfs.committer.stages.ConflictScope;
import io.radosfs.committer.stages.OverwriteConflict;
import io.radosfs.committer.stages.RequireEmpty;
import io.radosfs.committer.stages.Validation;
import io.radosfs.connector.config.Option;
import io.radosfs.connector.config.Settings;
import io.radosfs.connector.layout.FsPath;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * The committer's settings for one destination.
 *
 * @param conflictMode {@link #CONFLICT_MODE}
 * @param conflictScope {@link #CONFLICT_SCOPE}
 * @param overwriteConflict {@link #OVERWRITE_CONFLICT}
 * @param validation {@link #VALIDATE}
 * @param writeSuccess {@value #MARK_SUCCESSFUL_JOBS}, Hadoop's own
 */
public record CommitterOptions(
    ConflictMode conflictMode,
    ConflictScope conflictScope,
    OverwriteConflict overwriteConflict,
    Validation validation,
    boolean writeSuccess) {

  /** May be set for one pool, as every setting of radosfs. */
  public static final Option<ConflictMode> CONFLICT_MODE =
      new Option<>(
          "fs.rados.committer.conflict-mode",
          "append",
          "What a MapReduce job does about files that its destination holds: `append` adds to them"
              + " (a file of the same name fails the job), `fail` fails when there are any,"
              + " `replace` replaces them all at its commit. Spark's save modes decide for Spark",
          (conf, key, defaultText) -> ConflictMode.parse(conf.getTrimmed(key, defaultText)));

  public static final Option<ConflictScope> CONFLICT_SCOPE =
      new Option<>(
          "fs.rados.committer.conflict-scope",
          "directory",
          "Where that mode looks: `directory` in the whole destination, `partition` in each"
              + " directory below it that gets files",
          (conf, key, defaultText) -> ConflictScope.parse(conf.getTrimmed(key, defaultText)));

  public static final Option<OverwriteConflict> OVERWRITE_CONFLICT =
      new Option<>(
          "fs.rados.committer.overwrite-conflict",
          "wait",
          "What a job, of Spark too, does that replaces what another job on the same destination,"
              + " which has not ended, replaces: `wait` goes on, one commits after the other, and"
              + " the data of the later one stays; `fail` fails when it starts, naming the other."
              + " Which partitions a dynamic overwrite replaces is not known then: it goes on",
          (conf, key, defaultText) -> OverwriteConflict.parse(conf.getTrimmed(key, defaultText)));

  public static final Option<Validation> VALIDATE =
      new Option<>(
          "fs.rados.committer.validate",
          "none",
          "How a job, of Spark too, looks at its files before it makes any visible: `none`;"
              + " `metadata`: the first and last object of each, their sizes and whose they are;"
              + " `content`: all are read and compared with their CRC-32C",
          (conf, key, defaultText) -> Validation.parse(conf.getTrimmed(key, defaultText)));

  /** Those of radosfs itself. */
  public static final List<Option<?>> ALL =
      List.of(CONFLICT_MODE, CONFLICT_SCOPE, OVERWRITE_CONFLICT, VALIDATE);

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
    Settings settings = new Settings(conf, pool);
    return new CommitterOptions(
        settings.get(CONFLICT_MODE),
        settings.get(CONFLICT_SCOPE),
        settings.get(OVERWRITE_CONFLICT),
        settings.get(VALIDATE),
        conf.getBoolean(MARK_SUCCESSFUL_JOBS, MARK_SUCCESSFUL_JOBS_DEFAULT));
  }

  /** What a MapReduce job replaces. */
  Overwrite overwrite(FsPath destination) {
    if (conflictMode != ConflictMode.REPLACE) {
      return Overwrite.NOTHING;
    }
    return conflictScope == ConflictScope.PARTITION
        ? Overwrite.WRITTEN_PARTITIONS
        : Overwrite.of(destination);
  }

  /** Where a MapReduce job fails if anything is there. */
  RequireEmpty requireEmpty() {
    if (conflictMode != ConflictMode.FAIL) {
      return RequireEmpty.NOTHING;
    }
    return conflictScope == ConflictScope.PARTITION
        ? RequireEmpty.WRITTEN_PARTITIONS
        : RequireEmpty.DESTINATION;
  }
}
