// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.queries.AskedTables;
import io.radosfs.bench.queries.AskedTables.Answer;
import io.radosfs.bench.queries.QuerySuite;
import io.radosfs.bench.queries.SparksQueries;
import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Point;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.bench.works.Turns;
import io.radosfs.workbench.GeneratedTables;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
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
  private final int rounds;
  private final TimeTold progress;
  private final Side onRados;
  private final Side onDisk;

  /** Seconds on one side, for each query, in their order. */
  private record Side(
      Path directory,
      String name,
      String protocol,
      AskedTables tables,
      Map<String, Samples> queries) {

    Samples query(String query) {
      return queries.computeIfAbsent(query, unused -> new Samples());
    }

    /** Of all queries, a sample a round. */
    Samples total() {
      Samples total = new Samples();
      int rounds = queries.values().iterator().next().values().size();
      for (int round = 0; round < rounds; round++) {
        int of = round;
        total.add(queries.values().stream().mapToDouble(query -> query.values().get(of)).sum());
      }
      return total;
    }
  }

  /** The part, which is named as the suite is, and so are its directories. */
  QueriesBench(
      SparkSession spark,
      URI base,
      java.nio.file.Path localDirectory,
      QuerySuite suite,
      double scale,
      java.nio.file.Path sparkTests,
      int rounds,
      TimeTold progress) {
    this.spark = spark;
    this.name = suite.toString();
    this.tables = suite.tables(spark, scale);
    this.queries = suite.queries(sparkTests);
    this.rounds = rounds;
    this.progress = progress;
    this.onRados = side(base, "rados://", SparkSessions.PROTOCOL);
    this.onDisk = side(localDirectory.toUri(), "local disk", SparkSessions.SPARKS_PROTOCOL);
  }

  private Side side(URI above, String sideName, String protocol) {
    Path directory = new Path(new Path(above), name);
    AskedTables asked = new AskedTables(spark, directory, tables.names(), queries);
    return new Side(directory, sideName, protocol, asked, new LinkedHashMap<>());
  }

  @Override
  public void run(BenchResults results) throws IOException {
    AskedTables.letDivisionsGiveNull(spark);
    List<String> asked = queries.names();
    progress.begin(name, tables.names().size() + (rounds + 1L) * asked.size());
    try {
      for (String table : tables.names()) {
        write(table);
      }
      for (int round = 0; round <= rounds; round++) {
        for (int number = 0; number < asked.size(); number++) {
          compare(asked.get(number), number, round);
        }
        if (round > 0) {
          results.measured(figures());
        }
      }
    } finally {
      AskedTables.divideAsUsual(spark);
      for (Side side : List.of(onRados, onDisk)) {
        side.directory
            .getFileSystem(spark.sessionState().newHadoopConf())
            .delete(side.directory, true);
      }
    }
  }

  private void write(String table) {
    for (Side side : List.of(onRados, onDisk)) {
      spark.conf().set(SparkSessions.PROTOCOL_SETTING, side.protocol);
      side.tables.write(tables, table);
    }
    progress.done(1, "wrote %s", table);
  }

  /** The first round is a warm-up, and none of the samples. */
  private void compare(String query, int number, int round) throws IOException {
    // With every other query, too, as the second is the warmer.
    List<Side> turns = Turns.of(List.of(onDisk, onRados), round + number);
    Side first = turns.get(0);
    Side second = turns.get(1);
    Answer ofFirst = ask(first, query);
    Answer ofSecond = ask(second, query);
    AskedTables.requireEqual(query, first.name, ofFirst.rows(), second.name, ofSecond.rows());
    if (round > 0) {
      first.query(query).add(ofFirst.seconds());
      second.query(query).add(ofSecond.seconds());
    }
    progress.done(
        1,
        "%s, query %s: %s %.2f s, %s %.2f s, %d equal rows",
        round == 0 ? "warm-up" : "round " + round,
        query,
        first.name,
        ofFirst.seconds(),
        second.name,
        ofSecond.seconds(),
        ofFirst.rows().size());
  }

  private static Answer ask(Side side, String query) throws IOException {
    System.gc();
    return side.tables.ask(query);
  }

  private List<Figure> figures() {
    Figures figures = new Figures(name);
    Samples rados = onRados.total();
    Samples disk = onDisk.total();
    figures.note("all queries, local disk", disk, "s");
    figures.note("all queries, rados://", rados, "s");
    figures.atMost("all queries, to local disk", rados.over(disk), "", TOTAL_GOAL);
    int number = 0;
    for (String query : onRados.queries.keySet()) {
      number++;
      for (Side side : List.of(onDisk, onRados)) {
        Point point = new Point(name + ": seconds of each query", side.name, "query", number);
        figures.note("query " + query + ", " + side.name, side.query(query), "s", point);
      }
      Samples ratio = onRados.query(query).over(onDisk.query(query));
      figures.atMost("query " + query + ", to local disk", ratio, "", QUERY_GOAL);
    }
    return figures.list();
  }
}
