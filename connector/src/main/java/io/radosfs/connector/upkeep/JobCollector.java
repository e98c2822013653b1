// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.job.JobRegistry;
import io.radosfs.connector.job.JobSupport;
import io.radosfs.connector.job.JobUpkeep;
import io.radosfs.connector.job.JobUpkeep.Silence;
import io.radosfs.connector.job.RegisteredJob;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import java.util.Optional;

/**
 * Ends jobs without a recent heartbeat, by rolling them forward or back, and removes what they left
 * over. As safe as {@link JobUpkeep#recover}: no clock decides the outcome of a job, and a job that
 * is alive after all is fenced before anything of it is removed.
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
   * Collects below a directory. If one job or directory fails, the others still go on.
   *
   * @param before jobs without a heartbeat since then are ended, and what they left is removed;
   *     milliseconds since the epoch. If processes of the job may still write, its record stays
   *     until the job was ended before that time too
   */
  public void collect(FsPath top, long before) throws IOException {
    for (RegisteredJob job : registry.below(top, log::failed)) {
      boolean unused = failures().attempt(job.toString(), () -> collect(job, before));
    }
  }

  /**
   * The same for one job. A job stays in the list of ledgers until no late write of a driver or
   * another collector can arrive, as nothing else leads to a record that is made late. That is when
   * its record was noticed, and nothing was written for as long as a job is taken for alive.
   */
  public JobUpkeep.Recovered collect(RegisteredJob job, long before) throws IOException {
    return collect(job, Silence.since(before));
  }

  /**
   * Ends one job, whatever its last heartbeat: it may be alive. If processes of it may still write,
   * its record stays.
   *
   * @param before the record is removed if the job was ended at this time or earlier, and has had
   *     no heartbeat since
   */
  public JobUpkeep.Recovered end(RegisteredJob job, long before) throws IOException {
    return collect(job, Silence.since(before).orAlive());
  }

  private JobUpkeep.Recovered collect(RegisteredJob found, Silence silence) throws IOException {
    JobRecord record = fs.record(found.destination(), found.id());
    boolean noticedLongAgo = found.listed() && isNoticed(record, silence.end());
    RegisteredJob job = noticedLongAgo ? registry.changeLine(found) : found;
    JobUpkeep.Recovered recovered = upkeep.recover(fs, job, silence);
    boolean unrecorded = recovered.outcome() == JobUpkeep.Outcome.UNRECORDED;
    if (unrecorded || (job.listed() && !recovered.rest() && !noticedLongAgo)) {
      recovered = notice(job, record, silence).orElse(recovered);
    } else if (!recovered.rest()) {
      registry.forget(job);
    }
    log.recovered(job, recovered, fs.now());
    return recovered;
  }

  /** Whether the record has nothing but a notice, made at that time or earlier. */
  private static boolean isNoticed(JobRecord record, long before) throws IOException {
    return record
        .head()
        .filter(head -> head.state().isEmpty() && head.lastHeartbeat() <= before)
        .isPresent();
  }

  /** Begins the wait for late writes; empty unless it is over at once. */
  private Optional<JobUpkeep.Recovered> notice(RegisteredJob job, JobRecord record, Silence silence)
      throws IOException {
    long time = fs.now();
    RegisteredJob noticed =
        fs.retries().run("notice of " + job, () -> registry.notice(job, record, time));
    if (time > silence.lastHeartbeat()) {
      return Optional.empty();
    }
    JobUpkeep.Recovered recovered = upkeep.recover(fs, noticed, silence);
    if (!recovered.rest() && time <= silence.end()) {
      registry.forget(noticed);
    } // else its driver may be about to make the record, which the line then leads to
    return Optional.of(recovered);
  }

  /**
   * Reports the jobs that {@link #collect} would end, and those that it would not for a heartbeat
   * from the future. Only reads.
   */
  public void preview(FsPath top, long before) throws IOException {
    for (RegisteredJob job : registry.below(top, log::failed)) {
      boolean unused = failures().attempt(job.toString(), () -> preview(job, before));
    }
  }

  private void preview(RegisteredJob job, long before) throws IOException {
    var head = fs.record(job.destination(), job.id()).head();
    boolean recorded = head.flatMap(JobRecord.Head::state).isPresent();
    // A job without a record is noticed first, and ended by a later run.
    boolean unnoticed = head.isEmpty() && job.decision() != Transactions.State.COMMITTED;
    long lastHeartbeat = head.isPresent() ? head.get().lastHeartbeat() : 0;
    if (lastHeartbeat <= before && !unnoticed && (recorded || !job.isOnlyListed())) {
      log.wouldRecover(job, lastHeartbeat);
    } else if (lastHeartbeat > before) {
      FutureHeartbeat.of(lastHeartbeat, fs.now()).ifPresent(future -> log.ahead(job, future));
    }
  }

  private Failures failures() {
    return log::failed;
  }
}
