// SPDX-License-Identifier: Apache-2.0
package io.radosfs.demo;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

/** What is asked of every copy of the tables; the answers must be equal, to the last digit. */
enum Query {
  ALL_ORDERS("every order, as count and checksum", "orders", null),
  ALL_LINEITEMS("every lineitem, as count and checksum", "lineitem", null),
  Q1(
      "TPC-H Q1",
      null,
      """
      SELECT l_returnflag, l_linestatus,
             sum(l_quantity) AS sum_qty,
             sum(l_extendedprice) AS sum_base_price,
             sum(l_extendedprice * (1 - l_discount)) AS sum_disc_price,
             sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) AS sum_charge,
             avg(l_quantity) AS avg_qty,
             avg(l_extendedprice) AS avg_price,
             avg(l_discount) AS avg_disc,
             count(*) AS count_order
      FROM lineitem
      WHERE l_shipdate <= DATE '1998-12-01' - INTERVAL 90 DAY
      GROUP BY l_returnflag, l_linestatus
      ORDER BY l_returnflag, l_linestatus
      """),
  Q12(
      "TPC-H Q12",
      null,
      """
      SELECT l_shipmode,
             sum(CASE WHEN o_orderpriority IN ('1-URGENT', '2-HIGH') THEN 1 ELSE 0 END)
               AS high_line_count,
             sum(CASE WHEN o_orderpriority NOT IN ('1-URGENT', '2-HIGH') THEN 1 ELSE 0 END)
               AS low_line_count
      FROM orders JOIN lineitem ON o_orderkey = l_orderkey
      WHERE l_shipmode IN ('MAIL', 'SHIP')
        AND l_commitdate < l_receiptdate
        AND l_shipdate < l_commitdate
        AND l_receiptdate >= DATE '1994-01-01'
        AND l_receiptdate < DATE '1995-01-01'
      GROUP BY l_shipmode
      ORDER BY l_shipmode
      """);

  private final String title;
  private final String wholeTable;
  private final String sql;

  Query(String title, String wholeTable, String sql) {
    this.title = title;
    this.wholeTable = wholeTable;
    this.sql = sql;
  }

  String title() {
    return title;
  }

  /** The answer on these tables; its columns in a fixed order. */
  Dataset<Row> on(SparkSession spark, Dataset<Row> orders, Dataset<Row> lineitem) {
    orders.createOrReplaceTempView("orders");
    lineitem.createOrReplaceTempView("lineitem");
    return wholeTable == null ? spark.sql(sql) : checksum(spark.table(wholeTable));
  }

  /** Rows, and the sum of a hash of each: equal for equal tables, whatever the order of rows. */
  private static Dataset<Row> checksum(Dataset<Row> table) {
    // A partition column comes back last, so the columns are put in the order of their names.
    Column[] columns =
        Arrays.stream(table.columns()).sorted().map(functions::col).toArray(Column[]::new);
    return table
        .select(functions.xxhash64(columns).cast(DataTypes.createDecimalType(38, 0)).as("hash"))
        .agg(functions.count("*").as("rows"), functions.sum("hash").as("checksum"));
  }

  /** An answer as lines of text. */
  static List<String> lines(Dataset<Row> answer) {
    return answer.collectAsList().stream().map(Query::line).collect(Collectors.toList());
  }

  private static String line(Row row) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      line.append(i == 0 ? "" : " | ").append(row.get(i));
    }
    return line.toString();
  }
}
