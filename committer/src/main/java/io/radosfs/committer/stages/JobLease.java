// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.job.JobUpkeep.Silence;
import java.time.Duration;
import java.util.Optional;

/**
 * When a job that is set up takes others on its destination for dead.
 *
 * @param driver a job without a heartbeat for so long has no driver any more, and is ended; zero if
 *     none is taken for dead
 * @param tasks no task of an ended job writes so long after its last heartbeat: then nothing has to
 *     lead to what it writes, and its record is removed. Tasks have no heartbeat, and one that
 *     writes a long file is told at its end only that its job has ended
 */
public record JobLease(Duration driver, Duration tasks) {

  /** No other job is taken for dead. */
  public static final JobLease NONE = new JobLease(Duration.ZERO, Duration.ZERO);

  /** As {@code radosfs gc} by default. */
  private static final Duration OF_TASKS = Duration.ofHours(1);

  /** Of a driver for so long; tasks are given an hour at least. */
  public static JobLease of(Duration driver) {
    return new JobLease(driver, driver.compareTo(OF_TASKS) < 0 ? OF_TASKS : driver);
  }

  /**
   * Since when another job must have been silent.
   *
   * @param now milliseconds since the epoch
   * @return empty if none is taken for dead
   */
  Optional<Silence> silence(long now) {
    return driver.isZero()
        ? Optional.empty()
        : Optional.of(new Silence(now - driver.toMillis(), now - tasks.toMillis()));
  }
}
