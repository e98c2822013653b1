// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A heartbeat from the future: a clock is or was set wrong, here or where it came from. It is
 * believed, as no clock decides anything. So what it is of is taken for alive until then, and for
 * as long again as it takes to be taken for dead; people are told.
 *
 * @param time milliseconds since the epoch
 */
public record FutureHeartbeat(long time, Duration ahead) {

  /** Clocks of a cluster may differ by so much, and nobody is told. */
  private static final Duration USUAL = Duration.ofMinutes(10);

  /** Empty for one that is not from the future, or hardly. */
  public static Optional<FutureHeartbeat> of(long time, long now) {
    Duration ahead = Duration.ofMillis(time - now);
    return time > now && ahead.compareTo(USUAL) > 0
        ? Optional.of(new FutureHeartbeat(time, ahead))
        : Optional.empty();
  }

  /** How far ahead it is, in words. */
  public String distance() {
    return ahead.toHours() < 2 ? ahead.toMinutes() + " min" : ahead.toHours() + " h";
  }

  /** What is wrong with a job that has it, and what to do, as the end of a sentence. */
  public String ofJob(String jobId) {
    return "whose last heartbeat is "
        + this
        + ". If no process of it is left, `radosfs jobs recover --force <URI> "
        + jobId
        + "` ends it";
  }

  /** The same for a ledger. */
  String ofLedger() {
    return "which was last used "
        + this
        + ". If no process writes to this file system, `radosfs gc --older-than 0` takes it over";
  }

  @Override
  public String toString() {
    return distance()
        + " in the future ("
        + Instant.ofEpochMilli(time)
        + "): a clock is or was wrong, and it is taken for alive until then";
  }
}
