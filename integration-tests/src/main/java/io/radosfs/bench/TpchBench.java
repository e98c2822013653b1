// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Point;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.workbench.SparkSessions;
import io.radosfs.workbench.TpchTables;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * TPC-H's 22 queries on Parquet, the same tables on rados:// and on the local disk, in turns. Both
 * must give the same answers.
 */
final class TpchBench implements Part {

  private static final int PARTS = 4;
  private static final double TOTAL_GOAL = 1.08;
  private static final double QUERY_GOAL = 1.3;

  private final SparkSession spark;
  private final TpchQueries queries;
  private final double scale;
  private final int rounds;
  private final TimeTold progress;
  private final Figures figures = new Figures("tpch");
  private final Side onRados;
  private final Side onDisk;

  /** Seconds on one side, for each query from the first. */
  private record Side(Path directory, String name, String protocol, List<Samples> queries) {
    Side(Path directory, String name, String protocol) {
      this(directory, name, protocol, new ArrayList<>());
      for (int query = 1; query <= TpchQueries.COUNT; query++) {
        queries.add(new Samples());
      }
    }

    Samples query(int number) {
      return queries.get(number - 1);
    }

    /** Of all queries, a sample a round. */
    Samples total() {
      Samples total = new Samples();
      for (int round = 0; round < queries.get(0).values().size(); round++) {
        int of = round;
        total.add(queries.stream().mapToDouble(query -> query.values().get(of)).sum());
      }
      return total;
    }
  }

  private record Answer(double seconds, List<String> rows) {}

  TpchBench(
      SparkSession spark,
      URI base,
      java.nio.file.Path localDirectory,
      TpchQueries queries,
      double scale,
      int rounds,
      TimeTold progress) {
    this.spark = spark;
    this.queries = queries;
    this.scale = scale;
    this.rounds = rounds;
    this.progress = progress;
    this.onRados = new Side(new Path(new Path(base), "tpch"), "rados://", SparkSessions.PROTOCOL);
    this.onDisk =
        new Side(
            new Path(new Path(localDirectory.toUri()), "tpch"),
            "local disk",
            SparkSessions.SPARKS_PROTOCOL);
  }

  @Override
  public List<Figure> run() throws IOException {
    int tables = TpchTables.names().size();
    progress.begin("tpch", tables + (rounds + 1L) * TpchQueries.COUNT);
    try {
      for (String table : TpchTables.names()) {
        write(table);
      }
      for (int round = 0; round <= rounds; round++) {
        for (int query = 1; query <= TpchQueries.COUNT; query++) {
          compare(query, round);
        }
      }
    } finally {
      for (Side side : List.of(onRados, onDisk)) {
        side.directory
            .getFileSystem(spark.sessionState().newHadoopConf())
            .delete(side.directory, true);
      }
    }
    report();
    return figures.list();
  }

  private void write(String table) {
    for (Side side : List.of(onRados, onDisk)) {
      spark.conf().set(SparkSessions.PROTOCOL_SETTING, side.protocol);
      new TpchTables(spark, scale, PARTS)
          .table(table)
          .write()
          .mode(SaveMode.Overwrite)
          .parquet(new Path(side.directory, table).toString());
    }
    progress.done(1, "wrote %s, scale %s", table, scale);
  }

  /** The first round is a warm-up, and none of the samples. */
  private void compare(int query, int round) throws IOException {
    // Each goes first in every other round.
    Side first = round % 2 == 0 ? onDisk : onRados;
    Side second = round % 2 == 0 ? onRados : onDisk;
    Answer ofFirst = ask(first, query);
    Answer ofSecond = ask(second, query);
    if (!ofFirst.rows.equals(ofSecond.rows)) {
      throw new IOException(
          "query "
              + query
              + " has other answers on "
              + first.name
              + " than on "
              + second.name
              + ": "
              + ofFirst.rows
              + " and "
              + ofSecond.rows);
    }
    if (round > 0) {
      first.query(query).add(ofFirst.seconds);
      second.query(query).add(ofSecond.seconds);
    }
    progress.done(
        1,
        "%s, query %d: %s %.2f s, %s %.2f s, %d equal rows",
        round == 0 ? "warm-up" : "round " + round,
        query,
        first.name,
        ofFirst.seconds,
        second.name,
        ofSecond.seconds,
        ofFirst.rows.size());
  }

  /** Finding the tables' files is part of what is measured. */
  private Answer ask(Side side, int query) throws IOException {
    String text = queries.text(query);
    System.gc();
    long started = System.nanoTime();
    for (String table : TpchTables.names()) {
      if (text.contains(table)) {
        spark
            .read()
            .parquet(new Path(side.directory, table).toString())
            .createOrReplaceTempView(table);
      }
    }
    List<Row> rows = spark.sql(text).collectAsList();
    double seconds = (System.nanoTime() - started) / 1e9;
    // Equal rows of an ORDER BY may come in any order.
    return new Answer(seconds, rows.stream().map(Row::toString).sorted().toList());
  }

  private void report() {
    Samples rados = onRados.total();
    Samples disk = onDisk.total();
    figures.note("all queries, local disk", disk, "s");
    figures.note("all queries, rados://", rados, "s");
    figures.atMost("all queries, to local disk", rados.over(disk), "", TOTAL_GOAL);
    for (int query = 1; query <= TpchQueries.COUNT; query++) {
      for (Side side : List.of(onDisk, onRados)) {
        Point point = new Point("tpch: seconds of each query", side.name, "query", query);
        figures.note("query " + query + ", " + side.name, side.query(query), "s", point);
      }
      Samples ratio = onRados.query(query).over(onDisk.query(query));
      figures.atMost("query " + query + ", to local disk", ratio, "", QUERY_GOAL);
    }
  }
}
