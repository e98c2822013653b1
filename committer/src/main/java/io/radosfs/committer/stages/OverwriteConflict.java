// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a job does if it replaces what another job that has not ended replaces too. */
public enum OverwriteConflict {
  /** Goes on: they commit one after the other, and the data of the later one stays. */
  WAIT,
  /** Fails at set-up. If two are set up at the same time, both may fail. */
  FAIL;

  /**
   * Finds another job on the same destination that replaces what this one does. Call it once other
   * jobs can find this one in the same way: so of two jobs at least one finds the other. See {@link
   * OtherJobs#find}.
   *
   * @return the head of the other's record, if this one must fail
   */
  Optional<JobRecord.Head> find(JobInfo info, OtherJobs others) throws IOException {
    if (this == WAIT || info.replaces().isEmpty()) {
      return Optional.empty();
    }
    return others.find(other -> overlap(info.replaces(), other.replaces()));
  }

  static boolean overlap(List<String> some, List<String> others) throws IOException {
    for (String one : some) {
      FsPath path = FsPath.parse(one);
      for (String other : others) {
        FsPath otherPath = FsPath.parse(other);
        if (path.isAtOrBelow(otherPath) || otherPath.isAtOrBelow(path)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The error of the job that fails. */
  static IOException failure(Job job, JobRecord.Head found) {
    JobInfo other = found.info().orElseThrow();
    return new IOException(
        job
            + " replaces what "
            + described(other)
            + " is replacing, and fs.rados.committer.overwrite-conflict is fail; nothing was"
            + " changed. Wait until that job has ended (last heartbeat "
            + Instant.ofEpochMilli(found.lastHeartbeat())
            + "). "
            + remedy(other));
  }

  /** The other job, for people. */
  static String described(JobInfo other) {
    return "job "
        + other.jobId()
        + " ("
        + other.engine()
        + " job "
        + other.sourceId()
        + " of "
        + other.owner()
        + ", since "
        + Instant.ofEpochMilli(other.started())
        + ")";
  }

  /** What to do about a job whose driver is dead. */
  static String remedy(JobInfo other) {
    return "If no process of it is left, end it at once: `radosfs jobs recover --force <URI> "
        + other.jobId()
        + "`";
  }
}
