// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.store.Await;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.ObjectStore;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends heartbeats for the jobs that this process drives on one file system. Every few minutes it
 * renews their records, so that a search for dead jobs skips them. Correctness does not depend on
 * it: a live job that is taken for dead is fenced, and gets a {@link JobEndedException}.
 *
 * <p>Programs close the file system that Hadoop's cache gives to the whole process. A job that they
 * do not know of would lose its heartbeats, and would be taken for dead. So each job keeps the file
 * system open until its heartbeats end. A job that is never ended keeps it as long as the process.
 *
 * <p>Thread-safe.
 */
public final class JobHeartbeats {

  private static final Logger LOG = LoggerFactory.getLogger(JobHeartbeats.class);

  /** From one to the next; far shorter than the silence after which a job is taken for dead. */
  public static final Duration PERIOD = Duration.ofMinutes(5);

  private static final FollowUp FOLLOW_UP = new FollowUp(LOG);

  private record Driven(JobRecord record, Closeable open) {
    /** It may be the last that keeps the file system open, which then closes. */
    private void release() {
      FOLLOW_UP.quietly(
          record + " has no heartbeats any more", "its file system is not closed", open::close);
    }
  }

  private final LongSupplier clock;
  private final Map<String, Driven> driven = new ConcurrentHashMap<>();

  /**
   * @param clock milliseconds since the epoch
   */
  public JobHeartbeats(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * Starts the heartbeats of a job that this process drives.
   *
   * @param open keeps the file system open, see {@link JobSupport#keepOpen}; closed with the end of
   *     the heartbeats
   */
  public void begin(JobRecord record, Closeable open) {
    Driven before = driven.put(record.name(), new Driven(record, open));
    if (before != null) {
      before.release();
    }
  }

  /** Stops them: the job has ended, or its end has failed and another process recovers it. */
  public void end(JobRecord record) {
    end(record.name());
  }

  /**
   * The same.
   *
   * @param record the name of the record
   */
  public void end(String record) {
    Driven ended = driven.remove(record);
    if (ended != null) {
      ended.release();
    }
  }

  /** Uses another connection to the records from now on. */
  public void moveTo(ObjectStore index) {
    driven.replaceAll((name, job) -> new Driven(job.record().in(index), job.open()));
  }

  /**
   * Renews the records, all at a time: one that is not answered holds up no other. One write each,
   * or two while a job is COMMITTING; a failure is logged, and the next beat is the next try. The
   * record of a decided job is not renewed: what its tasks have left is collected once it is
   * silent. Its file system stays open, as its driver may be clearing up. A job without a record is
   * dropped; one read more tells.
   */
  public void beat() {
    Map<Driven, CompletableFuture<Boolean>> begun = new LinkedHashMap<>();
    for (Driven job : driven.values()) {
      try {
        begun.put(job, job.record().beginToRenew(clock.getAsLong()));
      } catch (RuntimeException e) {
        tell(job, e);
      }
    }
    begun.forEach(
        (job, renewed) -> {
          try {
            if (!Await.get(renewed)
                && job.record().head().isEmpty()
                && driven.remove(job.record().name(), job)) {
              releaseBeside(job);
            }
          } catch (IOException | RuntimeException e) {
            tell(job, e);
          }
        });
  }

  private static void tell(Driven job, Exception failure) {
    LOG.warn("The job record {} could not be renewed; it is tried again", job.record(), failure);
  }

  /** Closing the file system ends the thread that renews, and must not wait for itself. */
  private static void releaseBeside(Driven job) {
    Thread thread = new Thread(job::release, "radosfs-release");
    thread.setDaemon(true);
    thread.start();
  }
}
