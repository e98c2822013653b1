// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.ledger;

import java.time.Duration;

/**
 * Heartbeats of processes whose clocks were far ahead. Nobody would look after what such a process
 * left until that time has come, perhaps in years. So a collector that meets one sets it to its own
 * time, and the silence begins then. A process that lives sends the next within minutes.
 *
 * <p>Clocks are hours apart where a time zone is set wrongly. A collector whose own clock is so far
 * behind sets nobody's heartbeat back: others would take a process that lives for dead.
 */
public final class FutureHeartbeat {

  private static final long FAR = Duration.ofDays(1).toMillis();

  private FutureHeartbeat() {}

  /**
   * Whether a heartbeat is so far ahead of a collector's clock.
   *
   * @param heartbeat milliseconds since the epoch
   * @param now likewise
   */
  public static boolean is(long heartbeat, long now) {
    return heartbeat - now > FAR;
  }
}
