// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.Point;
import io.radosfs.bench.works.WorkSide;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Seconds of the same work on rados:// and on the local disk, round by round, or something else
 * that is measured of both. A round counts when both are known.
 */
final class SideTimes {

  private static final Set<String> SIDES = Set.of(WorkSide.DISK, WorkSide.RADOS);

  private final Samples disk = new Samples();
  private final Samples rados = new Samples();
  private final Map<String, Double> round = new TreeMap<>();
  private boolean isWarmUp;

  /**
   * Of no round yet.
   *
   * @param warmsUp whether the first one is not to count
   */
  SideTimes(boolean warmsUp) {
    this.isWarmUp = warmsUp;
  }

  /**
   * What one side took in a round.
   *
   * @param side its title
   */
  void add(String side, double seconds) {
    if (!SIDES.contains(side) || round.containsKey(side)) {
      throw new IllegalArgumentException(side + " in a round that has " + round.keySet());
    }
    round.put(side, seconds);
    if (!round.keySet().equals(SIDES)) {
      return;
    }
    if (!isWarmUp) {
      disk.add(round.get(WorkSide.DISK));
      rados.add(round.get(WorkSide.RADOS));
    }
    isWarmUp = false;
    round.clear();
  }

  /** Whether no round counts so far. */
  boolean isEmpty() {
    return disk.values().isEmpty();
  }

  /**
   * Both, and the ratio of times in the same round.
   *
   * @param goal how many times as long as on the local disk it may take
   */
  void tell(Figures figures, String name, double goal) {
    note(figures, name, "s");
    toDisk(figures, name, goal);
  }

  /**
   * The same, each of both as a point of its side's line.
   *
   * @param points the point, by the side's title
   */
  void tell(Figures figures, String name, double goal, Function<String, Point> points) {
    figures.note(name + ", " + WorkSide.DISK, disk, "s", points.apply(WorkSide.DISK));
    figures.note(name + ", " + WorkSide.RADOS, rados, "s", points.apply(WorkSide.RADOS));
    toDisk(figures, name, goal);
  }

  private void toDisk(Figures figures, String name, double goal) {
    figures.atMost(name + ", to " + WorkSide.DISK, rados.over(disk), "", goal);
  }

  /** Both, without a goal. */
  void note(Figures figures, String name, String unit) {
    figures.note(name + ", " + WorkSide.DISK, disk, unit);
    figures.note(name + ", " + WorkSide.RADOS, rados, unit);
  }

  /** The ratio, without a goal. */
  void noteRatio(Figures figures, String name) {
    figures.note(name + ", to " + WorkSide.DISK, rados.over(disk), "");
  }

  /**
   * Both, and no ratio.
   *
   * @param goal seconds on rados://
   */
  void tellSeconds(Figures figures, String name, double goal) {
    figures.note(name + ", " + WorkSide.DISK, disk, "s");
    figures.atMost(name + ", " + WorkSide.RADOS, rados, "s", goal);
  }
}
