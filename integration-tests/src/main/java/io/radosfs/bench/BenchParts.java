// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.queries.ChosenQueries;
import io.radosfs.bench.queries.QuerySuite;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.connector.config.Options;
import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;

/** The parts by name, in the order in which they run, and the Spark session that some share. */
final class BenchParts implements AutoCloseable {

  private final Path cephConf;
  private final boolean allOfPeers;
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
      QuerySuite ofMemory,
      Path peers,
      TimeTold progress) {
    this.cephConf = cephConf;
    this.allOfPeers = !sizes.slowPeers() && sizes.only() == null;
    int rounds = sizes.rounds();
    parts.put(
        "stream",
        results -> new StreamBench(base, cephConf, configuration(), rounds, progress).run(results));
    parts.put(
        "ceiling",
        results ->
            new CeilingBench(base, local, cephConf, configuration(), rounds, progress)
                .run(results));
    LimitBench.Extent extent =
        sizes.shortForm() ? LimitBench.Extent.inShort() : LimitBench.Extent.whole();
    parts.put(
        "limit",
        results ->
            new LimitBench(base, cephConf, configuration(), extent, rounds, progress).run(results));
    parts.put(
        "commit",
        results ->
            new CommitBench(base, configuration(), !sizes.shortForm(), rounds, progress)
                .run(results));
    parts.put(
        "listing",
        results ->
            new ListingBench(base, cephConf, configuration(), sizes.entries(), rounds, progress)
                .run(results));
    parts.put(
        "vectored",
        results -> new VectoredBench(base, configuration(), rounds, progress).run(results));
    parts.put(
        "spark",
        results ->
            new SparkBench(
                    spark(),
                    sizes.sparkWorks(spark()),
                    base,
                    local,
                    cephConf,
                    sizes.only(),
                    rounds,
                    progress)
                .run(results));
    parts.put(
        "executors",
        results -> {
          // It has processes of its own.
          close();
          new ExecutorsBench(base, cephConf, local, rounds, progress).run(results);
        });
    parts.put(
        "first-write",
        results -> {
          close();
          new FirstWriteBench(base, cephConf, local, rounds, progress).run(results);
        });
    RddBench.Extent rdds = sizes.shortForm() ? RddBench.Extent.inShort() : RddBench.Extent.whole();
    parts.put(
        "rdd",
        results -> {
          // It has sessions of its own.
          close();
          new RddBench(base, cephConf, rdds, rounds, progress).run(results);
        });
    parts.put(
        "scan",
        results -> {
          ColdCaches caches = new ColdCaches(new CephCli(cephConf));
          Costs costs = new Costs(cephConf, List.of());
          new ScanBench(spark(), base, local, sizes.scale(), caches, costs, rounds, progress)
              .run(results);
        });
    parts.put(
        "plan",
        results ->
            new PlanBench(spark(), base, cephConf, local, sizes.tables(), rounds, progress)
                .run(results));
    parts.put(
        "tpch",
        results ->
            queries(QuerySuite.TPCH, base, local, sizes, sparkTests, rounds, progress)
                .run(results));
    needMore.put(
        "tpcds",
        results ->
            queries(
                    QuerySuite.TPCDS,
                    base,
                    local,
                    sizes,
                    sparkTests,
                    sizes.roundsOfMany(),
                    progress)
                .run(results));
    MemoryBench.Extent memory =
        sizes.shortForm()
            ? MemoryBench.Extent.inShort(ofMemory, sizes.scale())
            : MemoryBench.Extent.whole(ofMemory, sizes.scale());
    needMore.put(
        "memory",
        results -> {
          // It has processes of its own.
          close();
          new MemoryBench(
                  base, cephConf, local, sparkTests, memory, sizes.roundsOfProcesses(), progress)
              .run(results);
        });
    needMore.put(
        "peers",
        results ->
            new PeersBench(
                    spark(),
                    Peers.read(peers, base, local),
                    cephConf,
                    sizes.peerWorks(),
                    sizes.roundsOfPeers(),
                    progress)
                .run(results));
    PaperBench.Extent ofPaper =
        sizes.shortForm() ? PaperBench.Extent.inShort() : PaperBench.Extent.whole();
    needMore.put(
        "paper",
        results -> {
          // It has sessions of its own.
          close();
          new PaperBench(cephConf, ofPaper, rounds, progress).run(results);
        });
    ScaleBench.Extent ofScale =
        sizes.shortForm() ? ScaleBench.Extent.inShort() : ScaleBench.Extent.whole();
    needMore.put(
        "scale",
        results ->
            new ScaleBench(cephConf, configuration(), ofScale, sizes.roundsOfScale(), progress)
                .run(results));
    needMore.put(
        "readers",
        results ->
            new PeerSights(spark(), Peers.read(peers, base, local), sizes.filesLookedAt(), progress)
                .run(results));
  }

  private QueriesBench queries(
      QuerySuite suite,
      URI base,
      Path local,
      Extents sizes,
      Path sparkTests,
      int rounds,
      TimeTold progress) {
    return new QueriesBench(
        spark(),
        base,
        local,
        suite,
        sizes.scale(),
        sparkTests,
        new ChosenQueries(sizes.only()),
        new Costs(cephConf, List.of()),
        rounds,
        progress);
  }

  /** Those that {@code all} stands for. */
  List<String> ofAll() {
    return List.copyOf(parts.keySet());
  }

  /**
   * The parts that a name stands for: what speed says of the peers, {@code readers} completes. A
   * run of some works alone does without: another has it.
   */
  List<String> of(String name) {
    return name.equals("peers") && allOfPeers ? List.of(name, "readers") : List.of(name);
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
