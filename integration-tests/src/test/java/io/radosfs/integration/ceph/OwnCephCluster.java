// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.ceph;

import io.radosfs.integration.ceph.CephCluster.Result;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
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

  /** What a release that is not on this machine yet may take. */
  private static final Duration WITH_INSTALLATION = Duration.ofMinutes(10);

  private static final String MANAGER = "mgr.x";
  private static final String MONITOR = "mon.a";

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
    needDaemons();
    return startHere(
        osds, Release.isGiven() ? List.of("--release", Release.wanted().major()) : List.of());
  }

  /**
   * Starts a cluster of that release on this machine, by {@code scripts/ceph-dev} without a
   * container, so that it can be upgraded.
   */
  public static OwnCephCluster startHere(int osds, int release) {
    return startHere(osds, List.of("--release", Integer.toString(release)));
  }

  private static OwnCephCluster startHere(int osds, List<String> options) {
    String script = ContainerCephCluster.repository().resolve("scripts/ceph-dev").toString();
    Path folder = Scratch.folder();
    List<String> up = new ArrayList<>(List.of(script, "up", "--osds", Integer.toString(osds)));
    up.addAll(List.of("--dir", folder.toString()));
    up.addAll(List.of("--for", Long.toString(ProcessHandle.current().pid())));
    up.addAll(options);
    check(LocalCommand.run(Scratch.folder(), up, WITH_INSTALLATION));
    return new OwnCephCluster(
        GivenCephCluster.open(folder.resolve("ceph.conf"), "admin"), folder.toString(), script);
  }

  /**
   * Brings a cluster that {@link #startHere} started to a later release, one daemon after another.
   */
  public void upgrade(int release) {
    List<String> command = new ArrayList<>(List.of(script, "upgrade", "--dir", folder));
    command.addAll(List.of("--release", Integer.toString(release)));
    check(LocalCommand.run(Scratch.folder(), command, WITH_INSTALLATION));
  }

  /**
   * Begins to bring such a cluster to a later release, and ends that as Ctrl-C does, as soon as
   * this daemon of the earlier release was stopped. Then starts what does not run.
   */
  public void beginUpgrade(int release, int osds, String daemon) throws Exception {
    Path pid = Path.of(folder, "pids", daemon);
    String before = textOf(pid);
    Process begun =
        new ProcessBuilder(
                script, "upgrade", "--dir", folder, "--release", Integer.toString(release))
            .inheritIO()
            .start();
    Path upgrading = Path.of(folder, "upgrading");
    while (begun.isAlive() && before.equals(textOf(pid))) {
      Thread.sleep(20);
    }
    begun.destroy();
    int unused = begun.waitFor();
    if (!Files.exists(upgrading)) {
      throw new IllegalStateException("the upgrade to " + release + " was not ended early");
    }
    check(
        LocalCommand.run(
            Scratch.folder(),
            List.of(script, "up", "--osds", Integer.toString(osds), "--dir", folder),
            WITH_INSTALLATION));
  }

  /** Nothing if the file is not there. */
  private static String textOf(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException absent) {
      return "";
    }
  }

  private static void needDaemons() {
    if (!isInstalled("ceph-osd")) {
      throw new TestAbortedException(
          "OSDs of a given cluster (-D"
              + CephCluster.CONF_PROPERTY
              + ") are not killed by tests, and there is no ceph-osd here to start a cluster for that:"
              + " install Ceph's packages, or run the tests with Docker");
    }
  }

  private static boolean isInstalled(String command) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(each -> Files.isExecutable(Path.of(each, command)));
  }

  public CephCluster ceph() {
    return cluster;
  }

  /**
   * The release of the daemons that {@link #start} gives, such as 18.
   *
   * @throws TestAbortedException as {@link #start}
   */
  public static int release() {
    if (System.getProperty(CephCluster.CONF_PROPERTY, "").isBlank() || Release.isGiven()) {
      return Integer.parseInt(Release.wanted().major());
    }
    needDaemons();
    Result version = LocalCommand.run(Scratch.folder(), List.of("ceph-osd", "--version"));
    check(version);
    return Integer.parseInt(version.stdout().replaceFirst("(?s)^ceph version (\\d+)\\..*", "$1"));
  }

  /**
   * Runs {@code ceph ARGUMENTS} with the tools of the cluster's release and the monitor's own key,
   * which works whatever types of keys the cluster takes from others; throws if it failed.
   *
   * @return what it printed
   */
  public String cephAsMonitor(String... arguments) {
    List<String> command =
        new ArrayList<>(List.of(script, "exec", "--dir", folder, "--", "ceph", "--name", "mon."));
    command.addAll(List.of("--keyring", folder + "/mon/keyring"));
    command.addAll(List.of(arguments));
    Result result = cluster.execute(command);
    check(result);
    return result.stdout();
  }

  /** By SIGKILL. Returns once there is no process any more, which then counts as dead. */
  public void killOsd(int id) {
    on(
        osd(id),
        "kill -KILL $pid; "
            + whileThatIs("[ -n \"$(tr -d '\\0' 2>/dev/null </proc/$pid/cmdline)\" ]", "die"));
  }

  /**
   * By SIGSTOP: it answers nobody until it is resumed. Returns once all of its threads stand still:
   * the signal is taken in by one of them, and until that one comes to run the others go on.
   */
  public void suspendOsd(int id) {
    suspend(osd(id));
  }

  /** By SIGCONT; of no effect on one that is not suspended. */
  public void resumeOsd(int id) {
    resume(osd(id));
  }

  /** As {@link #suspendOsd}: nobody hears of a change of the cluster until it is resumed. */
  public void suspendMonitor() {
    suspend(MONITOR);
  }

  /** By SIGCONT; of no effect on one that is not suspended. */
  public void resumeMonitor() {
    resume(MONITOR);
  }

  /** As {@link #suspendOsd}. The monitors hear of no numbers of pools until it is resumed. */
  public void suspendManager() {
    suspend(MANAGER);
  }

  /** By SIGCONT; of no effect on one that is not suspended. */
  public void resumeManager() {
    resume(MANAGER);
  }

  private static String osd(int id) {
    return "osd." + id;
  }

  private void suspend(String daemon) {
    on(
        daemon,
        "kill -STOP $pid || exit 1; "
            + whileThatIs("grep -h '^State:' /proc/$pid/task/*/status | grep -qv stopped", "stop"));
  }

  /** Commands that wait while a command succeeds, for half a minute. */
  private static String whileThatIs(String command, String verb) {
    return "for i in {1..3000}; do %s || exit 0; sleep 0.01; done; echo \"process $pid does not %s\" >&2; exit 1"
        .formatted(command, verb);
  }

  private void resume(String daemon) {
    on(daemon, "kill -CONT $pid");
  }

  /** Runs commands that find the process in {@code $pid}. */
  private void on(String daemon, String commands) {
    String pid = "pid=$(cat \"" + folder + "/pids/" + daemon + "\") || exit 1; ";
    check(cluster.execute(List.of("bash", "-c", pid + commands)));
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
