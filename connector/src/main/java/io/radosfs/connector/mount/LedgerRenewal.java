// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.job.JobHeartbeats;
import io.radosfs.connector.ledger.ProcessLedger;
import io.radosfs.connector.store.FollowUp;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows every few minutes that the process is alive, while it has files open or drives jobs, so
 * that a collector ignores its ledger and its jobs. Nothing depends on its being in time: see
 * {@link io.radosfs.connector.upkeep.GarbageCollector}.
 */
final class LedgerRenewal implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LedgerRenewal.class);

  /** Far shorter than the age at which collectors look at a ledger, an hour by default. */
  private static final Duration PERIOD = JobHeartbeats.PERIOD;

  private static final FollowUp FOLLOW_UP = new FollowUp(LOG);

  private final ScheduledThreadPoolExecutor thread;

  /**
   * A part of the renewal.
   *
   * @param failure what to log if it fails
   */
  record Step(String failure, InvocationRaisingIOE work) {}

  /**
   * @param after runs after each renewal
   */
  LedgerRenewal(ProcessLedger ledger, JobHeartbeats jobs, Runnable after, String name) {
    this(
        List.of(
            new Step("The ledger " + ledger.object() + " could not be renewed", ledger::renew),
            new Step("The heartbeats of jobs could not be written", jobs::beat),
            new Step("What follows the renewal of " + ledger.object() + " failed", after::run)),
        PERIOD,
        name);
  }

  /**
   * A step that fails, even with an error of the JVM, ends neither the others nor the next time.
   */
  LedgerRenewal(List<Step> steps, Duration period, String name) {
    thread =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread made = new Thread(task, name);
              made.setDaemon(true);
              return made;
            });
    var unused =
        thread.scheduleWithFixedDelay(
            () ->
                steps.forEach(
                    step -> FOLLOW_UP.quietly(step.failure, "it is tried again", step.work)),
            period.toMillis(),
            period.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
