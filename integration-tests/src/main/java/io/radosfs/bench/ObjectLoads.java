// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.scale.MakeFiles;
import io.radosfs.bench.scale.ObjectLoad;
import io.radosfs.bench.scale.Order;
import io.radosfs.bench.scale.WorkerAnswer;
import io.radosfs.bench.scale.Workers;
import io.radosfs.bench.scale.WriteOmap;
import io.radosfs.connector.RadosFileSystem;
import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Has executors put a load on one object of a pool, or on many. Each load finds a file system that
 * nobody has used, in a namespace of its own, with a directory of as many names as it wants.
 */
final class ObjectLoads {

  /** So many that one object of an index holds them. */
  private static final int NAMES_OF_A_COMMIT = 40_000;

  private final String pool;
  private final Configuration configuration;
  private final Workers executors;
  private final int executorCount;
  private final Costs costs;
  private int loads;

  /**
   * Loads on a pool.
   *
   * @param executorCount of the executors
   * @param costs has the executors as what stands between
   */
  ObjectLoads(
      String pool, Configuration configuration, Workers executors, int executorCount, Costs costs) {
    this.pool = pool;
    this.configuration = configuration;
    this.executors = executors;
    this.executorCount = executorCount;
    this.costs = costs;
  }

  /** So many writers for so long, spread evenly over the executors. */
  ObjectMeasurements.Result run(ObjectLoad load, int writers, double seconds) throws Exception {
    URI root = URI.create("rados://load-" + loads++ + "@" + pool + "/");
    Path directory = new Path(new Path(root), "names");
    prepare(load, directory);
    int processes = Math.min(writers, executorCount);
    int each = writers / processes;
    List<Order> orders = new ArrayList<>();
    for (int first = 0; first < processes * each; first += each) {
      orders.add(
          load.makesFiles()
              ? new MakeFiles(directory.toString(), load.together(), first, each, seconds)
              : new WriteOmap(root.toString(), load.together(), first, each, seconds));
    }
    List<WorkerAnswer> answers = new ArrayList<>();
    Cost cost = costs.ofProcessors(() -> answers.addAll(executors.obey(orders)));
    return new ObjectMeasurements.Result(
        answers.stream().mapToDouble(WorkerAnswer::rate).sum(),
        cost.betweenCpu() / cost.seconds(),
        cost.osdCpu() / cost.seconds());
  }

  /** The index of the directory is in shards, or in one object, as the load is named. */
  private void prepare(ObjectLoad load, Path directory) throws IOException {
    try (FileSystem fileSystem = directory.getFileSystem(configuration)) {
      RadosFileSystem rados = (RadosFileSystem) fileSystem;
      NamesWithoutData.make(rados, directory, load.namesBefore(), NAMES_OF_A_COMMIT);
      FsPath path = FsPath.parse(directory.toUri().getPath());
      int objects = rados.mount().indexObjects(path).size();
      if (objects > 1 != (load == ObjectLoad.FILES_ABOVE_THRESHOLD)) {
        throw new IOException(
            load.title() + ": the index of " + directory + " has " + objects + " objects");
      }
    }
  }
}
