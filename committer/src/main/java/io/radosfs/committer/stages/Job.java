// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.job.JobSupport;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.transaction.Transactions.Registration;
import java.io.IOException;
import java.util.Optional;

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

  /** The directory that the job is registered in: its destination, or that above. */
  FsPath coordinator() {
    return registration.coordinator();
  }

  /** The same job, registered in this directory. */
  Job in(FsPath coordinator) {
    return coordinator.equals(coordinator())
        ? this
        : new Job(fs, record, new Registration(id(), coordinator, record.name()));
  }

  /** The same job, registered where its record says. */
  Job as(JobInfo info) throws IOException {
    return in(info.coordinator(destination()));
  }

  /** The same job, registered in the directory above its destination, where it may be instead. */
  Optional<Job> above() {
    return coordinator().equals(destination()) && !destination().isRoot()
        ? Optional.of(in(destination().parent()))
        : Optional.empty();
  }

  /**
   * The same job as it is registered: in its destination, or in the directory above if a file was
   * in the way. For a job without a record. One read, two if it is not registered here.
   */
  Job asRegistered() throws IOException {
    Optional<Job> above = above();
    return above.isPresent()
            && fs.transactions().state(registration).isEmpty()
            && fs.transactions().state(above.get().registration).isPresent()
        ? above.get()
        : this;
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
