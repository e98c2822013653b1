// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.Findings;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.connector.config.Options;
import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.GeneratedTables;
import io.radosfs.workbench.SparkSessions;
import io.radosfs.workbench.TpcdsTables;
import io.radosfs.workbench.TpchTables;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;

/** The parts by name, in the order in which they run, and the Spark session that some share. */
final class BenchParts implements AutoCloseable {

  /** How many tasks generate a table, and how many files it has. */
  private static final int GENERATORS = 4;

  private final Path cephConf;
  private final Map<String, BenchPart> parts = new LinkedHashMap<>();

  /**
   * Those that need more than a cluster, or more than an hour: they are run by their name alone.
   */
  private final Map<String, BenchPart> needMore = new LinkedHashMap<>();

  private SparkSession spark;

  BenchParts(
      URI base,
      Path cephConf,
      Path local,
      Extents sizes,
      Path sparkTests,
      Path peers,
      TimeTold progress,
      Consumer<Findings> findings) {
    this.cephConf = cephConf;
    int rounds = sizes.rounds();
    parts.put(
        "stream", () -> new StreamBench(base, cephConf, configuration(), rounds, progress).run());
    LimitBench.Extent extent =
        sizes.shortForm() ? LimitBench.Extent.inShort() : LimitBench.Extent.whole();
    parts.put(
        "limit",
        () -> new LimitBench(base, cephConf, configuration(), extent, rounds, progress).run());
    parts.put(
        "commit",
        () -> new CommitBench(base, configuration(), !sizes.shortForm(), rounds, progress).run());
    parts.put(
        "listing",
        () ->
            new ListingBench(base, cephConf, configuration(), sizes.entries(), rounds, progress)
                .run());
    parts.put("vectored", () -> new VectoredBench(base, configuration(), rounds, progress).run());
    parts.put("spark", () -> new SparkBench(spark(), base, local, rounds, progress).run());
    RddBench.Extent rdds = sizes.shortForm() ? RddBench.Extent.inShort() : RddBench.Extent.whole();
    parts.put(
        "rdd",
        () -> {
          // It has sessions of its own.
          close();
          return new RddBench(base, cephConf, rdds, rounds, progress).run();
        });
    parts.put(
        "scan",
        () -> {
          ColdCaches caches = new ColdCaches(new CephCli(cephConf));
          return new ScanBench(spark(), base, local, sizes.scale(), caches, rounds, progress).run();
        });
    parts.put(
        "plan",
        () ->
            new PlanBench(spark(), base, cephConf, local, sizes.tables(), rounds, progress).run());
    SparksQueries ofTpch = new SparksQueries(sparkTests, "tpch");
    parts.put(
        "tpch",
        () -> {
          GeneratedTables tables = new TpchTables(spark(), sizes.scale(), GENERATORS);
          return new QueriesBench(spark(), base, local, "tpch", tables, ofTpch, rounds, progress)
              .run();
        });
    SparksQueries ofTpcds = new SparksQueries(sparkTests, "tpcds");
    needMore.put(
        "tpcds",
        () -> {
          GeneratedTables tables = new TpcdsTables(spark(), sizes.scale(), GENERATORS);
          return new QueriesBench(
                  spark(), base, local, "tpcds", tables, ofTpcds, sizes.roundsOfMany(), progress)
              .run();
        });
    PeersBench.Extent ofPeers =
        sizes.shortForm() ? PeersBench.Extent.inShort() : PeersBench.Extent.whole();
    needMore.put(
        "peers",
        () ->
            new PeersBench(
                    spark(),
                    Peers.read(peers, base, local),
                    cephConf,
                    ofPeers,
                    rounds,
                    progress,
                    findings)
                .run());
    PaperBench.Extent ofPaper =
        sizes.shortForm() ? PaperBench.Extent.inShort() : PaperBench.Extent.whole();
    needMore.put(
        "paper",
        () -> {
          // It has sessions of its own.
          close();
          return new PaperBench(cephConf, ofPaper, rounds, progress).run();
        });
    needMore.put(
        "readers",
        () ->
            new PeerSights(
                    spark(),
                    Peers.read(peers, base, local),
                    sizes.filesLookedAt(),
                    progress,
                    findings)
                .run());
  }

  /** Those that {@code all} stands for. */
  List<String> ofAll() {
    return List.copyOf(parts.keySet());
  }

  /** What speed says of the peers, {@code readers} completes. */
  List<String> of(String name) {
    return name.equals("peers") ? List.of(name, "readers") : List.of(name);
  }

  BenchPart get(String name) {
    Map<String, BenchPart> every = new LinkedHashMap<>(parts);
    every.putAll(needMore);
    BenchPart part = every.get(name);
    if (part == null) {
      throw new IllegalArgumentException("no part " + name + ": there are " + every.keySet());
    }
    return part;
  }

  /** Begun when the first part needs it: the others are measured without it in the process. */
  private SparkSession spark() {
    if (spark == null) {
      spark = SparkSessions.local("2", cephConf);
    }
    return spark;
  }

  /** Hadoop's, for what needs no Spark in the process. */
  private Configuration configuration() {
    Configuration configuration = new Configuration();
    configuration.set(Options.CEPH_CONF.key(), cephConf.toAbsolutePath().toString());
    return configuration;
  }

  @Override
  public void close() throws IOException {
    if (spark != null) {
      spark.close();
      spark = null;
    }
  }
}
