// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.tables;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.spark.Spark3Util;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.parser.ParseException;

/** Ways to keep a table of one column, {@code id BIGINT}, in a directory. */
public enum TableFormat {
  /** Its log is files of which each process tries to make the next, by a FileContext's rename. */
  DELTA {
    @Override
    public void create(SparkSession spark, String uri) {
      spark.sql("CREATE TABLE delta.`" + uri + "` (id BIGINT) USING delta");
    }

    @Override
    public void append(Dataset<Row> rows, String uri) {
      rows.write().format("delta").mode("append").save(uri);
    }

    @Override
    public Dataset<Row> read(SparkSession spark, String uri) {
      return spark.read().format("delta").load(uri);
    }

    /** A commit is tried first with the version after the one that was read. */
    @Override
    public History history(SparkSession spark, String uri) {
      Row row =
          spark
              .read()
              .json(uri + "/_delta_log/*.json")
              .where("commitInfo.operation = 'WRITE'")
              .selectExpr(
                  "bigint(substring_index(_metadata.file_name, '.', 1)) AS version",
                  "commitInfo.readVersion AS base")
              .selectExpr("count(*)", "count_if(version > base + 1)")
              .first();
      return new History(row.getLong(0), row.getLong(1));
    }

    @Override
    String logFile(long commit) {
      return "_delta_log/%020d.json".formatted(commit);
    }
  },

  /** Tables by their names, below a warehouse, in the catalog {@code lake}. */
  ICEBERG_CATALOG {
    @Override
    public void create(SparkSession spark, String uri) {
      spark.sql("CREATE TABLE " + name(uri) + " (id BIGINT) USING iceberg");
    }

    @Override
    public void append(Dataset<Row> rows, String uri) throws NoSuchTableException {
      rows.writeTo(name(uri)).append();
    }

    @Override
    public Dataset<Row> read(SparkSession spark, String uri) {
      return spark.read().table(name(uri));
    }

    @Override
    public History history(SparkSession spark, String uri)
        throws NoSuchTableException, ParseException {
      return icebergHistory(Spark3Util.loadIcebergTable(spark, name(uri)));
    }

    @Override
    String logFile(long commit) {
      return icebergMetadata(commit);
    }

    /** {@code lake.db.t} of {@code rados://pool/lake/db/t}. */
    private String name(String uri) {
      return uri.substring(uri.indexOf("/lake/") + 1).replace('/', '.');
    }
  },

  /** Tables by their directories. */
  ICEBERG_TABLES {
    @Override
    public void create(SparkSession spark, String uri) {
      new HadoopTables(spark.sessionState().newHadoopConf())
          .create(
              new Schema(Types.NestedField.optional(1, "id", Types.LongType.get())),
              PartitionSpec.unpartitioned(),
              Map.of("commit.retry.num-retries", "20"),
              uri);
    }

    @Override
    public void append(Dataset<Row> rows, String uri) {
      rows.write().format("iceberg").mode("append").save(uri);
    }

    @Override
    public Dataset<Row> read(SparkSession spark, String uri) {
      return spark.read().format("iceberg").load(uri);
    }

    @Override
    public History history(SparkSession spark, String uri) {
      return icebergHistory(new HadoopTables(spark.sessionState().newHadoopConf()).load(uri));
    }

    @Override
    String logFile(long commit) {
      return icebergMetadata(commit);
    }
  };

  /** The attempt is in the name of the manifest list that was committed: snap-ID-ATTEMPT-UUID. */
  private static final Pattern MANIFEST_LIST = Pattern.compile("/snap-\\d+-(\\d+)-[^/]*$");

  /**
   * What the table tells of its commits.
   *
   * @param commits those that its present state descends from, or that are in its log, without its
   *     creation
   * @param conflicts those of them that another one had come before, and that were tried again
   */
  public record History(long commits, long conflicts) {}

  public abstract void create(SparkSession spark, String uri) throws Exception;

  /** One commit. */
  public abstract void append(Dataset<Row> rows, String uri) throws Exception;

  public abstract Dataset<Row> read(SparkSession spark, String uri);

  public abstract History history(SparkSession spark, String uri) throws Exception;

  /** The file in the table's directory that is the commit of that number; the creation has 0. */
  abstract String logFile(long commit);

  private static String icebergMetadata(long commit) {
    return "metadata/v%d.metadata.json".formatted(commit + 1);
  }

  private static History icebergHistory(Table table) {
    long commits = 0;
    long conflicts = 0;
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
      commits++;
      Matcher list = MANIFEST_LIST.matcher(snapshot.manifestListLocation());
      if (!list.find()) {
        throw new IllegalStateException("not a manifest list: " + snapshot.manifestListLocation());
      }
      conflicts += Integer.parseInt(list.group(1)) > 1 ? 1 : 0;
    }
    return new History(commits, conflicts);
  }
}
