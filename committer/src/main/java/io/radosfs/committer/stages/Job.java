// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.job.JobSupport;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.transaction.Transactions.Registration;

/**
 * A job and the file system that it writes to; every stage works on one.
 *
 * @param registration the transaction that is the job's commit
 */
public record Job(JobSupport fs, JobRecord record, Registration registration) {

  public static Job of(JobSupport fs, FsPath destination, String jobId) {
    JobRecord record = fs.record(destination, jobId);
    return new Job(fs, record, new Registration(jobId, destination, record.name()));
  }

  public FsPath destination() {
    return record.destination();
  }

  public String id() {
    return record.jobId();
  }

  @Override
  public String toString() {
    return "job " + id() + " on " + destination();
  }
}
