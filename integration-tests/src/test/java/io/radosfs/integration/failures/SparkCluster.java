// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import io.radosfs.integration.programs.Program;
import io.radosfs.integration.programs.SparkEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.deploy.master.Master;
import org.apache.spark.deploy.worker.Worker;

/**
 * A standalone Spark cluster of separate processes on loopback: a master, and workers of one core,
 * each with the executors that it starts. Each worker has an address of its own, as Spark tries a
 * slow task again on another host only.
 */
public final class SparkCluster implements AutoCloseable {

  private static final Duration START = Duration.ofSeconds(60);
  private static final Pattern MASTER = Pattern.compile("Starting Spark master at (spark://\\S+)");
  private static final Pattern REGISTERED =
      Pattern.compile("Successfully registered with master (\\S+)");

  private final Path folder;
  private final String url;
  private final Program master;
  private final List<Program> workers;

  private SparkCluster(Path folder, String url, Program master, List<Program> workers) {
    this.folder = folder;
    this.url = url;
    this.master = master;
    this.workers = workers;
  }

  /**
   * Starts a cluster, and waits until the workers are known to the master.
   *
   * @param folder its logs, and what Spark's processes write, are below
   */
  static SparkCluster start(Path folder, int workers) throws IOException, InterruptedException {
    List<Program> started = new ArrayList<>();
    try {
      Program master =
          daemon(
              folder,
              Master.class,
              "127.0.0.1",
              "--host",
              "127.0.0.1",
              "--port",
              "0",
              "--webui-port",
              "0");
      started.add(master);
      String url = master.awaitLogged(MASTER, START);
      for (int i = 1; i <= workers; i++) {
        String host = "127.0.0." + i;
        started.add(
            daemon(
                folder,
                Worker.class,
                host,
                "--host",
                host,
                "--port",
                "0",
                "--webui-port",
                "0",
                "--cores",
                "1",
                "--memory",
                "640m",
                "--work-dir",
                folder.resolve("work" + i).toString(),
                url));
      }
      List<Program> all = started.subList(1, started.size());
      for (Program worker : all) {
        String known = worker.awaitLogged(REGISTERED, START);
      }
      return new SparkCluster(folder, url, master, List.copyOf(all));
    } catch (IOException | InterruptedException | RuntimeException | AssertionError e) {
      started.forEach(Program::close);
      throw e;
    }
  }

  private static Program daemon(Path folder, Class<?> main, String host, String... arguments)
      throws IOException {
    Map<String, String> properties =
        Map.of(
            "log4j2.configurationFile", logging("talkative"), "spark.master.rest.enabled", "false");
    return Program.start(folder, main, properties, SparkEnvironment.of(folder, host), arguments);
  }

  private static String logging(String name) {
    return Path.of("target", "test-classes", "log4j2-" + name + ".properties").toUri().toString();
  }

  /** Settings of an application on it, for {@link Program}: two executors of one core. */
  Map<String, String> application(Path cephConf) throws IOException {
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.master", url);
    settings.put("spark.app.name", "failures");
    settings.put("spark.driver.host", "127.0.0.1");
    settings.put("spark.driver.bindAddress", "127.0.0.1");
    settings.put("spark.ui.enabled", "false");
    settings.put("spark.local.dir", folder.resolve("local").toString());
    settings.put("spark.cores.max", Integer.toString(workers.size()));
    settings.put("spark.executor.cores", "1");
    settings.put("spark.executor.memory", "512m");
    settings.put("spark.executor.extraClassPath", Program.classPath());
    settings.put(
        "spark.executor.extraJavaOptions",
        "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dlog4j2.configurationFile=" + logging("test"));
    settings.put("spark.scheduler.minRegisteredResourcesRatio", "1");
    settings.put("spark.sql.shuffle.partitions", "2");
    settings.put("spark.hadoop.fs.rados.ceph.conf", cephConf.toAbsolutePath().toString());
    return settings;
  }

  /** The processes of executors that are alive. */
  Set<Long> executors() {
    return workers.stream()
        .flatMap(worker -> ProcessHandle.of(worker.pid()).stream())
        .flatMap(ProcessHandle::children)
        .filter(ProcessHandle::isAlive)
        .map(ProcessHandle::pid)
        .collect(Collectors.toSet());
  }

  /**
   * The same, once there is one for each worker: the master starts another one for each that dies.
   */
  Set<Long> awaitExecutors() throws InterruptedException {
    long deadline = System.nanoTime() + START.toNanos();
    Set<Long> executors = executors();
    while (executors.size() < workers.size()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("executors are missing; there are " + executors);
      }
      Thread.sleep(100);
      executors = executors();
    }
    return executors;
  }

  /** Ends all its processes, which are told by what started them. */
  @Override
  public void close() {
    List<ProcessHandle> executors =
        executors().stream().flatMap(pid -> ProcessHandle.of(pid).stream()).toList();
    workers.forEach(Program::close);
    master.close();
    executors.forEach(ProcessHandle::destroyForcibly);
  }
}
