// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.job.JobHeartbeats;
import io.radosfs.connector.ledger.ProcessLedger;
import java.io.IOException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
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
  private static final long PERIOD_MINUTES = 5;

  private final ScheduledThreadPoolExecutor thread;

  /**
   * @param after runs after each renewal
   */
  LedgerRenewal(ProcessLedger ledger, JobHeartbeats jobs, Runnable after, String name) {
    thread =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread made = new Thread(task, name);
              made.setDaemon(true);
              return made;
            });
    thread.scheduleWithFixedDelay(
        () -> {
          renew(ledger);
          jobs.beat();
          after.run();
        },
        PERIOD_MINUTES,
        PERIOD_MINUTES,
        TimeUnit.MINUTES);
  }

  private static void renew(ProcessLedger ledger) {
    try {
      ledger.renew();
    } catch (IOException | RuntimeException e) {
      LOG.warn("The ledger {} could not be renewed; it is tried again", ledger.object(), e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
