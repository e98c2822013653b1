// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import java.util.Locale;

/**
 * What limits many writers of one object, on this machine.
 *
 * @param writers at once
 * @param one writes a second to one object
 * @param many the same writers' writes a second to an object each
 * @param clientCores processor cores that the clients used meanwhile, on one object
 * @param osdCores cores that the OSDs used
 * @param cores of the machine
 */
public record Saturation(
    int writers, double one, double many, double clientCores, double osdCores, int cores) {

  /** As much more, other placement groups must take, for one to be the limit. */
  private static final double ROOM_ELSEWHERE = 1.25;

  /** Of all cores; the monitor, the manager and the kernel have the rest. */
  private static final double BUSY = 0.8;

  /** What comes first. */
  public enum Limit {
    PLACEMENT_GROUP("one placement group"),
    CLIENTS("the processor, of which the clients take most"),
    OSDS("the processor, of which the OSDs take most"),
    ANSWERS("none of them: the writers wait for answers");

    private final String text;

    Limit(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  public Limit first() {
    if (many >= ROOM_ELSEWHERE * one) {
      return Limit.PLACEMENT_GROUP;
    }
    if (clientCores + osdCores < BUSY * cores) {
      return Limit.ANSWERS;
    }
    return clientCores > osdCores ? Limit.CLIENTS : Limit.OSDS;
  }

  /** What it is told from. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "%d writers: %,.0f omap writes/s to one object, %,.0f/s to an object each; meanwhile the"
            + " clients used %.2f and the OSDs %.2f of %d cores",
        writers,
        one,
        many,
        clientCores,
        osdCores,
        cores);
  }
}
