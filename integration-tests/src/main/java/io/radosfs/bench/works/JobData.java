// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.works;

import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/** What Spark jobs write, and read back. */
public final class JobData {

  /** The column that a table is partitioned by. */
  public static final String PARTITION = "part";

  /** An overwrite of all that is there. */
  public static final String STATIC = "static";

  /** An overwrite of the partitions that are written. */
  public static final String DYNAMIC = "dynamic";

  private static final int ROW_BYTES = 4096;
  private static final int ROWS_A_FILE = 100;
  private static final long MIB = 1 << 20;

  private final SparkSession spark;

  public JobData(SparkSession spark) {
    this.spark = spark;
  }

  /** Random bytes, which no format makes smaller: so many MiB in so many files. */
  public Dataset<Row> incompressible(int mib, int files) {
    MapPartitionsFunction<Long, byte[]> rows = JobData::randomRows;
    return spark
        .range(0, mib * MIB / ROW_BYTES, 1, files)
        .mapPartitions(rows, Encoders.BINARY())
        .toDF("value");
  }

  private static Iterator<byte[]> randomRows(Iterator<Long> ids) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return ids.hasNext();
      }

      @Override
      public byte[] next() {
        byte[] row = new byte[ROW_BYTES];
        new SplittableRandom(ids.next()).nextBytes(row);
        return row;
      }
    };
  }

  /** So many files, each of which has a few rows. */
  public Dataset<Row> small(int files) {
    return spark.range(0, (long) ROWS_A_FILE * files, 1, files).toDF();
  }

  /** Each task has rows of each partition. */
  public Dataset<Row> partitioned(int partitions, int tasks) {
    return spark
        .range(0, (long) ROWS_A_FILE * partitions, 1, tasks)
        .selectExpr("id", "id % " + partitions + " AS " + PARTITION);
  }

  /**
   * Writes or overwrites.
   *
   * @param mode {@link #STATIC} or {@link #DYNAMIC}
   */
  public static void write(Dataset<?> rows, Path directory, String mode) {
    DataFrameWriter<?> writer = rows.write().mode(SaveMode.Overwrite);
    if (Arrays.asList(rows.columns()).contains(PARTITION)) {
      writer = writer.option("partitionOverwriteMode", mode).partitionBy(PARTITION);
    }
    writer.parquet(directory.toString());
  }

  /** Reads each byte of what {@link #incompressible} made. */
  public void read(Path directory, int mib) throws IOException {
    List<Row> sum =
        spark
            .read()
            .parquet(directory.toString())
            .selectExpr("sum(length(value))", "bit_xor(crc32(value))")
            .collectAsList();
    if (sum.get(0).getLong(0) != mib * MIB) {
      throw new IOException(directory + " has " + sum.get(0).getLong(0) + " bytes");
    }
  }

  /** Counts the rows of what {@link #partitioned} made. */
  public void count(Dataset<Row> table, int partitions) throws IOException {
    long rows = table.count();
    if (rows != (long) ROWS_A_FILE * partitions) {
      throw new IOException("a table of " + partitions + " partitions has " + rows + " rows");
    }
  }

  /** What the work before left to be done in memory and on disk is not the next one's burden. */
  public static void quiesce() throws IOException, InterruptedException {
    System.gc();
    if (new ProcessBuilder("sync").inheritIO().start().waitFor() != 0) {
      throw new IOException("sync failed");
    }
  }
}
