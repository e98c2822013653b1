// SPDX-License-Identifier: Apache-2.0
package io.radosfs.workbench;

import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * All eight tables of TPC-H, by name, as the benchmark's own generator prints them. Money and
 * quantities are decimals, so that sums are exact whatever the order of the rows.
 */
public final class TpchTables implements GeneratedTables {

  private static final Map<String, String> SCHEMAS =
      Map.of(
          "customer",
          "c_custkey long, c_name string, c_address string, c_nationkey long, c_phone string,"
              + " c_acctbal decimal(15,2), c_mktsegment string, c_comment string",
          "lineitem",
          "l_orderkey long, l_partkey long, l_suppkey long, l_linenumber int,"
              + " l_quantity decimal(15,2), l_extendedprice decimal(15,2),"
              + " l_discount decimal(15,2), l_tax decimal(15,2), l_returnflag string,"
              + " l_linestatus string, l_shipdate date, l_commitdate date, l_receiptdate date,"
              + " l_shipinstruct string, l_shipmode string, l_comment string",
          "nation",
          "n_nationkey long, n_name string, n_regionkey long, n_comment string",
          "orders",
          "o_orderkey long, o_custkey long, o_orderstatus string, o_totalprice decimal(15,2),"
              + " o_orderdate date, o_orderpriority string, o_clerk string, o_shippriority int,"
              + " o_comment string",
          "part",
          "p_partkey long, p_name string, p_mfgr string, p_brand string, p_type string,"
              + " p_size int, p_container string, p_retailprice decimal(15,2), p_comment string",
          "partsupp",
          "ps_partkey long, ps_suppkey long, ps_availqty int, ps_supplycost decimal(15,2),"
              + " ps_comment string",
          "region",
          "r_regionkey long, r_name string, r_comment string",
          "supplier",
          "s_suppkey long, s_name string, s_address string, s_nationkey long, s_phone string,"
              + " s_acctbal decimal(15,2), s_comment string");

  /** The generator gives all of their rows as each part. */
  private static final Set<String> OF_ONE_PART = Set.of("nation", "region");

  private final SparkSession spark;
  private final double scale;
  private final int parts;

  /**
   * The tables of one scale.
   *
   * @param parts how many tasks generate one table
   */
  public TpchTables(SparkSession spark, double scale, int parts) {
    this.spark = spark;
    this.scale = scale;
    this.parts = parts;
  }

  @Override
  public List<String> names() {
    return SCHEMAS.keySet().stream().sorted().toList();
  }

  @Override
  public Dataset<Row> table(String name) {
    int ofParts = OF_ONE_PART.contains(name) ? 1 : parts;
    double ofScale = scale;
    // The generator counts parts from 1.
    FlatMapFunction<Long, String> lines =
        part -> lines(name, ofScale, Math.toIntExact(part) + 1, ofParts);
    Dataset<String> text = spark.range(0, ofParts, 1, ofParts).flatMap(lines, Encoders.STRING());
    return spark
        .read()
        .schema(SCHEMAS.get(name))
        .option("sep", "|")
        .option("mode", "FAILFAST")
        .csv(text);
  }

  private static Iterator<String> lines(String name, double scale, int part, int parts) {
    Iterable<? extends TpchEntity> rows =
        TpchTable.getTable(name).createGenerator(scale, part, parts);
    return StreamSupport.stream(rows.spliterator(), false)
        .map(row -> withoutLastSeparator(row.toLine()))
        .iterator();
  }

  private static String withoutLastSeparator(String line) {
    return line.endsWith("|") ? line.substring(0, line.length() - 1) : line;
  }
}
