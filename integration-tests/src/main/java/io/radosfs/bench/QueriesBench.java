// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.queries.AskedTables;
import io.radosfs.bench.queries.ChosenQueries;
import io.radosfs.bench.queries.QuerySuite;
import io.radosfs.bench.queries.SparksQueries;
import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Point;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.bench.works.Turns;
import io.radosfs.bench.works.WorkSide;
import io.radosfs.workbench.GeneratedTables;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;

/**
 * The queries of TPC-H or TPC-DS on Parquet, the same tables on rados:// and on the local disk, in
 * turns. Both must give the same answers.
 */
final class QueriesBench implements BenchPart {

  private static final double TOTAL_GOAL = 1.08;
  private static final double QUERY_GOAL = 1.3;

  private final SparkSession spark;
  private final String name;
  private final GeneratedTables tables;
  private final SparksQueries queries;
  private final ChosenQueries chosen;
  private final Costs costs;
  private final int rounds;
  private final TimeTold progress;
  private final WorkSide rados;
  private final WorkSide disk;
  private final Map<String, SideCosts> times = new LinkedHashMap<>();
  private final SideTimes total = new SideTimes(false);

  /** The part, which is named as the suite is, and so are its directories. */
  QueriesBench(
      SparkSession spark,
      URI base,
      java.nio.file.Path localDirectory,
      QuerySuite suite,
      double scale,
      java.nio.file.Path sparkTests,
      ChosenQueries chosen,
      Costs costs,
      int rounds,
      TimeTold progress) {
    this.spark = spark;
    this.name = suite.toString();
    this.tables = suite.tables(spark, scale);
    this.queries = suite.queries(sparkTests);
    this.chosen = chosen;
    this.costs = costs;
    this.rounds = rounds;
    this.progress = progress;
    this.rados = WorkSide.rados(base, name);
    this.disk = WorkSide.disk(localDirectory, name);
  }

  @Override
  public void run(BenchResults results) throws Exception {
    AskedTables.letDivisionsGiveNull(spark);
    List<String> all = queries.names();
    List<String> asked = chosen.of(all);
    progress.begin(name, tables.names().size() + (rounds + 1L) * asked.size());
    try {
      for (String table : tables.names()) {
        write(table);
      }
      for (int round = 0; round <= rounds; round++) {
        Map<WorkSide, Double> seconds = new HashMap<>();
        for (String query : asked) {
          compare(query, all.indexOf(query), round, seconds);
        }
        if (round > 0) {
          seconds.forEach((side, sum) -> total.add(side.title(), sum));
          results.measured(figures(all));
        }
      }
    } finally {
      AskedTables.divideAsUsual(spark);
      WorkSide.delete(spark, rados.root());
      WorkSide.delete(spark, disk.root());
    }
  }

  private AskedTables tablesOf(WorkSide side) {
    return new AskedTables(spark, side.root(), tables.names(), queries);
  }

  private void write(String table) {
    for (WorkSide side : List.of(rados, disk)) {
      side.choose(spark);
      tablesOf(side).write(tables, table);
    }
    progress.done(1, "wrote %s", table);
  }

  /** The first round is a warm-up, and none of the samples. */
  private void compare(String query, int number, int round, Map<WorkSide, Double> seconds)
      throws Exception {
    // With every other query, too, as the second is the warmer.
    List<WorkSide> turns = Turns.of(List.of(disk, rados), round + number);
    Map<WorkSide, Asked> asked = new LinkedHashMap<>();
    for (WorkSide side : turns) {
      Asked one = ask(side, query);
      asked.put(side, one);
      times.computeIfAbsent(query, unused -> new SideCosts(true)).add(side.title(), one.cost);
      seconds.merge(side, one.cost.seconds(), Double::sum);
    }
    List<String> rows = asked.get(rados).rows;
    AskedTables.requireEqual(query, rados.title(), rows, disk.title(), asked.get(disk).rows);
    progress.done(
        1,
        "%s, query %s: %s, %d equal rows",
        round == 0 ? "warm-up" : "round " + round,
        query,
        asked.entrySet().stream()
            .map(one -> "%s %.2f s".formatted(one.getKey().title(), one.getValue().cost.seconds()))
            .collect(Collectors.joining(", ")),
        rows.size());
  }

  /** What a query took, and gave. */
  private record Asked(Cost cost, List<String> rows) {}

  private Asked ask(WorkSide side, String query) throws Exception {
    System.gc();
    AskedTables asked = tablesOf(side);
    List<String> rows = new ArrayList<>();
    Cost cost = costs.ofProcessors(() -> rows.addAll(asked.ask(query).rows()));
    return new Asked(cost, rows);
  }

  private List<Figure> figures(List<String> all) {
    Figures figures = new Figures(name);
    if (chosen.areAll()) {
      total.tell(figures, "all queries", TOTAL_GOAL);
    }
    times.forEach(
        (query, costsOfIt) -> {
          int number = all.indexOf(query) + 1;
          Function<String, Point> points =
              side -> new Point(name + ": seconds of each query", side, "query", number);
          costsOfIt.tell(figures, "query " + query, QUERY_GOAL, points);
        });
    return figures.list();
  }
}
