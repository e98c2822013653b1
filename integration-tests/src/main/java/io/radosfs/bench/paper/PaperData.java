// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.paper;

import io.radosfs.bench.paper.PaperCase.Format;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import scala.Tuple2;

/** Lines of 127 characters in a cached DataFrame of one partition. */
public final class PaperData implements AutoCloseable {

  /** In base64 these are 124 characters, and the line ends. */
  private static final int RANDOM_BYTES = 93;

  private static final int LINE_BYTES = 128;
  private static final int LINES_A_BATCH = 10;

  private final SparkSession spark;
  private final Dataset<String> lines;

  /**
   * Caches them.
   *
   * @param mib of text
   */
  public PaperData(SparkSession spark, int mib) {
    this.spark = spark;
    long count = ((long) mib << 20) / LINE_BYTES;
    MapFunction<Long, String> toLine = PaperData::line;
    lines = spark.range(0, count, 1, 1).map(toLine, Encoders.STRING()).cache();
    long cached = lines.count();
    if (cached != count) {
      throw new IllegalStateException("cached " + cached + " lines of " + count);
    }
  }

  public static String line(Long number) {
    byte[] bytes = new byte[RANDOM_BYTES];
    new SplittableRandom(number).nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes) + "END";
  }

  /** Writes them by one task, with the committer that the session names. */
  public void write(Format format, Path directory) {
    String path = directory.toString();
    switch (format) {
      case RDD_TEXT ->
          pairs()
              .saveAsNewAPIHadoopFile(
                  path,
                  NullWritable.class,
                  Text.class,
                  TextOutputFormat.class,
                  spark.sparkContext().hadoopConfiguration());
      case RDD_OBJECTS ->
          objects()
              .saveAsNewAPIHadoopFile(
                  path,
                  NullWritable.class,
                  BytesWritable.class,
                  SequenceFileOutputFormat.class,
                  spark.sparkContext().hadoopConfiguration());
      case TEXT -> lines.write().text(path);
      case JSON -> lines.write().json(path);
      case ORC -> lines.write().orc(path);
      case PARQUET -> lines.write().parquet(path);
    }
  }

  private JavaPairRDD<NullWritable, Text> pairs() {
    return lines.toJavaRDD().mapToPair(line -> new Tuple2<>(NullWritable.get(), new Text(line)));
  }

  /** Ten objects a record by Java's serializer, as saveAsObjectFile makes them. */
  private JavaPairRDD<NullWritable, BytesWritable> objects() {
    JavaRDD<byte[]> batches = lines.toJavaRDD().mapPartitions(PaperData::batches);
    return batches.mapToPair(bytes -> new Tuple2<>(NullWritable.get(), new BytesWritable(bytes)));
  }

  private static Iterator<byte[]> batches(Iterator<String> lines) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return lines.hasNext();
      }

      @Override
      public byte[] next() {
        List<String> batch = new ArrayList<>();
        while (batch.size() < LINES_A_BATCH && lines.hasNext()) {
          batch.add(lines.next());
        }
        return serialized(batch.toArray(String[]::new));
      }
    };
  }

  private static byte[] serialized(Object object) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
      stream.writeObject(object);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  @Override
  public void close() {
    lines.unpersist(true);
  }
}
