// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.ceph;

import io.radosfs.integration.ceph.CephCluster.Result;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.opentest4j.TestAbortedException;

/**
 * A cluster for one test class alone, whose daemons it may kill: in a container of its own where
 * the shared cluster is in one, else started by {@code scripts/ceph-dev} on this machine.
 */
public final class OwnCephCluster implements AutoCloseable {

  private final CephCluster cluster;
  private final String folder;
  private final String script;

  private final AtomicBoolean closed = new AtomicBoolean();

  private OwnCephCluster(CephCluster cluster, String folder, String script) {
    this.cluster = cluster;
    this.folder = folder;
    this.script = script;
    // For a JVM that ends before its tests have.
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "stop a Ceph cluster"));
  }

  /**
   * Starts a cluster.
   *
   * @throws TestAbortedException where the tests run on a given cluster, and this machine has no
   *     Ceph to start another one with
   */
  public static OwnCephCluster start(int osds) {
    if (System.getProperty(CephCluster.CONF_PROPERTY, "").isBlank()) {
      return new OwnCephCluster(
          ContainerCephCluster.start(osds),
          ContainerCephCluster.CLUSTER_FOLDER,
          ContainerCephCluster.SCRIPT);
    }
    if (!isInstalled("ceph-osd")) {
      throw new TestAbortedException(
          "OSDs of a given cluster (-D"
              + CephCluster.CONF_PROPERTY
              + ") are not killed by tests, and there is no ceph-osd here to start a cluster for that:"
              + " install Ceph's packages, or run the tests with Docker");
    }
    Path script = ContainerCephCluster.repository().resolve("scripts/ceph-dev");
    Path folder = Scratch.folder();
    List<String> up =
        new ArrayList<>(
            List.of(
                script.toString(),
                "up",
                "--osds",
                Integer.toString(osds),
                "--dir",
                folder.toString()));
    if (Release.isGiven()) {
      up.addAll(List.of("--release", Release.wanted().major()));
    }
    check(LocalCommand.run(Scratch.folder(), up));
    return new OwnCephCluster(
        GivenCephCluster.open(folder.resolve("ceph.conf"), "admin"),
        folder.toString(),
        script.toString());
  }

  private static boolean isInstalled(String command) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(each -> Files.isExecutable(Path.of(each, command)));
  }

  public CephCluster ceph() {
    return cluster;
  }

  /** By SIGKILL. */
  public void killOsd(int id) {
    signalOsd("KILL", id);
  }

  /** By SIGSTOP: it answers nobody until it is resumed. */
  public void suspendOsd(int id) {
    signalOsd("STOP", id);
  }

  /** By SIGCONT; of no effect on one that is not suspended. */
  public void resumeOsd(int id) {
    signalOsd("CONT", id);
  }

  private void signalOsd(String signal, int id) {
    check(
        cluster.execute(
            List.of(
                "bash",
                "-c",
                "kill -" + signal + " \"$(cat " + folder + "/pids/osd." + id + ")\"")));
  }

  /** Starts the daemons that do not run, and waits until the cluster is healthy. */
  public void startDead() {
    check(cluster.execute(List.of(script, "up", "--dir", folder)));
  }

  private static void check(Result result) {
    if (result.exitCode() != 0) {
      throw new IllegalStateException(result.stdout() + result.stderr());
    }
  }

  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    if (cluster instanceof ContainerCephCluster) {
      cluster.close();
    } else {
      check(cluster.execute(List.of(script, "down", "--purge", "--dir", folder)));
    }
  }
}
