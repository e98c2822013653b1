// SPDX-License-Identifier: Apache-2.0
package io.radosfs.workbench;

import io.trino.tpch.LineItem;
import io.trino.tpch.Order;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Collections;
import java.util.Iterator;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * TPC-H tables that Spark's tasks generate, each task its part. Money and quantities are decimals,
 * so that sums are exact whatever the order of the rows.
 */
public final class TpchData {

  private static final StructType ORDERS =
      new StructType()
          .add("o_orderkey", DataTypes.LongType)
          .add("o_custkey", DataTypes.LongType)
          .add("o_orderstatus", DataTypes.StringType)
          .add("o_totalprice", DataTypes.createDecimalType(15, 2))
          .add("o_orderdate", DataTypes.DateType)
          .add("o_orderpriority", DataTypes.StringType)
          .add("o_clerk", DataTypes.StringType)
          .add("o_shippriority", DataTypes.IntegerType)
          .add("o_comment", DataTypes.StringType);

  private static final StructType LINEITEM =
      new StructType()
          .add("l_orderkey", DataTypes.LongType)
          .add("l_partkey", DataTypes.LongType)
          .add("l_suppkey", DataTypes.LongType)
          .add("l_linenumber", DataTypes.IntegerType)
          .add("l_quantity", DataTypes.createDecimalType(15, 2))
          .add("l_extendedprice", DataTypes.createDecimalType(15, 2))
          .add("l_discount", DataTypes.createDecimalType(15, 2))
          .add("l_tax", DataTypes.createDecimalType(15, 2))
          .add("l_returnflag", DataTypes.StringType)
          .add("l_linestatus", DataTypes.StringType)
          .add("l_shipdate", DataTypes.DateType)
          .add("l_commitdate", DataTypes.DateType)
          .add("l_receiptdate", DataTypes.DateType)
          .add("l_shipinstruct", DataTypes.StringType)
          .add("l_shipmode", DataTypes.StringType)
          .add("l_comment", DataTypes.StringType);

  private final SparkSession spark;
  private final double scale;
  private final int parts;

  /**
   * The tables of one scale.
   *
   * @param parts how many tasks generate one table
   */
  public TpchData(SparkSession spark, double scale, int parts) {
    this.spark = spark;
    this.scale = scale;
    this.parts = parts;
  }

  public Dataset<Row> orders() {
    return generate(ORDERS, TpchData::ordersPart);
  }

  public Dataset<Row> lineitem() {
    return generate(LINEITEM, TpchData::lineitemPart);
  }

  /** The rows of one part of a table; sent to the tasks. */
  private interface Part extends Serializable {
    Iterator<Row> rows(double scale, int part, int parts);
  }

  private Dataset<Row> generate(StructType schema, Part part) {
    double ofScale = scale;
    int ofParts = parts;
    MapPartitionsFunction<Long, Row> task =
        ids -> {
          // One id a partition. Spark's own iterator has no next row unless hasNext was asked
          // first.
          if (!ids.hasNext()) {
            return Collections.emptyIterator();
          }
          // The generator counts parts from 1.
          int number = Math.toIntExact(ids.next()) + 1;
          return part.rows(ofScale, number, ofParts);
        };
    return spark.range(0, parts, 1, parts).mapPartitions(task, Encoders.row(schema));
  }

  private static Iterator<Row> ordersPart(double scale, int part, int parts) {
    return map(TpchTable.ORDERS.createGenerator(scale, part, parts), TpchData::row);
  }

  private static Iterator<Row> lineitemPart(double scale, int part, int parts) {
    return map(TpchTable.LINE_ITEM.createGenerator(scale, part, parts), TpchData::row);
  }

  private static <E extends TpchEntity> Iterator<Row> map(
      Iterable<E> entities, java.util.function.Function<E, Row> toRow) {
    Iterator<E> from = entities.iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return from.hasNext();
      }

      @Override
      public Row next() {
        return toRow.apply(from.next());
      }
    };
  }

  private static Row row(Order order) {
    return RowFactory.create(
        order.getOrderKey(),
        order.getCustomerKey(),
        String.valueOf(order.getOrderStatus()),
        hundredths(order.getTotalPriceInCents()),
        LocalDate.ofEpochDay(order.getOrderDate()),
        order.getOrderPriority(),
        order.getClerk(),
        order.getShipPriority(),
        order.getComment());
  }

  private static Row row(LineItem item) {
    return RowFactory.create(
        item.getOrderKey(),
        item.getPartKey(),
        item.getSupplierKey(),
        item.getLineNumber(),
        BigDecimal.valueOf(item.getQuantity()),
        hundredths(item.getExtendedPriceInCents()),
        hundredths(item.getDiscountPercent()),
        hundredths(item.getTaxPercent()),
        item.getReturnFlag(),
        item.getStatus(),
        LocalDate.ofEpochDay(item.getShipDate()),
        LocalDate.ofEpochDay(item.getCommitDate()),
        LocalDate.ofEpochDay(item.getReceiptDate()),
        item.getShipInstructions(),
        item.getShipMode(),
        item.getComment());
  }

  private static BigDecimal hundredths(long count) {
    return BigDecimal.valueOf(count, 2);
  }
}
