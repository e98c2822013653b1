// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.job.JobRegistry;
import io.radosfs.connector.job.JobSupport;
import io.radosfs.connector.job.JobUpkeep;
import io.radosfs.connector.job.RegisteredJob;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.Failures;
import java.io.IOException;
import java.util.Optional;

/**
 * Brings jobs to their end that had no heartbeat for a while, forward or back, and removes what
 * they left over. Safe as {@link JobUpkeep#recover} is: no clock decides what becomes of a job, and
 * one that is alive after all is fenced before anything of it is removed.
 *
 * <p>Cost: to find the jobs, two reads for each directory; one read for each that is alive.
 */
public final class JobCollector {

  private final JobRegistry registry;
  private final JobSupport fs;
  private final JobUpkeep upkeep;
  private final CollectionLog log;

  public JobCollector(JobRegistry registry, JobSupport fs, JobUpkeep upkeep, CollectionLog log) {
    this.registry = registry;
    this.fs = fs;
    this.upkeep = upkeep;
    this.log = log;
  }

  /**
   * Collects below a directory. One job or directory that cannot be dealt with does not keep the
   * others from it.
   *
   * @param before jobs without a heartbeat since then; milliseconds since the epoch. What such a
   *     job left is removed; its record goes once nobody can write for it any more, as far as this
   *     tells: when it was brought to its end before then too
   */
  public void collect(FsPath top, long before) throws IOException {
    for (RegisteredJob job : registry.below(top, log::failed)) {
      boolean unused = failures().attempt(job.toString(), () -> collect(job, before));
    }
  }

  /**
   * The same for one job. What is listed stays so until what may still come from a driver or
   * another collector has come, as nothing else leads to a record that comes late: until the record
   * was noticed, and nothing else has come for as long as a job is taken for alive.
   */
  public JobUpkeep.Recovered collect(RegisteredJob job, long before) throws IOException {
    JobRecord record = fs.record(job.destination(), job.id());
    boolean noticedLongAgo = job.listed() && isNoticed(record, before);
    JobUpkeep.Recovered recovered = upkeep.recover(fs, job, before);
    boolean unrecorded = recovered.outcome() == JobUpkeep.Outcome.UNRECORDED;
    if (unrecorded || (job.listed() && !recovered.rest() && !noticedLongAgo)) {
      recovered = notice(job, record, before).orElse(recovered);
    } else if (!recovered.rest()) {
      registry.forget(job);
    }
    log.recovered(job, recovered);
    return recovered;
  }

  /** Whether nothing but a notice is in the record, of then or earlier. */
  private static boolean isNoticed(JobRecord record, long before) throws IOException {
    return record
        .head()
        .filter(head -> head.state().isEmpty() && head.lastHeartbeat() <= before)
        .isPresent();
  }

  /** Begins to wait for what may still come; empty unless that is over at once. */
  private Optional<JobUpkeep.Recovered> notice(RegisteredJob job, JobRecord record, long before)
      throws IOException {
    long time = fs.now();
    RegisteredJob noticed = registry.notice(job, record, time);
    if (time > before) {
      return Optional.empty();
    }
    JobUpkeep.Recovered recovered = upkeep.recover(fs, noticed, before);
    if (!recovered.rest()) {
      registry.forget(noticed);
    }
    return Optional.of(recovered);
  }

  /** Tells what {@link #collect} would look at. Reads alone. */
  public void preview(FsPath top, long before) throws IOException {
    for (RegisteredJob job : registry.below(top, log::failed)) {
      boolean unused = failures().attempt(job.toString(), () -> preview(job, before));
    }
  }

  private void preview(RegisteredJob job, long before) throws IOException {
    var head = fs.record(job.destination(), job.id()).head();
    long lastHeartbeat = head.isPresent() ? head.get().lastHeartbeat() : 0;
    if (lastHeartbeat <= before) {
      log.wouldRecover(job, lastHeartbeat);
    }
  }

  private Failures failures() {
    return log::failed;
  }
}
