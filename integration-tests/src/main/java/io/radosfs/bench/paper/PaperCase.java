// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.paper;

import io.radosfs.bench.report.Point;
import io.radosfs.workbench.SparkSessions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One job of the part {@code paper}.
 *
 * @param copies of each object in the pool
 * @param mib of text, as it is in memory
 */
public record PaperCase(int copies, Committer committer, Format format, int mib, Buffer buffer) {

  /** What a plot's axis counts. */
  public static final String MIB_OF_TEXT = "MiB of text";

  private static final String FACTORY = "mapreduce.outputcommitter.factory.scheme.rados";
  private static final String ALGORITHM = "mapreduce.fileoutputcommitter.algorithm.version";
  private static final String OF_PARQUET = "spark.sql.parquet.output.committer.class";
  private static final String HADOOPS = "org.apache.hadoop.mapreduce.lib.output.";

  /** Of spark-hadoop-cloud. */
  private static final String CLOUD = "org.apache.spark.internal.io.cloud.";

  private static final String PARQUETS = "org.apache.parquet.hadoop.ParquetOutputCommitter";

  /** Who makes a job's files visible. */
  public enum Committer {
    V1("FileOutputCommitter v1"),
    V2("FileOutputCommitter v2"),
    MANIFEST("manifest committer"),
    RADOSFS("radosfs");

    private final String title;

    Committer(String title) {
      this.title = title;
    }

    public String title() {
      return title;
    }

    /** For DataFrames and for RDDs of the new Hadoop API; each sets the same keys. */
    public Map<String, String> settings() {
      Map<String, String> settings = new TreeMap<>();
      settings.put(ALGORITHM, this == V2 ? "2" : "1");
      settings.put(
          OF_PARQUET, this == MANIFEST ? CLOUD + "BindingParquetOutputCommitter" : PARQUETS);
      settings.put(
          SparkSessions.PROTOCOL_SETTING,
          switch (this) {
            case V1, V2 -> SparkSessions.SPARKS_PROTOCOL;
            case MANIFEST -> CLOUD + "PathOutputCommitProtocol";
            case RADOSFS -> SparkSessions.PROTOCOL;
          });
      settings.put(
          FACTORY,
          switch (this) {
            case V1, V2 -> HADOOPS + "FileOutputCommitterFactory";
            case MANIFEST -> HADOOPS + "committer.manifest.ManifestCommitterFactory";
            case RADOSFS -> "io.radosfs.committer.RadosCommitterFactory";
          });
      return settings;
    }
  }

  /** What is written, from the same rows. */
  public enum Format {
    RDD_TEXT("RDD text"),
    RDD_OBJECTS("RDD object file"),
    TEXT("DataFrame text"),
    JSON("JSON"),
    ORC("ORC"),
    PARQUET("Parquet");

    private final String title;

    Format(String title) {
      this.title = title;
    }

    public String title() {
      return title;
    }
  }

  /** {@code spark.buffer.size}, to which Spark sets Hadoop's {@code io.file.buffer.size}. */
  public enum Buffer {
    DEFAULT("default buffer", 0),
    SMALL("buffer of 4 KiB", 4 << 10),
    LARGE("buffer of 4 MiB", 4 << 20);

    private final String title;
    private final int bytes;

    Buffer(String title, int bytes) {
      this.title = title;
      this.bytes = bytes;
    }

    public String title() {
      return title;
    }

    /** 0 where it is not set. */
    public int bytes() {
      return bytes;
    }
  }

  /** Those that differ in the committer alone. */
  public static List<PaperCase> of(int copies, Buffer buffer, Format format, int mib) {
    return Stream.of(Committer.values())
        .map(committer -> new PaperCase(copies, committer, format, mib, buffer))
        .toList();
  }

  public String name() {
    return String.format(
        Locale.ROOT, "%s, %,d MiB, %s, %s", format.title, mib, committer.title, setting());
  }

  /** Of all committers together. */
  public String nameOfAll() {
    return String.format(Locale.ROOT, "%s, %,d MiB, %s", format.title, mib, setting());
  }

  /** Its place in the plot of how much text is written in a second: a line for each committer. */
  public Point speed() {
    return new Point(speedPlot(copies, buffer, format), committer.title, MIB_OF_TEXT, mib);
  }

  /** Its place in the plot of how near that is to rados bench. */
  public Point share() {
    String plot = "paper: share of rados bench of one task that writes " + format.title;
    return new Point(plot + ", " + setting(), committer.title, MIB_OF_TEXT, mib);
  }

  /** What a plot shows is its title: a plot for each format, pool and buffer. */
  public static String speedPlot(int copies, Buffer buffer, Format format) {
    String plot = "paper: MiB of text a second of one task that writes " + format.title;
    return plot + ", " + setting(copies, buffer);
  }

  private String setting() {
    return setting(copies, buffer);
  }

  private static String setting(int copies, Buffer buffer) {
    return buffer.title + ", pool size " + copies;
  }
}
