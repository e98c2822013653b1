// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.RecordedWalk.Step;
import io.radosfs.connector.cli.Radosfs;
import io.radosfs.connector.docs.Repository;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.Test;

/**
 * The walks on the page of the architecture, taken on the simulation: at each RADOS operation the
 * classes on the stack are noted. All of them are on the page, in the order in which they come; and
 * no walk climbs back up.
 */
class WalksTest {

  private static final String PAGE = "connector/docs/architecture.md";
  private static final Pattern CLASS = Pattern.compile("`([A-Z][a-z]\\w*)`");

  /** Packages from the top down, as the page and the tests of the architecture have them. */
  private static final List<String> DOWNWARDS =
      List.of(
          "committer",
          "committer.stages",
          "committer.manifest",
          "connector.cli",
          "connector",
          "connector.hadoop",
          "connector.mount",
          "connector.upkeep",
          "connector.job",
          "connector.operations",
          "connector.transaction.rename",
          "connector.transaction.removal",
          "connector.transaction.commit",
          "connector.transaction.directory",
          "connector.transaction.deletion",
          "connector.transaction.resolve",
          "connector.transaction.shard",
          "connector.transaction.read",
          "connector.transaction",
          "connector.superblock",
          "connector.ledger",
          "connector.data",
          "connector.index",
          "connector.store",
          "connector.retry");

  /**
   * What lower parts call above them: each by an interface of theirs, {@code ObjectStore}, {@code
   * DirectoryLoop}, {@code FilePublisher} and {@code JobUpkeep}.
   */
  private static final Set<String> CALLED_BY_AN_INTERFACE =
      Set.of(
          "FirstWriteStore",
          "DenialExplainingStore",
          "ParallelDirectories",
          "IndexPublisher",
          "WorkFilePublisher",
          "StagedJobUpkeep");

  /** The ground that all walks end on; the page tells of it once. */
  private static final Set<String> GROUND =
      Set.of("connector.index", "connector.store", "connector.retry");

  /** They are of that ground too. */
  private static final Set<String> WRAPPING = Set.of("FirstWriteStore", "DenialExplainingStore");

  private final SimulatedCluster cluster = SimulatedCluster.withPools("p");
  private final Configuration conf = configuration("client.walker");
  private final RecordedWalk walk = new RecordedWalk(cluster.client("client.walker"));

  private interface Call {
    void run() throws Exception;
  }

  private Configuration configuration(String user) {
    Configuration configuration = SimulatedConnections.configuration(cluster);
    configuration.set("fs.rados.ceph.user", user);
    // A process that keeps replaced data collects in the background.
    configuration.set("fs.rados.replaced.retention", "0");
    return configuration;
  }

  private static FileSystem open(Configuration configuration) throws IOException {
    return FileSystem.get(URI.create("rados://p/"), configuration);
  }

  @Test
  void aByteFromCreateToVisible() throws Exception {
    try (FileSystem other = open(configuration("client.other"))) {
      other.create(new Path("/d/others")).close();
    }
    try (FileSystem fs = open(conf)) {
      check(
          "A byte from create to visible",
          () -> {
            try (FSDataOutputStream out = fs.create(new Path("/d/f"))) {
              out.write(1);
            }
          });
    }
  }

  @Test
  void aManifestFromCommitTaskToVisible() throws Exception {
    Path out = new Path("rados://p/out");
    JobID id = new JobID("20261121", 7);
    JobContextImpl job = new JobContextImpl(conf, id);
    TaskAttemptContext task =
        new TaskAttemptContextImpl(conf, new TaskAttemptID(new TaskID(id, TaskType.MAP, 0), 0));
    RadosOutputCommitter driver = new RadosOutputCommitter(out, job);
    driver.setupJob(job);
    RadosOutputCommitter attempt = new RadosOutputCommitter(out, task);
    attempt.setupTask(task);
    check(
        "A manifest from commitTask to visible",
        () -> {
          // One partition: with several, other threads help, in an order of their own.
          Path file = new Path(attempt.getWorkPath(), "p=1/part-0");
          file.getFileSystem(conf).create(file).close();
          attempt.commitTask(task);
          driver.commitJob(job);
        });
  }

  @Test
  void aLookUp() throws Exception {
    try (FileSystem fs = open(conf)) {
      fs.create(new Path("/d/f")).close();
      check("A look-up", () -> fs.getFileStatus(new Path("/d/f")));
    }
  }

  @Test
  void aRenameAcrossDirectories() throws Exception {
    try (FileSystem fs = open(conf)) {
      fs.create(new Path("/tree/a/b/f")).close();
      fs.create(new Path("/d/others")).close();
      check(
          "A rename across directories",
          () -> assertThat(fs.rename(new Path("/tree/a"), new Path("/d/a"))).isTrue());
    }
  }

  @Test
  void gc() throws Exception {
    Configuration dead = configuration("client.dead");
    Path out = new Path("rados://p/out");
    JobContextImpl job = new JobContextImpl(dead, new JobID("20261121", 7));
    new RadosOutputCommitter(out, job).setupJob(job);
    try (FileSystem fs = open(dead)) {
      fs.create(new Path("/d/removed")).close();
      FSDataOutputStream left = fs.create(new Path("/d/left"));
      left.write(new byte[5 << 20]);
      cluster.client("client.dead").blocklist();
      check("gc", () -> assertThat(collect()).isZero());
    }
  }

  private int collect() {
    List<String> arguments = new ArrayList<>(List.of("gc", "--older-than", "0s"));
    for (String key :
        List.of("fs.rados.cluster.factory", "fs.rados.ceph.conf", "fs.rados.ceph.user")) {
      arguments.add("-D" + key + "=" + conf.get(key));
    }
    arguments.add("rados://p/");
    return Radosfs.run(
        new PrintWriter(new StringWriter()),
        new PrintWriter(new StringWriter()),
        arguments.toArray(String[]::new));
  }

  private void check(String heading, Call call) throws Exception {
    walk.begin();
    call.run();
    List<Step> steps = walk.end();
    assertThat(steps).isNotEmpty();

    Set<String> written = written(heading);
    List<String> taken = steps.stream().map(Step::callee).distinct().toList();
    assertThat(steps)
        .as("steps of the walk '%s' into classes that %s does not name there", heading, PAGE)
        .filteredOn(step -> !isGround(step.to()) && !written.contains(step.callee()))
        .isEmpty();
    assertThat(written.stream().filter(taken::contains))
        .as("the walk '%s' as %s has it, and as it is taken", heading, PAGE)
        .containsExactlyElementsOf(taken.stream().filter(written::contains).toList());
    assertThat(steps)
        .as("steps of the walk '%s' that climb up", heading)
        .filteredOn(step -> step.from() != null && height(step.to()) > height(step.from()))
        .filteredOn(step -> !step.again() && !CALLED_BY_AN_INTERFACE.contains(step.callee()))
        .isEmpty();
  }

  private static boolean isGround(Class<?> type) {
    String name = type.getPackageName().substring("io.radosfs.".length());
    return GROUND.contains(name) || WRAPPING.contains(type.getSimpleName());
  }

  /** How far up a class is in the list of packages. */
  private static int height(Class<?> type) {
    int place = DOWNWARDS.indexOf(type.getPackageName().substring("io.radosfs.".length()));
    assertThat(place).as("the place of %s among the packages", type).isNotNegative();
    return -place;
  }

  /** The classes that the page names in a walk, in their order. */
  private static Set<String> written(String heading) {
    String page = Repository.page(PAGE);
    int begin = page.indexOf("\n## " + heading + "\n");
    assertThat(begin).as("'%s' in %s", heading, PAGE).isNotNegative();
    int end = page.indexOf("\n## ", begin + 1);
    return CLASS
        .matcher(page.substring(begin, end < 0 ? page.length() : end))
        .results()
        .map(name -> name.group(1))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
