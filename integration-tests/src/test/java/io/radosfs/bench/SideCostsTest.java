// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Point;
import io.radosfs.bench.works.WorkSide;
import io.radosfs.workbench.OsdCounters;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class SideCostsTest {

  private static Cost cost(double seconds, double client, double osds, double machine) {
    return new Cost(seconds, OsdCounters.NONE, client, 0, osds, machine);
  }

  @Test
  void timesAreToldWithTheProcessorsThatTheyTook() {
    double cores = Runtime.getRuntime().availableProcessors();
    SideCosts costs = new SideCosts(true);
    costs.add(WorkSide.DISK, cost(9, 9, 9, 9));
    costs.add(WorkSide.RADOS, cost(9, 9, 9, 9));
    assertThat(costs.isEmpty()).isTrue();
    costs.add(WorkSide.RADOS, cost(3, 4, 1, 2.4 * cores));
    costs.add(WorkSide.DISK, cost(2, 4, 0, cores));
    Figures figures = new Figures("part");
    costs.tell(figures, "work", 1.1);

    Map<String, Double> told =
        figures.list().stream().collect(Collectors.toMap(Figure::name, Figure::median));
    assertThat(told)
        .containsEntry("work, to local disk", 1.5)
        .containsEntry("work, processor time of Spark and OSDs, to local disk", 1.25)
        .containsEntry("work, processors in use, local disk", 50.0)
        .containsEntry("work, processors in use, rados://", 80.0)
        .hasSize(8);
  }

  @Test
  void timesAreToldAsPointsOfTheirSides() {
    SideCosts costs = new SideCosts(false);
    costs.add(WorkSide.DISK, cost(2, 4, 0, 1));
    costs.add(WorkSide.RADOS, cost(3, 4, 1, 1));
    Figures figures = new Figures("part");
    costs.tell(figures, "query 14a", 1.3, side -> new Point("queries", side, "query", 14));

    assertThat(figures.list().stream().filter(one -> one.point().isPresent()))
        .extracting(Figure::name, Figure::median, one -> one.point().orElseThrow().series())
        .containsExactly(
            tuple("query 14a, local disk", 2.0, WorkSide.DISK),
            tuple("query 14a, rados://", 3.0, WorkSide.RADOS));
    assertThat(figures.list()).hasSize(8);
  }

  /** Of the machine is at least what this process has used; both are counted in hundredths. */
  @Test
  void theMachineCountsWhatThisProcessUses() throws Exception {
    Costs costs = new Costs(Path.of("no-such-ceph.conf"), List.of());
    BigInteger large = BigInteger.ONE.shiftLeft(1 << 22).subtract(BigInteger.ONE);
    Cost cost = costs.ofProcessors(() -> assertThat(large.multiply(large).testBit(1)).isFalse());

    assertThat(cost.clientCpu()).isPositive();
    assertThat(cost.machineCpu()).isGreaterThanOrEqualTo(cost.clientCpu() - 0.05);
    assertThat(cost.osdCpu()).isZero();
  }
}
