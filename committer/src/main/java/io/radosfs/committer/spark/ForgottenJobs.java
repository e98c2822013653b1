// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import io.radosfs.committer.stages.Job;
import io.radosfs.connector.job.JobHeartbeats;
import java.lang.ref.Cleaner;

/**
 * Ends the heartbeats of jobs that Spark has set up and forgotten. A write of Spark's file sources
 * of version 2 is set up before its query is executed; if that fails, Spark neither commits nor
 * aborts. With heartbeats, such a job would seem alive for as long as its session lives. Without,
 * it is ended as that of a dead driver.
 */
final class ForgottenJobs {

  private static final Cleaner CLEANER = Cleaner.create();

  private ForgottenJobs() {}

  /**
   * Ends the heartbeats of a job once nothing refers to its driver. Those that have ended by then
   * stay ended.
   *
   * @param driver what commits or aborts the job, on Spark's driver
   */
  static void endWith(Object driver, Job job) {
    JobHeartbeats heartbeats = job.fs().heartbeats();
    String record = job.record().name();
    var unused = CLEANER.register(driver, () -> heartbeats.end(record));
  }
}
