// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.bench.scale.ExecutorProcesses;
import io.radosfs.bench.scale.JobCost;
import io.radosfs.bench.scale.JobGrid;
import io.radosfs.bench.scale.JobSize;
import io.radosfs.bench.scale.ObjectLoad;
import io.radosfs.bench.scale.Rates;
import io.radosfs.bench.scale.ScaleFindings;
import io.radosfs.bench.scale.ScaleJob;
import io.radosfs.bench.scale.Term;
import io.radosfs.connector.config.Options;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.store.RadosStatistic;
import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.PoolName;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * How the operations, bytes and objects of a job grow with its files, partitions, tasks, executors
 * and shards, on as many OSDs as the cluster has; what one object takes; and what follows for jobs
 * that are too large to be run here.
 */
final class ScaleBench implements BenchPart {

  private static final String POOL = "radosfs-bench-scale";
  private static final int COPIES_AT_MOST = 3;
  private static final int EXECUTORS = 4;
  private static final List<Integer> WRITERS = List.of(1, 4, 16, 64);

  /** For the time that is left: as long as a job takes whose counters are asked for, in files. */
  private static final int FILES_OF_A_QUESTION = 1_200;

  private static final int FILES_OF_A_SECOND = 300;

  /**
   * How much is measured.
   *
   * @param seconds of each load on an object
   */
  record Extent(JobGrid grid, double seconds) {

    static Extent whole() {
      return new Extent(JobGrid.whole(), 3);
    }

    static Extent inShort() {
      return new Extent(JobGrid.inShort(), 2);
    }
  }

  private final CephCli ceph;
  private final Path cephConf;
  private final Configuration configuration;
  private final Extent extent;
  private final int rounds;
  private final TimeTold progress;
  private int jobs;

  ScaleBench(
      Path cephConf, Configuration configuration, Extent extent, int rounds, TimeTold progress) {
    this.ceph = new CephCli(cephConf);
    this.cephConf = cephConf;
    this.configuration = new Configuration(configuration);
    // Otherwise each of many file systems warns that none is set.
    this.configuration.set(Options.CEPH_USER.key(), Options.CEPH_USER.defaultText());
    this.extent = extent;
    this.rounds = rounds;
    this.progress = progress;
  }

  @Override
  public void run(BenchResults results) throws Exception {
    progress.begin("scale", rounds * workOfARound());
    int osds = osds();
    int copies = Math.min(COPIES_AT_MOST, osds);
    String cluster = osds == 1 ? "1 OSD" : osds + " OSDs";
    progress.say("%s, %d copies, %d executors at most", cluster, copies, EXECUTORS);
    JobMeasurements ofJobs = new JobMeasurements(extent.grid(), cluster);
    ObjectMeasurements ofObjects = new ObjectMeasurements(cluster);
    int processes = Math.max(EXECUTORS, extent.grid().executors());
    try (BenchPool pool = BenchPool.create(ceph, POOL, copies);
        ExecutorProcesses executors = new ExecutorProcesses(processes, cephConf)) {
      Costs costs = new Costs(cephConf, executors.pids());
      ObjectLoads loads =
          new ObjectLoads(pool.name().pool(), configuration, executors, EXECUTORS, costs);
      warmUp(executors, loads, costs);
      for (int round = 1; round <= rounds; round++) {
        for (JobSize size : extent.grid().sizes()) {
          ofJobs.add(size, measured(size, executors, costs, round));
        }
        for (int writers : WRITERS) {
          for (ObjectLoad load : ObjectLoad.values()) {
            ofObjects.add(load, writers, measured(load, writers, loads, round));
          }
        }
        tell(
            results,
            ofJobs,
            ofObjects,
            cluster + ", " + copies + (copies == 1 ? " copy" : " copies"));
      }
    }
  }

  /** All of them, as the processor time of some would be taken for that of all. */
  private int osds() throws IOException {
    int osds = ceph.ceph("osd", "ls").size();
    int here = new Costs(cephConf, List.of()).osdsHere();
    if (here < osds) {
      throw new IOException(
          here
              + " of the cluster's "
              + osds
              + " OSDs are processes of this machine: `scale` measures the processor time of all."
              + " Give it a cluster of its own (--osds N)");
    }
    return osds;
  }

  private long workOfARound() {
    JobGrid grid = extent.grid();
    long ofJobs = grid.files() + (long) FILES_OF_A_QUESTION * grid.sizes().size();
    return ofJobs + (long) WRITERS.size() * ObjectLoad.values().length * workOfALoad();
  }

  private long workOfALoad() {
    return Math.round(extent.seconds() * FILES_OF_A_SECOND);
  }

  /** The JVMs compile what they run. */
  private void warmUp(ExecutorProcesses executors, ObjectLoads loads, Costs costs)
      throws Exception {
    JobCost unused = cost(extent.grid().base().with(Term.EXECUTORS, EXECUTORS), executors, costs);
    for (ObjectLoad load : List.of(ObjectLoad.OMAP_OF_MANY, ObjectLoad.FILES_IN_MANY)) {
      ObjectMeasurements.Result ignored = loads.run(load, EXECUTORS, 1);
    }
    progress.say("warmed up");
  }

  private JobCost measured(JobSize size, ExecutorProcesses executors, Costs costs, int round)
      throws Exception {
    JobCost cost = cost(size, executors, costs);
    progress.done(
        size.files() + FILES_OF_A_QUESTION,
        "%s, round %d: %,d operations, %.2f s and %.3f s of commitJob",
        size.text(),
        round,
        cost.operations(),
        cost.taskSeconds(),
        cost.commitSeconds());
    return cost;
  }

  private ObjectMeasurements.Result measured(
      ObjectLoad load, int writers, ObjectLoads loads, int round) throws Exception {
    ObjectMeasurements.Result result = loads.run(load, writers, extent.seconds());
    progress.done(
        workOfALoad(),
        "%s, %d at once, round %d: %,.0f/s",
        load.title(),
        writers,
        round,
        result.rate());
    return result;
  }

  /** A job in a namespace of its own, whose objects are counted when it has ended. */
  private JobCost cost(JobSize size, ExecutorProcesses executors, Costs costs) throws Exception {
    PoolName place = new PoolName(POOL, "job-" + jobs++);
    URI root = URI.create("rados://" + place.namespace() + "@" + place.pool() + "/");
    List<ScaleJob.Taken> ran = new ArrayList<>();
    Cost cost;
    try (ScaleJob job = new ScaleJob(root, configuration, size, executors)) {
      cost = costs.of(() -> ran.add(job.run()));
    }
    ScaleJob.Taken taken = ran.get(0);
    return new JobCost(
        cost.osds().writes() + cost.osds().reads(),
        counted(taken, RadosStatistic.OP_READ, RadosStatistic.OP_WRITE),
        taken.tasks().get(RadosStatistic.INDEX_READ.symbol())
            + taken.tasks().get(RadosStatistic.INDEX_WRITE.symbol()),
        cost.osds().bytesWritten(),
        counted(taken, RadosStatistic.OMAP_BYTES_WRITTEN),
        indexObjects(place),
        taken.taskSeconds(),
        taken.commitSeconds(),
        cost.clientCpu() + cost.betweenCpu(),
        cost.osdCpu());
  }

  private static long counted(ScaleJob.Taken taken, RadosStatistic... statistics) {
    long sum = 0;
    for (RadosStatistic statistic : statistics) {
      sum += taken.counted(statistic.symbol());
    }
    return sum;
  }

  private int indexObjects(PoolName place) throws IOException {
    return (int)
        ceph.objects(place).stream().filter(object -> !ObjectNames.isStripe(object)).count();
  }

  private static void tell(
      BenchResults results, JobMeasurements ofJobs, ObjectMeasurements ofObjects, String cluster)
      throws IOException {
    ScaleFindings found =
        new ScaleFindings(
            cluster,
            ofJobs.points(),
            ofJobs.models(),
            ofObjects.rates(),
            new Rates(ofObjects.ofOneObject(), ofJobs.clientCpu(), ofJobs.osdCpu()),
            ofObjects.saturation(Runtime.getRuntime().availableProcessors()));
    results.found(found.formulas());
    results.found(found.limits());
    List<Figure> figures = new ArrayList<>(ofJobs.figures());
    figures.addAll(ofObjects.figures());
    results.measured(figures);
  }
}
