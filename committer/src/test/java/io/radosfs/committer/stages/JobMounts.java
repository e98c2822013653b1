// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.explorer.Session;
import io.radosfs.connector.simulated.ScheduledHelpers;
import io.radosfs.connector.simulated.SimulatedMount;
import io.radosfs.connector.store.ReadFrom;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.transaction.DirectoryLoop;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How all clients of a scenario mount, as clients of the name space and as drivers of jobs.
 *
 * @param threshold names of a directory that is split; 0 for none
 * @param keeps whether the data of what is replaced is kept for a while
 * @param longestWait how long others' transactions are waited for
 * @param page entries that an operation returns at most
 * @param helped whether work on several directories is done by several threads
 * @param behind which of the reads of any copy find one that is behind; 0 if the primary is read
 */
record JobMounts(
    int threshold, boolean keeps, Duration longestWait, int page, boolean helped, int behind)
    implements Session.Mounting {

  /**
   * When jobs end: no longer before the first recovery than what is under way may take. A clock
   * that is further behind would have their records go too early.
   */
  static final long ENDING = SimulatedJobs.WORKING + 1;

  /** Bytes, more than any file has. */
  private static final int ONE_STRIPE = 1 << 16;

  private static final Sharding WHOLE = new Sharding(65_536, 64);
  private static final Duration KEPT = Duration.ofMillis(500);

  @Override
  public SimulatedMount mount(SimulatedClient client) throws IOException {
    SimulatedMount mount =
        SimulatedMount.of(
            client,
            sharding(),
            new Retention(
                keeps ? KEPT : Duration.ZERO, () -> SimulatedMount.WORKING + client.clockAhead()),
            loop(client));
    return behind == 0 ? mount : mount.readingFrom(ReadFrom.BALANCED);
  }

  @Override
  public void prepare(SimulatedCluster cluster) {
    SimulatedCluster unused =
        cluster
            .setMaxOmapEntries(SimulatedJobs.POOL, page)
            .setCopiesBehind(SimulatedJobs.POOL, behind)
            .setCopiesBehind(SimulatedMount.OTHER_POOL, behind);
  }

  @Override
  public boolean hasJobs() {
    return true;
  }

  private DirectoryLoop loop(SimulatedClient client) {
    return helped ? ScheduledHelpers.loop(client) : DirectoryLoop.sequential();
  }

  /** What a process has that drives jobs. */
  SimulatedJobs jobs(SimulatedClient client) throws IOException {
    LongSupplier clock = () -> SimulatedJobs.WORKING + client.clockAhead();
    return new SimulatedJobs(
        client,
        clock,
        () -> Math.max(ENDING, clock.getAsLong() + ENDING - SimulatedJobs.WORKING),
        longestWait,
        sharding(),
        new Retention(keeps ? KEPT : Duration.ZERO, clock),
        loop(client),
        ONE_STRIPE);
  }

  private Sharding sharding() {
    return threshold == 0 ? WHOLE : new Sharding(threshold, 2);
  }
}
