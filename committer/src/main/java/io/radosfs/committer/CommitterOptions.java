// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.committer.stages.ConflictMode;
import io.radosfs.committer.stages.ConflictScope;
import io.radosfs.committer.stages.OverwriteConflict;
import io.radosfs.committer.stages.RequireEmpty;
import io.radosfs.committer.stages.Validation;
import io.radosfs.connector.config.Option;
import io.radosfs.connector.config.Option.Audience;
import io.radosfs.connector.config.Settings;
import io.radosfs.connector.config.Types;
import io.radosfs.connector.config.UnknownSettings;
import io.radosfs.connector.layout.FsPath;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The committer's settings for one destination.
 *
 * @param conflictMode {@link #CONFLICT_MODE}
 * @param conflictScope {@link #CONFLICT_SCOPE}
 * @param overwriteConflict {@link #OVERWRITE_CONFLICT}
 * @param validation {@link #VALIDATE}
 * @param lease {@link #LEASE}
 * @param reportDirectory {@link #REPORT_DIRECTORY}, or Hadoop's {@value #HADOOP_REPORT_DIRECTORY};
 *     empty for none
 * @param reportFiles {@link #REPORT_FILES}
 * @param logLevel {@link #LOG_LEVEL}
 * @param writeSuccess {@value #MARK_SUCCESSFUL_JOBS}, Hadoop's own
 */
public record CommitterOptions(
    ConflictMode conflictMode,
    ConflictScope conflictScope,
    OverwriteConflict overwriteConflict,
    Validation validation,
    Duration lease,
    String reportDirectory,
    boolean reportFiles,
    CommitLevel logLevel,
    boolean writeSuccess) {

  private static final Logger LOG = LoggerFactory.getLogger(CommitterOptions.class);

  /**
   * Four heartbeats: drivers live whose last one or two have failed, or whose clocks are minutes
   * apart.
   */
  private static final Duration SHORTEST_LEASE = Duration.ofMinutes(20);

  /** May be set for one pool, like every setting of radosfs. */
  public static final Option<ConflictMode> CONFLICT_MODE =
      new Option<>(
          "fs.rados.committer.conflict-mode",
          "append",
          "What a MapReduce job, or the save of an RDD, does about files that its destination"
              + " holds: `append` adds to them (a file of the same name fails the job), `fail` fails"
              + " when there are any, `replace` replaces them all at its commit. Spark SQL's save"
              + " modes decide for Spark SQL",
          Types.oneOf(ConflictMode.class));

  public static final Option<ConflictScope> CONFLICT_SCOPE =
      new Option<>(
          "fs.rados.committer.conflict-scope",
          "directory",
          "Where that mode looks: `directory` in the whole destination, `partition` in each"
              + " directory below it that gets files",
          Types.oneOf(ConflictScope.class));

  public static final Option<OverwriteConflict> OVERWRITE_CONFLICT =
      new Option<>(
          "fs.rados.committer.overwrite-conflict",
          "wait",
          "What a job, of Spark too, does when another job on the same "
              + "destination has not ended, and replaces the same. `wait`: it goes on; "
              + "one commits after the other, and the data of the later one stays. "
              + "`fail`: it fails when it starts, and names the other; of two that start at "
              + "the same time both may fail. Which "
              + "partitions a dynamic overwrite replaces is not known by then: it goes "
              + "on",
          Types.oneOf(OverwriteConflict.class));

  public static final Option<Validation> VALIDATE =
      new Option<>(
          "fs.rados.committer.validate",
          "none",
          "How a job, of Spark too, looks at its files before it makes any visible: `none`;"
              + " `metadata`: the first and last object of each, their sizes and whose they are;"
              + " `content`: all of them, and the OSDs take their CRC-32C, so that no data crosses the"
              + " network",
          Types.oneOf(Validation.class));

  public static final Option<Duration> LEASE =
      new Option<>(
          "fs.rados.committer.lease",
          "1h",
          "A job, of Spark too, ends other jobs on the same destination whose "
              + "last heartbeat is older. Live drivers have one every 5 minutes, so that "
              + "`20m` is the least. `0`: "
              + "it ends none; `radosfs jobs recover` or `radosfs gc` must",
          (conf, key, defaultText) -> lease(conf, key, defaultText));

  public static final Option<String> REPORT_DIRECTORY =
      new Option<>(
          "fs.rados.committer.summary.report.directory",
          "",
          "A directory, of any file system, where each job, of Spark too, leaves a report"
              + " `summary-<job>.json` in the form of `_SUCCESS`, whether its driver commits or aborts"
              + " it. By default what `mapreduce.manifest.committer.summary.report.directory` says, which"
              + " means the same to Hadoop's manifest committer",
          Types.text());

  public static final Option<Boolean> REPORT_FILES =
      new Option<>(
          "fs.rados.committer.summary.report.files",
          "false",
          "Whether those reports list every file of the job, with length and CRC-32C (`files`)",
          Types.flag());

  public static final Option<CommitLevel> LOG_LEVEL =
      new Option<>(
          "fs.rados.committer.log.level",
          "info",
          "How a job that is committed, of Spark too, tells so in the driver's log, and Spark's plugin"
              + " that the committer is active: `info`, or `warn` where the log shows warnings"
              + " alone, as PySpark's does by default",
          Types.oneOf(CommitLevel.class));

  public static final Option<List<String>> PLUGIN_CHECK =
      new Option<>(
          "fs.rados.plugin.check",
          "auto",
          "What Spark's plugin of radosfs tries on the driver and on each executor before any task"
              + " runs: file systems, by commas (`rados://mypool/`), or `off`. `auto`: those that"
              + " `fs.defaultFS` and Spark's own settings of paths name, and in any case the"
              + " connection to the cluster",
          (conf, key, defaultText) -> List.of(conf.getTrimmedStrings(key, defaultText)));

  public static final Option<Boolean> PLUGIN_SEND_KEY =
      new Option<>(
          "fs.rados.plugin.send-key",
          "true",
          "Whether the driver sends the Ceph user's key to executors whose machines have none. It does"
              + " so only where Spark encrypts what its processes say to each other",
          Types.flag());

  public static final Option<Duration> PLUGIN_METRICS_INTERVAL =
      new Option<>(
          "fs.rados.plugin.metrics.interval",
          "10s",
          "How often each executor tells the driver its metrics, which the driver publishes for all"
              + " executors together. `0`: never",
          (conf, key, defaultText) -> time(conf, key, defaultText),
          Audience.DEVELOPERS);

  /** Hadoop's own setting for reports. */
  public static final String HADOOP_REPORT_DIRECTORY =
      "mapreduce.manifest.committer.summary.report.directory";

  /** The settings of radosfs itself. */
  public static final List<Option<?>> ALL =
      List.of(
          CONFLICT_MODE,
          CONFLICT_SCOPE,
          OVERWRITE_CONFLICT,
          VALIDATE,
          LEASE,
          REPORT_DIRECTORY,
          REPORT_FILES,
          LOG_LEVEL,
          PLUGIN_CHECK,
          PLUGIN_SEND_KEY,
          PLUGIN_METRICS_INTERVAL);

  /** Whether a committed job leaves a file {@code _SUCCESS}. */
  public static final String MARK_SUCCESSFUL_JOBS =
      "mapreduce.fileoutputcommitter.marksuccessfuljobs";

  public static final boolean MARK_SUCCESSFUL_JOBS_DEFAULT = true;

  /**
   * Logs a warning for each of the committer's settings that nothing reads; for whoever sets a job
   * up.
   */
  public static void tellOfUnknown(Configuration conf, Path destination) {
    unknown(conf, destination).forEach(sentence -> LOG.warn("{}: {}", destination, sentence));
  }

  /** A sentence for each of them. */
  static List<String> unknown(Configuration conf, Path destination) {
    return new UnknownSettings(conf, poolOf(destination)).ofCommitter(ALL);
  }

  private static String poolOf(Path destination) {
    String authority = destination.toUri().getAuthority();
    return authority == null ? "" : authority.substring(authority.indexOf('@') + 1);
  }

  /**
   * The settings for a destination.
   *
   * @throws IllegalArgumentException if a value cannot be read
   */
  public static CommitterOptions of(Configuration conf, Path destination) {
    Settings settings = new Settings(conf, poolOf(destination));
    return new CommitterOptions(
        settings.get(CONFLICT_MODE),
        settings.get(CONFLICT_SCOPE),
        settings.get(OVERWRITE_CONFLICT),
        settings.get(VALIDATE),
        settings.get(LEASE),
        reportDirectory(conf, settings),
        settings.get(REPORT_FILES),
        settings.get(LOG_LEVEL),
        conf.getBoolean(MARK_SUCCESSFUL_JOBS, MARK_SUCCESSFUL_JOBS_DEFAULT));
  }

  private static String reportDirectory(Configuration conf, Settings settings) {
    String own = settings.get(REPORT_DIRECTORY);
    return own.isEmpty() ? conf.getTrimmed(HADOOP_REPORT_DIRECTORY, "") : own;
  }

  private static Duration lease(Configuration conf, String key, String defaultText) {
    Duration lease = time(conf, key, defaultText);
    if (!lease.isZero() && lease.compareTo(SHORTEST_LEASE) < 0) {
      throw new IllegalArgumentException(
          "20m or longer, as live drivers have a heartbeat every 5 minutes, or 0");
    }
    return lease;
  }

  private static Duration time(Configuration conf, String key, String defaultText) {
    long millis = conf.getTimeDuration(key, defaultText, TimeUnit.SECONDS, TimeUnit.MILLISECONDS);
    if (millis < 0) {
      throw new IllegalArgumentException("a time that is not negative, such as 1h");
    }
    return Duration.ofMillis(millis);
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

  /** Where a MapReduce job fails if anything exists. */
  RequireEmpty requireEmpty() {
    if (conflictMode != ConflictMode.FAIL) {
      return RequireEmpty.NOTHING;
    }
    return conflictScope == ConflictScope.PARTITION
        ? RequireEmpty.WRITTEN_PARTITIONS
        : RequireEmpty.DESTINATION;
  }
}
