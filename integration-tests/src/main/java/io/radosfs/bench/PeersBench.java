// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.Peer.Store;
import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Findings;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.workbench.WriteMetrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * The same Spark jobs on rados:// and on other ways to use the same cluster, and on the local disk:
 * S3A on an S3 gateway, CephFS by ceph-fuse, with the committers that each has. What reads, and not
 * writes, is measured once for each store.
 */
final class PeersBench implements BenchPart {

  private static final int LARGE_FILES = 16;
  private static final int TASKS = 4;
  private static final int WARM_UP_MIB = 64;

  /**
   * How much of something.
   *
   * @param s3a whether S3A takes part
   * @param roundsAtMost for what takes long
   */
  record Amount(int count, boolean s3a, int roundsAtMost) {}

  /**
   * How much is measured.
   *
   * @param largeMib bytes in 16 files
   * @param files numbers of small files
   * @param partitions numbers of partitions of 4 files each
   * @param table partitions of the table that is planned and counted
   */
  record Extent(int largeMib, List<Amount> files, List<Amount> partitions, int table) {

    static Extent whole() {
      return new Extent(
          512,
          List.of(new Amount(1_000, true, 3), new Amount(10_000, true, 1)),
          List.of(new Amount(50, true, 3), new Amount(500, true, 1)),
          1_000);
    }

    /** S3A renames some three small files a second. */
    static Extent inShort() {
      return new Extent(
          512,
          List.of(new Amount(100, true, 1), new Amount(1_000, false, 1)),
          List.of(new Amount(10, true, 1), new Amount(50, false, 1)),
          100);
    }
  }

  private final SparkSession spark;
  private final Peers peers;
  private final Extent extent;
  private final int rounds;
  private final TimeTold progress;
  private final Consumer<Findings> findings;
  private final Costs costs;
  private final PeerData data;
  private final WriteMetrics metrics = new WriteMetrics();
  private final PeerCosts measured;
  private final List<List<String>> refusals = new ArrayList<>();
  private int jobs;

  PeersBench(
      SparkSession spark,
      Peers peers,
      java.nio.file.Path cephConf,
      Extent extent,
      int rounds,
      TimeTold progress,
      Consumer<Findings> findings) {
    this.spark = spark;
    this.peers = peers;
    this.extent = extent;
    this.rounds = rounds;
    this.progress = progress;
    this.findings = findings;
    this.costs = new Costs(cephConf, peers.daemons().values());
    this.data = new PeerData(spark);
    this.measured = new PeerCosts(peers);
  }

  @Override
  public List<Figure> run() throws Exception {
    peers.configure(spark);
    spark.listenerManager().register(metrics);
    progress.begin("peers", work());
    try {
      large();
      for (Amount files : extent.files()) {
        inTurns(files, peer -> small(peer, files.count()));
      }
      for (Amount partitions : extent.partitions()) {
        inTurns(partitions, peer -> partitioned(peer, partitions.count()));
      }
      table();
    } finally {
      for (Peer peer : peers.all()) {
        peer.delete(spark);
      }
    }
    if (!refusals.isEmpty()) {
      findings.accept(
          new Findings("peers", "what a peer refuses", List.of("peer", "work", "why"), refusals));
    }
    return measured.figures();
  }

  /** Peers' turns. */
  private long work() {
    long work = (rounds + 1L) * (peers.all().size() + peers.ofStores().size());
    for (List<Amount> amounts : List.of(extent.files(), extent.partitions())) {
      for (Amount amount : amounts) {
        work += roundsOf(amount) * taking(amount).size();
      }
    }
    return work;
  }

  private long roundsOf(Amount amount) {
    return Math.min(rounds, amount.roundsAtMost());
  }

  private List<Peer> taking(Amount amount) {
    return peers.all().stream().filter(peer -> amount.s3a() || peer.store() != Store.S3A).toList();
  }

  private interface Turn {
    void of(Peer peer) throws Exception;
  }

  /** The large files before were the warm-up. Another goes first in each round. */
  private void inTurns(Amount amount, Turn turn) throws Exception {
    List<Peer> taking = taking(amount);
    for (int round = 0; round < roundsOf(amount); round++) {
      for (int i = 0; i < taking.size(); i++) {
        turn.of(taking.get((i + round) % taking.size()));
      }
    }
  }

  /** The first round is a warm-up, and none of the samples. */
  private void large() throws Exception {
    String work = extent.largeMib() + " MiB in " + LARGE_FILES + " files";
    for (int round = 0; round <= rounds; round++) {
      boolean counts = round > 0;
      int mib = counts ? extent.largeMib() : WARM_UP_MIB;
      for (int i = 0; i < peers.all().size(); i++) {
        Peer peer = peers.all().get((i + round) % peers.all().size());
        Path directory = next(peer);
        write(peer, work, counts, data.incompressible(mib, LARGE_FILES), directory);
        if (peers.ofStores().containsValue(peer)) {
          Cost read = costs.of(() -> data.read(directory, mib));
          keep(counts, work + ", read back", peer.store().title(), read);
        }
        end(peer, directory, counts ? work : "warm-up of " + WARM_UP_MIB + " MiB");
      }
    }
  }

  private void small(Peer peer, int files) throws Exception {
    String work = String.format(Locale.ROOT, "%,d files", files);
    Path directory = next(peer);
    write(peer, work, true, data.small(files), directory);
    if (peers.ofStores().containsValue(peer)) {
      FileSystem fileSystem = fileSystem(peer);
      Cost list = costs.of(() -> list(fileSystem, directory, files));
      keep(true, work + ", listed", peer.store().title(), list);
    }
    end(peer, directory, work);
  }

  private static void list(FileSystem fileSystem, Path directory, int files) throws IOException {
    long found =
        List.of(fileSystem.listStatus(directory)).stream()
            .filter(status -> status.getPath().getName().startsWith("part-"))
            .count();
    if (found != files) {
      throw new IOException(directory + " has " + found + " files, not " + files);
    }
  }

  private void partitioned(Peer peer, int partitions) throws Exception {
    String work = String.format(Locale.ROOT, "%,d partitions of %d files", partitions, TASKS);
    Path directory = next(peer);
    Dataset<Row> rows = data.partitioned(partitions, TASKS);
    write(peer, work, true, rows, directory);
    String again = work + ", dynamic overwrite";
    try {
      write(peer, again, true, rows, directory, "dynamic");
    } catch (Exception e) {
      // Some cannot do it, and say so: that is what is found of them.
      refusals.add(List.of(peer.name(), again, Outcomes.reason(e)));
    }
    end(peer, directory, work);
  }

  private void write(Peer peer, String work, boolean counts, Dataset<?> rows, Path directory)
      throws Exception {
    write(peer, work, counts, rows, directory, "static");
  }

  private void write(
      Peer peer, String work, boolean counts, Dataset<?> rows, Path directory, String mode)
      throws Exception {
    peer.choose(spark);
    PeerData.quiesce();
    Cost cost = costs.of(() -> PeerData.write(rows, directory, mode));
    double commitSeconds = metrics.next().commitJobMillis() / 1e3;
    if (counts) {
      measured.add(work, peer.name(), cost);
      measured.addCommit(work, peer.name(), commitSeconds);
    }
    progress.say(
        "%s, %s: %.2f s (commitJob %.3f s)", work, peer.name(), cost.seconds(), commitSeconds);
  }

  /** Found and planned, and counted, once for each store. */
  private void table() throws Exception {
    String work = String.format(Locale.ROOT, "table of %,d partitions", extent.table());
    for (Peer peer : peers.ofStores().values()) {
      peer.choose(spark);
      data.partitioned(extent.table(), 1)
          .write()
          .mode(SaveMode.Overwrite)
          .partitionBy(PeerData.PARTITION)
          .parquet(table(peer).toString());
      metrics.next();
    }
    List<Peer> stores = List.copyOf(peers.ofStores().values());
    for (int round = 0; round <= rounds; round++) {
      for (int i = 0; i < stores.size(); i++) {
        Peer peer = stores.get((i + round) % stores.size());
        List<Dataset<Row>> tables = new ArrayList<>();
        System.gc();
        Cost plan = costs.of(() -> tables.add(planned(peer)));
        Cost count = costs.of(() -> data.count(tables.get(0), extent.table()));
        keep(round > 0, work + ", found and planned", peer.store().title(), plan);
        keep(round > 0, work + ", counted", peer.store().title(), count);
        progress.done(
            1,
            "%s, %s: planned in %.2f s, counted in %.2f s",
            work,
            peer.store().title(),
            plan.seconds(),
            count.seconds());
      }
    }
  }

  private Dataset<Row> planned(Peer peer) {
    Dataset<Row> table = spark.read().parquet(table(peer).toString());
    table.queryExecution().executedPlan();
    return table;
  }

  private static Path table(Peer peer) {
    return new Path(peer.root(), "table");
  }

  private Path next(Peer peer) {
    return new Path(peer.root(), "job-" + jobs++);
  }

  private void keep(boolean counts, String work, String store, Cost cost) {
    if (counts) {
      measured.add(work, store, cost);
    }
    progress.say("%s, %s: %.2f s", work, store, cost.seconds());
  }

  private void end(Peer peer, Path directory, String work) throws IOException {
    fileSystem(peer).delete(directory, true);
    progress.done(1, "%s, %s", work, peer.name());
  }

  private FileSystem fileSystem(Peer peer) throws IOException {
    return peer.root().getFileSystem(spark.sessionState().newHadoopConf());
  }
}
