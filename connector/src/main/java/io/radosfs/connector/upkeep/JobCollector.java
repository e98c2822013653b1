package io.radosfs.connector.upkeep;

import io.radosfs.connector.job.JobRegistry;
import io.radosfs.connector.job.JobSupport;
import io.radosfs.connector.job.JobUpkeep;
import io.radosfs.connector.job.RegisteredJob;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;

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

  /** The same for one job. */
  public JobUpkeep.Recovered collect(RegisteredJob job, long before) throws IOException {
    JobUpkeep.Recovered recovered = upkeep.recover(fs, job, before);
    RegisteredJob now = job;
    boolean wait = false;
    if (mayBeSetUpLate(job, recovered.outcome())) {
      long time = fs.now();
      now = registry.notice(job, fs.record(job.destination(), job.id()), time);
      wait = time > before;
      if (!wait) {
        recovered = upkeep.recover(fs, now, before);
      }
    }
    if (!recovered.rest() && !wait) {
      registry.forget(now);
    }
    log.recovered(job, recovered);
    return recovered;
  }

  /** What makes the record may be on its way, from a driver that is setting up, or is gone. */
  private static boolean mayBeSetUpLate(RegisteredJob job, JobUpkeep.Outcome outcome) {
    return outcome == JobUpkeep.Outcome.UNRECORDED
        || (outcome == JobUpkeep.Outcome.GONE
            && job.listed()
            && job.decision() == Transactions.State.PENDING);
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
