// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.Point;
import java.util.function.Function;

/**
 * What the same work takes on rados:// and on the local disk: time, and processors. Where a ratio
 * of times is near that of processor times and the processors had no time left, the work cannot be
 * faster on that machine, as its OSDs compute on the same processors.
 */
final class SideCosts {

  private static final double PERCENT = 100;

  private final SideTimes seconds;
  private final SideTimes processor;
  private final SideTimes used;

  /**
   * Of no round yet.
   *
   * @param warmsUp whether the first one is not to count
   */
  SideCosts(boolean warmsUp) {
    seconds = new SideTimes(warmsUp);
    processor = new SideTimes(warmsUp);
    used = new SideTimes(warmsUp);
  }

  /**
   * What one side took in a round.
   *
   * @param side its title
   */
  void add(String side, Cost cost) {
    seconds.add(side, cost.seconds());
    processor.add(side, cost.clientAndOsds());
    used.add(
        side,
        PERCENT
            * cost.machineCpu()
            / (cost.seconds() * Runtime.getRuntime().availableProcessors()));
  }

  /** Whether no round counts so far. */
  boolean isEmpty() {
    return seconds.isEmpty();
  }

  /**
   * All of it.
   *
   * @param goal how many times as long as on the local disk it may take
   */
  void tell(Figures figures, String name, double goal) {
    seconds.tell(figures, name, goal);
    tellProcessors(figures, name);
  }

  /**
   * The same, the times as points of the sides' lines.
   *
   * @param points the point, by the side's title
   */
  void tell(Figures figures, String name, double goal, Function<String, Point> points) {
    seconds.tell(figures, name, goal, points);
    tellProcessors(figures, name);
  }

  private void tellProcessors(Figures figures, String name) {
    processor.note(figures, name + ", processor time of Spark and OSDs", "CPU s");
    processor.noteRatio(figures, name + ", processor time of Spark and OSDs");
    used.note(figures, name + ", processors in use", "%");
  }
}
