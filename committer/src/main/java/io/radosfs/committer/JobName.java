// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * What an engine calls a job, on its driver and in all its tasks alike.
 *
 * <p>That is the job's id, but for Spark SQL, whose driver's job has none: its jobs have a UUID in
 * their configuration. From Spark 4.2 on they get it only after the set-up, and by data source V2
 * never; so the set-up notes there what it has called the job, for the tasks. Spark's RDD functions
 * set one too, but in the driver's copy of the configuration, which the tasks may not get.
 *
 * @param source what kind of id that is
 */
record JobName(String id, String source) {

  private static final String JOB_ID = "mapreduce.job.id";
  private static final String SPARK_WRITE_UUID = "spark.sql.sources.writeJobUUID";

  /** What a set-up without a UUID has called the job. */
  private static final String SET_UP_AS = "radosfs.committer.set-up-as";

  /** Notes it in the configuration of a job that is set up, unless that has a UUID. */
  void noteIn(JobContext job) {
    Configuration conf = job.getConfiguration();
    if (RadosCommitterFactory.isOfSparkSql(conf)
        && conf.getTrimmed(SPARK_WRITE_UUID, "").isEmpty()) {
      conf.set(SET_UP_AS, id);
    }
  }

  /** That of the job of a context, which may be a task's; empty if it has none. */
  static Optional<JobName> of(JobContext context) {
    Configuration conf = context.getConfiguration();
    if (RadosCommitterFactory.isOfSparkSql(conf)) {
      String noted = conf.getTrimmed(SET_UP_AS, "");
      if (!noted.isEmpty()) {
        return Optional.of(new JobName(noted, JOB_ID));
      }
      String uuid = conf.getTrimmed(SPARK_WRITE_UUID, "");
      if (!uuid.isEmpty()) {
        return Optional.of(new JobName(uuid, SPARK_WRITE_UUID));
      }
    }
    return Optional.ofNullable(jobId(context)).map(job -> new JobName(job.toString(), JOB_ID));
  }

  private static JobID jobId(JobContext context) {
    return context instanceof TaskAttemptContext task
        ? task.getTaskAttemptID().getJobID()
        : context.getJobID();
  }

  /**
   * The ids of the job's record, the latest first: each application master may have set the job up
   * again, under an id of its own.
   *
   * @param masters how many there were, with this one
   */
  List<String> recordIds(int masters) {
    List<String> ids = new ArrayList<>();
    for (int master = masters; master > 1; master--) {
      ids.add(id + "-" + master);
    }
    ids.add(id);
    return ids;
  }
}
