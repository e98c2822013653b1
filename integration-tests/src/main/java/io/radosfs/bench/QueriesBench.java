// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Point;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.workbench.GeneratedTables;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * The queries of TPC-H or TPC-DS on Parquet, the same tables on rados:// and on the local disk, in
 * turns. Both must give the same answers.
 */
final class QueriesBench implements BenchPart {

  private static final double TOTAL_GOAL = 1.08;
  private static final double QUERY_GOAL = 1.3;

  /** Digits of a floating-point number that do not depend on the order of its summands. */
  private static final MathContext TRUSTED = new MathContext(9);

  private final SparkSession spark;
  private final String name;
  private final GeneratedTables tables;
  private final SparksQueries queries;
  private final int rounds;
  private final TimeTold progress;
  private final Figures figures;
  private final Side onRados;
  private final Side onDisk;

  /** Seconds on one side, for each query, in their order. */
  private record Side(Path directory, String name, String protocol, Map<String, Samples> queries) {
    Side(Path directory, String name, String protocol) {
      this(directory, name, protocol, new LinkedHashMap<>());
    }

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

  private record Answer(double seconds, List<String> rows) {}

  /**
   * The part.
   *
   * @param name its own, and that of its directories
   */
  QueriesBench(
      SparkSession spark,
      URI base,
      java.nio.file.Path localDirectory,
      String name,
      GeneratedTables tables,
      SparksQueries queries,
      int rounds,
      TimeTold progress) {
    this.spark = spark;
    this.name = name;
    this.tables = tables;
    this.queries = queries;
    this.rounds = rounds;
    this.progress = progress;
    this.figures = new Figures(name);
    this.onRados = new Side(new Path(new Path(base), name), "rados://", SparkSessions.PROTOCOL);
    this.onDisk =
        new Side(
            new Path(new Path(localDirectory.toUri()), name),
            "local disk",
            SparkSessions.SPARKS_PROTOCOL);
  }

  @Override
  public List<Figure> run() throws IOException {
    // Some of TPC-DS's queries divide by sums that are 0 at small scales: null then, not an error.
    spark.conf().set("spark.sql.ansi.enabled", false);
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
      }
    } finally {
      spark.conf().unset("spark.sql.ansi.enabled");
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
      tables
          .table(table)
          .write()
          .mode(SaveMode.Overwrite)
          .parquet(new Path(side.directory, table).toString());
    }
    progress.done(1, "wrote %s", table);
  }

  /** The first round is a warm-up, and none of the samples. */
  private void compare(String query, int number, int round) throws IOException {
    // Each goes first in every other round, and with every other query: the second is the warmer.
    boolean diskFirst = (round + number) % 2 == 0;
    Side first = diskFirst ? onDisk : onRados;
    Side second = diskFirst ? onRados : onDisk;
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
        "%s, query %s: %s %.2f s, %s %.2f s, %d equal rows",
        round == 0 ? "warm-up" : "round " + round,
        query,
        first.name,
        ofFirst.seconds,
        second.name,
        ofSecond.seconds,
        ofFirst.rows.size());
  }

  /** Finding the tables' files is part of what is measured. */
  private Answer ask(Side side, String query) throws IOException {
    String text = queries.text(query);
    System.gc();
    long started = System.nanoTime();
    for (String table : tables.names()) {
      if (Pattern.compile("\\b" + table + "\\b").matcher(text).find()) {
        spark
            .read()
            .parquet(new Path(side.directory, table).toString())
            .createOrReplaceTempView(table);
      }
    }
    List<Row> rows = spark.sql(text).collectAsList();
    double seconds = (System.nanoTime() - started) / 1e9;
    // Equal rows of an ORDER BY may come in any order.
    return new Answer(seconds, rows.stream().map(QueriesBench::told).sorted().toList());
  }

  private static String told(Row row) {
    return IntStream.range(0, row.size())
        .mapToObj(row::get)
        .map(cell -> cell instanceof Double number ? rounded(number) : String.valueOf(cell))
        .collect(Collectors.joining(","));
  }

  private static String rounded(double number) {
    return Double.isFinite(number)
        ? new BigDecimal(number).round(TRUSTED).toString()
        : Double.toString(number);
  }

  private void report() {
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
  }
}
