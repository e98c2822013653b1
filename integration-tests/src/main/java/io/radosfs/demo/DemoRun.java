// SPDX-License-Identifier: Apache-2.0
package io.radosfs.demo;

import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.Counters;
import io.radosfs.workbench.OsdCounters;
import io.radosfs.workbench.PoolName;
import io.radosfs.workbench.TpchData;
import io.radosfs.workbench.WriteMetrics;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/** One run of the demo, from generating to the report. */
final class DemoRun {

  private static final int WRITE_ORDERS = 3;
  private static final int WRITE_LINEITEM = 8;
  private static final int ASK = 1;
  private static final int TOTAL =
      2 * (WRITE_ORDERS + WRITE_LINEITEM) + 3 * ASK * Query.values().length;

  private final SparkSession spark;
  private final Path base;
  private final double scale;
  private final Optional<CephCli> ceph;
  private final boolean shared;
  private final PrintStream out;
  private final ProgressBar progress;
  private final FileSystem fileSystem;
  private final WriteMetrics metrics = new WriteMetrics();
  private final TpchData generator;

  /**
   * The run.
   *
   * @param shared whether others may write to the cluster meanwhile, whom its OSDs count too
   */
  DemoRun(
      SparkSession spark,
      URI base,
      double scale,
      java.nio.file.Path cephConf,
      boolean shared,
      PrintStream out,
      boolean terminal)
      throws IOException {
    this.spark = spark;
    this.base = new Path(base);
    this.scale = scale;
    this.ceph =
        Optional.ofNullable(cephConf)
            .filter(c -> base.getScheme().equals("rados"))
            .map(CephCli::new);
    this.shared = shared;
    this.out = out;
    this.progress = new ProgressBar(out, terminal, TOTAL);
    this.fileSystem = this.base.getFileSystem(spark.sessionState().newHadoopConf());
    this.generator = new TpchData(spark, scale, 2 * spark.sparkContext().defaultParallelism());
  }

  void run() throws Exception {
    spark.sparkContext().addSparkListener(progress);
    spark.listenerManager().register(metrics);
    out.printf("TPC-H at scale %s to %s%n", scale, base);
    List<TableWrite.Result> writes;
    Map<Query, List<String>> answers;
    Optional<OsdCounters> osds;
    Set<String> there =
        ceph.isPresent() ? Set.copyOf(ceph.get().objects(PoolName.of(base.toUri()))) : Set.of();
    try {
      OsdCounters before = ceph.isPresent() ? ceph.get().osdCounters() : null;
      writes = write();
      osds =
          ceph.isPresent() ? Optional.of(ceph.get().osdCounters().minus(before)) : Optional.empty();
      answers = compareAnswers();
    } finally {
      progress.clear();
    }
    DemoReport report = new DemoReport(out);
    report.writes(writes);
    report.answers(answers);
    report.success(writes.get(writes.size() - 1));
    if (ceph.isPresent()) {
      List<String> objects = ceph.get().objects(PoolName.of(base.toUri()));
      ObjectCheck check = ObjectCheck.of(fileSystem, base, objects, there);
      report.objects(check, osds.orElseThrow());
      check.requireFinalNames();
      if (!shared) {
        check.requireNoCopies(osds.orElseThrow());
      }
    }
    out.printf("%nAll answers are equal.%n");
  }

  private List<TableWrite.Result> write() throws Exception {
    List<TableWrite.Result> results = new ArrayList<>();
    results.add(write("orders", generator.orders(), "parquet", null, WRITE_ORDERS));
    results.add(write("lineitem", generator.lineitem(), "parquet", null, WRITE_LINEITEM));
    results.add(write("orders", generator.orders(), "orc", "o_orderpriority", WRITE_ORDERS));
    results.add(write("lineitem", generator.lineitem(), "orc", "l_shipmode", WRITE_LINEITEM));
    return results;
  }

  private TableWrite.Result write(
      String table, Dataset<Row> rows, String format, String partitionColumn, int weight)
      throws Exception {
    TableWrite write =
        new TableWrite(
            table, format, Optional.ofNullable(partitionColumn), directory(table, format));
    return progress.step(
        "writing " + write.title(),
        weight,
        () -> {
          Counters before = Counters.of(fileSystem);
          long started = System.nanoTime();
          var writer = rows.write().format(format).mode(SaveMode.Overwrite);
          if (partitionColumn != null) {
            writer = writer.partitionBy(partitionColumn);
          }
          writer.save(write.directory().toString());
          long millis = (System.nanoTime() - started) / 1_000_000;
          return new TableWrite.Result(
              write,
              millis,
              metrics.next(),
              Counters.of(fileSystem).since(before),
              DemoSuccess.of(fileSystem, write.directory()));
        });
  }

  private Path directory(String table, String format) {
    return new Path(base, table + "-" + format);
  }

  /** Asks the generator, the Parquet and the ORC copy the same, and returns the one answer. */
  private Map<Query, List<String>> compareAnswers() throws Exception {
    Map<Query, List<String>> answers = new LinkedHashMap<>();
    for (Query query : Query.values()) {
      List<String> expected = ask(query, "the generator", generator.orders(), generator.lineitem());
      for (String format : List.of("parquet", "orc")) {
        List<String> actual = ask(query, format, read("orders", format), read("lineitem", format));
        requireEqual(query, format, expected, actual);
      }
      answers.put(query, expected);
    }
    return answers;
  }

  private Dataset<Row> read(String table, String format) {
    return spark.read().format(format).load(directory(table, format).toString());
  }

  private List<String> ask(Query query, String source, Dataset<Row> orders, Dataset<Row> lineitem)
      throws Exception {
    return progress.step(
        query.title() + " from " + source,
        ASK,
        () -> Query.lines(query.on(spark, orders, lineitem)));
  }

  private static void requireEqual(
      Query query, String format, List<String> expected, List<String> actual)
      throws UnequalException {
    if (!expected.equals(actual)) {
      throw new UnequalException(
          query.title()
              + " differs.\nGenerator:\n  "
              + String.join("\n  ", expected)
              + "\nRead back from "
              + format
              + ":\n  "
              + String.join("\n  ", actual));
    }
    if (expected.isEmpty()) {
      throw new UnequalException(query.title() + " has no rows: the scale is too small");
    }
  }
}
