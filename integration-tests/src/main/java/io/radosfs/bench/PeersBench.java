// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.Findings;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.bench.works.JobData;
import io.radosfs.bench.works.Turns;
import io.radosfs.workbench.WriteMetrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * The same Spark jobs on rados:// and on other ways to use the same cluster, and on the local disk:
 * S3A on an S3 gateway, CephFS by ceph-fuse, with the committers that each has. What reads, and not
 * writes, is measured once for each store. A peer that fails at some work takes no further part in
 * it, and the others go on.
 */
final class PeersBench implements BenchPart {

  private static final int WARM_UP_MIB = 64;

  private final SparkSession spark;
  private final Peers peers;
  private final PeerWorks works;
  private final int rounds;
  private final TimeTold progress;
  private final Costs costs;
  private final JobData data;
  private final WriteMetrics metrics = new WriteMetrics();
  private final PeerCosts measured;
  private final List<List<String>> refusals = new ArrayList<>();
  private int jobs;

  /** Counts those of all works: each has a number of its own. */
  private int round;

  PeersBench(
      SparkSession spark,
      Peers peers,
      java.nio.file.Path cephConf,
      PeerWorks works,
      int rounds,
      TimeTold progress) {
    this.spark = spark;
    this.peers = peers;
    this.works = works;
    this.rounds = rounds;
    this.progress = progress;
    this.costs = new Costs(cephConf, peers.daemons().values());
    this.data = new JobData(spark);
    this.measured = new PeerCosts(peers);
  }

  @Override
  public void run(BenchResults results) throws Exception {
    peers.configure(spark);
    spark.listenerManager().register(metrics);
    progress.begin("peers", PeerTimes.all(works, peers, rounds));
    results.found(Omissions.of(works, peers, rounds));
    try {
      for (Peer peer : peers.all()) {
        results.attempt("warm-up, " + peer.name(), () -> warmUp(peer));
      }
      for (Amount amount : works.large()) {
        int mib = amount.count();
        inTurns(
            results,
            PeerWorks.large(mib),
            amount,
            peer -> PeerTimes.large(peer, mib),
            peer -> large(peer, mib));
      }
      for (Amount amount : works.files()) {
        int files = amount.count();
        inTurns(
            results,
            PeerWorks.files(files),
            amount,
            peer -> PeerTimes.files(peer, files),
            peer -> small(peer, files));
      }
      for (Amount amount : works.partitions()) {
        int partitions = amount.count();
        inTurns(
            results,
            PeerWorks.partitions(partitions),
            amount,
            peer -> PeerTimes.partitions(peer, partitions),
            peer -> partitioned(results, peer, partitions));
      }
      for (Amount amount : works.tables()) {
        table(results, amount);
      }
    } finally {
      for (Peer peer : peers.all()) {
        results.attempt("removal of what was written, " + peer.name(), () -> peer.delete(spark));
      }
    }
  }

  /** What a peer does in a round. */
  private interface Turn {
    void of(Peer peer) throws Exception;
  }

  private void inTurns(
      BenchResults results, String work, Amount amount, ToLongFunction<Peer> seconds, Turn turn)
      throws IOException, InterruptedException {
    List<Peer> taking = new ArrayList<>(amount.of(peers));
    for (int number = 0; number < amount.rounds(rounds); number++) {
      round(results, work, taking, number, seconds, turn);
    }
  }

  /**
   * One round.
   *
   * @param taking of which those are removed that fail
   */
  private void round(
      BenchResults results,
      String work,
      List<Peer> taking,
      int number,
      ToLongFunction<Peer> seconds,
      Turn turn)
      throws IOException, InterruptedException {
    round++;
    for (Peer peer : Turns.of(taking, number)) {
      if (!results.attempt(work + ", " + peer.name(), () -> turn.of(peer))) {
        taking.remove(peer);
      }
      progress.done(seconds.applyAsLong(peer), "%s, %s", work, peer.name());
      results.measured(measured.figures());
    }
  }

  private void warmUp(Peer peer) throws Exception {
    Path directory = next(peer);
    peer.choose(spark);
    JobData.write(
        data.incompressible(WARM_UP_MIB, PeerWorks.LARGE_FILES), directory, JobData.STATIC);
    WriteMetrics.Write unused = metrics.next();
    data.read(directory, WARM_UP_MIB);
    delete(peer, directory);
    progress.say("warmed up, %s", peer.name());
  }

  private void large(Peer peer, int mib) throws Exception {
    String work = PeerWorks.large(mib);
    Path directory = next(peer);
    write(peer, work, data.incompressible(mib, PeerWorks.LARGE_FILES), directory, JobData.STATIC);
    if (peer.store() != Peer.Store.DISK) {
      long bytes = fileSystem(peer).getContentSummary(directory).getLength();
      measured.addFiles(work, peer.name(), round, bytes);
    }
    if (peers.ofStores().containsValue(peer)) {
      keep(work + PeerWorks.READ_BACK, peer, costs.of(() -> data.read(directory, mib)));
    }
    delete(peer, directory);
  }

  private void small(Peer peer, int files) throws Exception {
    String work = PeerWorks.files(files);
    Path directory = next(peer);
    write(peer, work, data.small(files), directory, JobData.STATIC);
    if (peers.ofStores().containsValue(peer)) {
      FileSystem fileSystem = fileSystem(peer);
      Cost list = costs.of(() -> list(fileSystem, directory, files));
      keep(work + PeerWorks.LISTED, peer, list);
    }
    delete(peer, directory);
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

  private void partitioned(BenchResults results, Peer peer, int partitions) throws Exception {
    String work = PeerWorks.partitions(partitions);
    Path directory = next(peer);
    Dataset<Row> rows = data.partitioned(partitions, PeerWorks.FILES_A_PARTITION);
    write(peer, work, rows, directory, JobData.STATIC);
    String again = work + PeerWorks.OVERWRITTEN;
    try {
      write(peer, again, rows, directory, JobData.DYNAMIC);
    } catch (Exception e) {
      if (!peer.name().equals(Peers.S3A_MAGIC) || e instanceof InterruptedException) {
        throw e;
      }
      // It cannot do it, and says so: that is what is found of it.
      refusals.add(List.of(peer.name(), again, Outcomes.reason(e)));
      List<String> columns = List.of("peer", "work", "why");
      results.found(new Findings("peers", "what a peer refuses", columns, refusals));
    }
    delete(peer, directory);
  }

  private void write(Peer peer, String work, Dataset<?> rows, Path directory, String mode)
      throws Exception {
    peer.choose(spark);
    metrics.forget();
    JobData.quiesce();
    Cost cost = costs.of(() -> JobData.write(rows, directory, mode));
    double commitSeconds = metrics.next().commitJobMillis() / 1e3;
    measured.add(work, peer.name(), round, cost);
    measured.addCommit(work, peer.name(), round, commitSeconds);
    progress.say(
        "%s, %s: %.2f s (commitJob %.3f s)", work, peer.name(), cost.seconds(), commitSeconds);
  }

  /** Found and planned, and counted, once for each store. The first time is a warm-up. */
  private void table(BenchResults results, Amount amount) throws IOException, InterruptedException {
    String work = PeerWorks.table(amount.count());
    List<Peer> stores = new ArrayList<>();
    for (Peer peer : amount.of(peers)) {
      if (results.attempt(
          work + ", written, " + peer.name(), () -> writeTable(peer, amount.count()))) {
        stores.add(peer);
      }
      progress.done(PeerTimes.files(peer, amount.count()), "%s, written, %s", work, peer.name());
    }
    for (int number = 0; number <= amount.rounds(rounds); number++) {
      boolean counts = number > 0;
      round(
          results,
          work,
          stores,
          number,
          peer -> PeerTimes.table(peer, amount.count()),
          peer -> read(peer, amount.count(), counts));
    }
  }

  private void writeTable(Peer peer, int partitions) throws InterruptedException {
    peer.choose(spark);
    data.partitioned(partitions, 1)
        .write()
        .mode(SaveMode.Overwrite)
        .partitionBy(JobData.PARTITION)
        .parquet(table(peer).toString());
    WriteMetrics.Write unused = metrics.next();
  }

  private void read(Peer peer, int partitions, boolean counts) throws Exception {
    String work = PeerWorks.table(partitions);
    List<Dataset<Row>> tables = new ArrayList<>();
    System.gc();
    Cost plan = costs.of(() -> tables.add(planned(peer)));
    Cost count = costs.of(() -> data.count(tables.get(0), partitions));
    if (counts) {
      keep(work + PeerWorks.PLANNED, peer, plan);
      keep(work + PeerWorks.COUNTED, peer, count);
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

  /** What a store does, whoever wrote. */
  private void keep(String work, Peer peer, Cost cost) {
    measured.add(work, peer.store().title(), round, cost);
    progress.say("%s, %s: %.2f s", work, peer.store().title(), cost.seconds());
  }

  private void delete(Peer peer, Path directory) throws IOException {
    fileSystem(peer).delete(directory, true);
  }

  private FileSystem fileSystem(Peer peer) throws IOException {
    return peer.root().getFileSystem(spark.sessionState().newHadoopConf());
  }
}
