// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.RadosStatistic;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The jobs and loads of the benchmark on the simulation, where each client stands for a process. It
 * counts every operation, so it tells whether the model has the right terms.
 */
@Tag("slow")
final class ScaleOnSimulationTest {

  private static final JobSize BASE = new JobSize(40, 0, 8, 2, 0);

  /** The terms of the benchmark's grids, in numbers that a simulation has done at once. */
  private static final JobGrid GRID =
      new JobGrid(
          BASE,
          Map.of(
              Term.FILES, List.of(20, 120),
              Term.PARTITIONS, List.of(4, 20),
              Term.TASKS, List.of(4, 30),
              Term.EXECUTORS, List.of(1, 4),
              Term.SHARDS, List.of(4, 8)),
          List.of(new JobSize(60, 10, 12, 3, 0)));

  private SimulatedCluster cluster;
  private Configuration configuration;

  @BeforeEach
  void configure() {
    cluster = SimulatedCluster.withPools("p");
    configuration = SimulatedConnections.configuration(cluster);
    configuration.set(Options.CEPH_USER.key(), "client.admin");
  }

  private static String user(int executor) {
    return "client.executor-" + executor;
  }

  /** Each by a client of its own, one after another. */
  private List<WorkerAnswer> obey(List<? extends Order> orders) throws IOException {
    List<WorkerAnswer> answers = new ArrayList<>();
    for (int i = 0; i < orders.size(); i++) {
      Configuration own = new Configuration(configuration);
      own.set(Options.CEPH_USER.key(), user(i));
      answers.add(orders.get(i).run(own));
    }
    return answers;
  }

  private static long ops(SimulatedCluster cluster) {
    long ops = cluster.client("client.admin").ops();
    for (int executor = 0; executor < GRID.executors(); executor++) {
      ops += cluster.client(user(executor)).ops();
    }
    return ops;
  }

  private record Ran(ScaleJob.Taken taken, long operations) {}

  private Ran run(JobSize size) throws IOException {
    configure();
    try (ScaleJob job = new ScaleJob(URI.create("rados://p/"), configuration, size, this::obey)) {
      long before = ops(cluster);
      ScaleJob.Taken taken = job.run();
      return new Ran(taken, ops(cluster) - before);
    }
  }

  @Test
  void aModelOfAllTermsTellsTheOperationsAndBytesOfJobs() throws IOException {
    List<ScalePoint> operations = new ArrayList<>();
    List<ScalePoint> ofTasks = new ArrayList<>();
    List<ScalePoint> omapBytes = new ArrayList<>();
    for (JobSize size : GRID.sizes()) {
      Ran ran = run(size);
      operations.add(new ScalePoint(size, ran.operations()));
      ofTasks.add(
          new ScalePoint(
              size,
              ran.taken().tasks().get(RadosStatistic.INDEX_READ.symbol())
                  + ran.taken().tasks().get(RadosStatistic.INDEX_WRITE.symbol())));
      omapBytes.add(
          new ScalePoint(size, ran.taken().counted(RadosStatistic.OMAP_BYTES_WRITTEN.symbol())));
    }
    ScaleModel all = ScaleModel.of(operations, Quantity.OPERATIONS.terms());
    ScaleModel record = ScaleModel.of(ofTasks, Quantity.OF_TASKS.terms());
    ScaleModel bytes = ScaleModel.of(omapBytes, Quantity.OMAP_BYTES.terms());
    System.out.println("operations of a job: " + all.text());
    System.out.println("of its tasks, on its record: " + record.text());
    System.out.println("bytes of omap keys and values: " + bytes.text());

    assertThat(all.largestDeviation(operations)).as(all.text()).isLessThan(0.1);
    assertThat(record.largestDeviation(ofTasks)).as(record.text()).isLessThan(0.1);
    assertThat(bytes.largestDeviation(omapBytes)).as(bytes.text()).isLessThan(0.1);
    assertThat(all.each(Term.FILES)).as("as the page says").isBetween(2.9, 3.1);
    assertThat(record.each(Term.FILES)).as("as the page says").isBetween(1.9, 2.1);
    assertThat(record.each(Term.TASKS)).as("as the page says").isBetween(1.9, 2.1);
  }

  @Test
  void theProcessesCountWhatTheClusterCounts() throws IOException {
    Ran ran = run(new JobSize(60, 10, 12, 3, 0));

    long counted =
        ran.taken().counted(RadosStatistic.OP_READ.symbol())
            + ran.taken().counted(RadosStatistic.OP_WRITE.symbol());
    assertThat(ran.operations()).isBetween(counted, counted + 3 * GRID.executors());
    assertThat(ran.taken().counted(RadosStatistic.OMAP_BYTES_WRITTEN.symbol())).isPositive();
  }

  @Test
  void allFilesAreThereInTheirPartitions() throws IOException {
    Ran unused = run(new JobSize(60, 10, 12, 3, 0));

    Path out = new Path("rados://p/out");
    try (FileSystem fileSystem = out.getFileSystem(configuration)) {
      assertThat(fileSystem.listStatus(new Path(out, "p=3"))).hasSize(6);
      assertThat(fileSystem.listStatus(out)).hasSize(10 + 1 + 1);
    }
  }

  @Test
  void writersMakeFilesForAsLongAsTheyAreTold() throws IOException {
    Path names = new Path("rados://p/names");
    try (FileSystem fileSystem = names.getFileSystem(configuration)) {
      WorkerAnswer together = new MakeFiles(names.toString(), true, 4, 2, 0.2).run(configuration);
      assertThat(together.done()).isPositive();
      assertThat(fileSystem.listStatus(names)).hasSize((int) together.done());
      WorkerAnswer apart = new MakeFiles(names.toString(), false, 4, 2, 0.2).run(configuration);
      assertThat(apart.done()).isPositive();
      assertThat(apart.seconds()).isGreaterThanOrEqualTo(0.2);
      assertThat(fileSystem.listStatus(new Path(names, "writer-5"))).isNotEmpty();
    }
  }

  @Test
  void writersOfOmapHaveOneObjectOrOneEach() throws IOException {
    WorkerAnswer together = new WriteOmap("rados://p/", true, 0, 2, 0.1).run(configuration);
    WorkerAnswer apart = new WriteOmap("rados://p/", false, 0, 2, 0.1).run(configuration);

    assertThat(together.done()).isPositive();
    assertThat(apart.done()).isPositive();
    assertThat(cluster.objects("p", "").keySet()).contains("omap", "omap-0", "omap-1");
  }
}
