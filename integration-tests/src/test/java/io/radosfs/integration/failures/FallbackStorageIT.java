// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.integration.PageCommands;
import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.programs.DecommissionedApp;
import io.radosfs.integration.programs.DecommissionedApp.Phase;
import io.radosfs.integration.spark.HookedConnections;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * An executor is decommissioned in the midst of a shuffle, as Kubernetes does before it takes a
 * machine away. No other executor takes its blocks, so they go to Spark's fallback storage: a
 * directory whose data is in a pool of its own, with one copy.
 */
class FallbackStorageIT {

  private static final String DIRECTORY = "shuffle";
  private static final long SECONDS = 120;
  private static final String DEEP = "radosfs.deep";

  private final CephCluster ceph = CephCluster.shared();
  private String index;
  private String scratch;

  @TempDir Path folder;

  @BeforeEach
  void makeDirectory() throws IOException {
    index = ceph.createPool();
    scratch = ceph.createPool();
    List<String> commands =
        PageCommands.of("committer/docs/kubernetes.md", "Executors that are taken away");
    assertThat(commands).hasSize(2).allMatch(command -> command.endsWith("//lake/" + DIRECTORY));
    for (String command : commands) {
      PageCommands.asAdmin(ceph)
          .run(
              command
                  .replace(" scratch ", " " + scratch + " ")
                  .replace("//lake/", "//" + index + "/"));
    }
  }

  @AfterEach
  void removePools() {
    ceph.deletePool(index);
    ceph.deletePool(scratch);
  }

  /** No stage and no task is tried again, whatever the reason. */
  @Test
  void eachTaskRunsOnce() throws Exception {
    assertThat(run(Phase.WRITE, true)).isEqualTo(DecommissionedApp.eachTaskOnce());
    assertStoredInScratch();
  }

  /**
   * An executor that has begun to read a shuffle keeps where its blocks were, so a task there may
   * have to be tried again by Spark; nothing is written again.
   */
  @Test
  @EnabledIfSystemProperty(named = DEEP, matches = "true", disabledReason = "is about Spark alone")
  void whatWroteIsNotRunAgainWhileTasksRead() throws Exception {
    assertThat(run(Phase.READ, true))
        .contains("write attempt 0 Success=" + DecommissionedApp.TASKS)
        .doesNotContain("write attempt 1");
    assertStoredInScratch();
  }

  /** The counterpart, which shows that the counts of the others can be different ones. */
  @Test
  @EnabledIfSystemProperty(named = DEEP, matches = "true", disabledReason = "is about Spark alone")
  void withoutFallbackStorageItIs() throws Exception {
    assertThat(run(Phase.READ, false)).contains("write attempt 1", "FetchFailed");
    assertThat(blocks(scratch)).isEmpty();
  }

  private void assertStoredInScratch() {
    List<String> stored = blocks(scratch);
    assertThat(stored)
        .as("of a task there are an index and its data")
        .hasSizeGreaterThanOrEqualTo(2)
        .anyMatch(object -> object.endsWith(".index"))
        .anyMatch(object -> object.endsWith(".data"));
    assertThat(blocks(index)).as("data beside the index").isEmpty();
  }

  private String directory() {
    return "rados://" + index + "/" + DIRECTORY + "/";
  }

  private List<String> blocks(String pool) {
    return ceph.listObjects(pool).stream()
        .filter(object -> object.matches(DIRECTORY + "/.*shuffle_[0-9_]+\\.(data|index)"))
        .toList();
  }

  /** Takes one of two executors away while tasks wait, and returns the answer of the driver. */
  private String run(Phase phase, boolean fallback) throws Exception {
    try (SparkProcesses processes =
        SparkProcesses.start(
            folder,
            DecommissionedApp.class,
            SparkSessions.PROTOCOL,
            HookedConnections.class,
            settings -> set(settings, fallback))) {
      processes.cluster().awaitExecutors();
      Path work = Files.createDirectories(folder.resolve("tasks"));
      processes.driver().tell(phase + " " + work);
      long leaving = awaitWaiting(work).get(0);
      decommission(leaving);
      Files.createFile(work.resolve(DecommissionedApp.GO_PROCESS + leaving));
      awaitEnd(leaving);
      Files.createFile(work.resolve(DecommissionedApp.GO));
      return processes.driver().answer();
    }
  }

  private void set(Map<String, String> settings, boolean fallback) {
    settings.put("spark.decommission.enabled", "true");
    settings.put("spark.storage.decommission.enabled", "true");
    // No executor that has a byte of shuffles takes those of others.
    settings.put("spark.storage.decommission.shuffleBlocks.maxDiskSize", "1");
    // An executor ends after the first look for blocks that follows its last task.
    settings.put("spark.storage.decommission.replicationReattemptInterval", "1s");
    if (fallback) {
      settings.put("spark.storage.decommission.fallbackStorage.path", directory());
    }
  }

  /** The processes of the tasks that wait, once they are two. */
  private static List<Long> awaitWaiting(Path work) throws Exception {
    long deadline = System.nanoTime() + SECONDS * 1_000_000_000;
    List<Long> waiting = waiting(work);
    while (waiting.size() < 2) {
      assertThat(System.nanoTime()).as("two tasks wait: %s", waiting).isLessThan(deadline);
      Thread.sleep(50);
      waiting = waiting(work);
    }
    return waiting;
  }

  private static List<Long> waiting(Path work) throws IOException {
    try (Stream<Path> files = Files.list(work)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith(DecommissionedApp.WAITS))
          .map(name -> name.substring(DecommissionedApp.WAITS.length()).split("-")[0])
          .map(Long::valueOf)
          .distinct()
          .toList();
    }
  }

  private static void decommission(long process) throws Exception {
    Process kill = new ProcessBuilder("kill", "-PWR", Long.toString(process)).start();
    assertThat(kill.waitFor()).isZero();
  }

  /** It ends by itself, when its blocks are elsewhere. */
  private static void awaitEnd(long process) throws Exception {
    long deadline = System.nanoTime() + SECONDS * 1_000_000_000;
    while (ProcessHandle.of(process).filter(ProcessHandle::isAlive).isPresent()) {
      assertThat(System.nanoTime()).as("executor %s ends", process).isLessThan(deadline);
      Thread.sleep(50);
    }
  }
}
