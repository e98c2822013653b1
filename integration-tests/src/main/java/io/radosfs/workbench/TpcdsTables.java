// SPDX-License-Identifier: Apache-2.0
package io.radosfs.workbench;

import io.trino.tpcds.Results;
import io.trino.tpcds.Session;
import io.trino.tpcds.Table;
import io.trino.tpcds.column.Column;
import io.trino.tpcds.column.ColumnType;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** All 24 tables of TPC-DS, by name. Money is decimals, so that sums are exact in any order. */
public final class TpcdsTables implements GeneratedTables {

  /** What the queries of version 1.4 call a column that the generator calls otherwise. */
  private static final Map<String, String> NAMES =
      Map.of("c_last_review_date_sk", "c_last_review_date");

  private final SparkSession spark;
  private final double scale;
  private final int parts;

  /**
   * The tables of one scale.
   *
   * @param parts how many tasks generate one table
   */
  public TpcdsTables(SparkSession spark, double scale, int parts) {
    this.spark = spark;
    this.scale = scale;
    this.parts = parts;
  }

  @Override
  public List<String> names() {
    return Table.getBaseTables().stream()
        // It has the generator's own version and command line.
        .filter(table -> table != Table.DBGEN_VERSION)
        .map(Table::getName)
        .sorted()
        .toList();
  }

  @Override
  public Dataset<Row> table(String name) {
    double ofScale = scale;
    int ofParts = parts;
    // The generator counts parts from 1. It gives all rows of a short table as the first.
    FlatMapFunction<Long, Row> rows =
        part -> rows(name, ofScale, Math.toIntExact(part) + 1, ofParts);
    Dataset<Row> text =
        spark.range(0, parts, 1, parts).flatMap(rows, Encoders.row(strings(columns(name))));
    return text.selectExpr(Stream.of(columns(name)).map(TpcdsTables::typed).toArray(String[]::new));
  }

  private static Column[] columns(String table) {
    return Table.getTable(table).getColumns();
  }

  private static StructType strings(Column[] columns) {
    StructType type = new StructType();
    for (Column column : columns) {
      type = type.add(column.getName(), DataTypes.StringType);
    }
    return type;
  }

  private static String typed(Column column) {
    return "cast(%s as %s) as %s"
        .formatted(
            column.getName(),
            type(column.getType()),
            NAMES.getOrDefault(column.getName(), column.getName()));
  }

  private static String type(ColumnType type) {
    return switch (type.getBase()) {
      case INTEGER -> "int";
      case IDENTIFIER -> "long";
      case DATE -> "date";
      case DECIMAL -> "decimal(%d,%d)".formatted(type.getPrecision().get(), type.getScale().get());
      case VARCHAR, CHAR, TIME -> "string";
    };
  }

  private static Iterator<Row> rows(String name, double scale, int part, int parts) {
    Table table = Table.getTable(name);
    Session session =
        Session.getDefaultSession()
            .withScale(scale)
            .withTable(table)
            .withParallelism(parts)
            .withChunkNumber(part);
    return StreamSupport.stream(Results.constructResults(table, session).spliterator(), false)
        .map(row -> RowFactory.create(row.get(0).toArray()))
        .iterator();
  }
}
