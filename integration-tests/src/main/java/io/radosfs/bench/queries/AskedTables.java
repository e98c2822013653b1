// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.queries;

import io.radosfs.workbench.GeneratedTables;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/** A benchmark's tables in one place, as Parquet, and its queries of them. */
public final class AskedTables {

  /** Digits of a floating-point number that do not depend on the order of its summands. */
  private static final MathContext TRUSTED = new MathContext(9);

  private static final String ANSI = "spark.sql.ansi.enabled";

  private final SparkSession spark;
  private final Path directory;
  private final List<String> tables;
  private final SparksQueries queries;

  /**
   * What a query gives.
   *
   * @param rows as text, sorted: equal rows of an ORDER BY may come in any order
   */
  public record Answer(double seconds, List<String> rows) {}

  /**
   * Tables that are there already, or will be by {@link #write}.
   *
   * @param directory has a directory for each
   * @param tables their names
   */
  public AskedTables(
      SparkSession spark, Path directory, List<String> tables, SparksQueries queries) {
    this.spark = spark;
    this.directory = directory;
    this.tables = tables;
    this.queries = queries;
  }

  /** Some of TPC-DS's queries divide by sums that are 0 at small scales: null then, no error. */
  public static void letDivisionsGiveNull(SparkSession spark) {
    spark.conf().set(ANSI, false);
  }

  /** Undoes {@link #letDivisionsGiveNull}. */
  public static void divideAsUsual(SparkSession spark) {
    spark.conf().unset(ANSI);
  }

  /** Writes one, with the commit protocol that the session is set to. */
  public void write(GeneratedTables from, String table) {
    from.table(table)
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(new Path(directory, table).toString());
  }

  /** Finding the tables' files is part of what is measured. */
  public Answer ask(String query) throws IOException {
    String text = queries.text(query);
    long started = System.nanoTime();
    for (String table : tables) {
      if (Pattern.compile("\\b" + table + "\\b").matcher(text).find()) {
        spark.read().parquet(new Path(directory, table).toString()).createOrReplaceTempView(table);
      }
    }
    List<Row> rows = spark.sql(text).collectAsList();
    double seconds = (System.nanoTime() - started) / 1e9;
    return new Answer(seconds, rows.stream().map(AskedTables::told).sorted().toList());
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

  /** Refuses that one place gives another answer than the other. */
  public static void requireEqual(
      String query, String one, List<String> ofOne, String other, List<String> ofOther)
      throws IOException {
    if (!ofOne.equals(ofOther)) {
      throw new IOException(
          "query "
              + query
              + " has other answers on "
              + one
              + " than on "
              + other
              + ": "
              + ofOne
              + " and "
              + ofOther);
    }
  }
}
