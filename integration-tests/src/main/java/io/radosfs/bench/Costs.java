// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.workbench.CephCli;
import io.radosfs.workbench.OsdCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Measures what work takes: of this process, of daemons on this machine, and of the OSDs. */
final class Costs {

  private static final Path STAT = Path.of("/proc/stat");
  private static final double TICKS = 100;

  private final CephCli ceph;
  private final List<ProcessHandle> between;
  private final List<ProcessHandle> osds;

  /** Some work. */
  interface Work {
    void run() throws Exception;
  }

  private record State(
      OsdCounters osds, double client, double between, double osdCpu, double machine) {}

  /**
   * Costs on a cluster.
   *
   * @param processes ids of what stands between
   */
  Costs(Path cephConf, Collection<Long> processes) {
    this.ceph = new CephCli(cephConf);
    this.between = processes.stream().map(pid -> ProcessHandle.of(pid).orElseThrow()).toList();
    this.osds = osdsOf(cephConf);
  }

  /** OSDs of other machines are none of it. */
  private static List<ProcessHandle> osdsOf(Path cephConf) {
    String conf = cephConf.toAbsolutePath().normalize().toString();
    return ProcessHandle.allProcesses()
        .filter(
            process ->
                process
                    .info()
                    .commandLine()
                    .map(line -> line.contains("ceph-osd") && line.contains(conf))
                    .orElse(false))
        .toList();
  }

  /** How many OSDs are on this machine. */
  int osdsHere() {
    return osds.size();
  }

  Cost of(Work work) throws Exception {
    return of(work, this::state);
  }

  /** The same but for what the OSDs count, which takes a second or more to ask for. */
  Cost ofProcessors(Work work) throws Exception {
    return of(work, () -> state(OsdCounters.NONE));
  }

  private static Cost of(Work work, Callable<State> state) throws Exception {
    State before = state.call();
    long started = System.nanoTime();
    work.run();
    double seconds = (System.nanoTime() - started) / 1e9;
    State after = state.call();
    return new Cost(
        seconds,
        after.osds.minus(before.osds),
        after.client - before.client,
        after.between - before.between,
        after.osdCpu - before.osdCpu,
        after.machine - before.machine);
  }

  private State state() throws IOException {
    return state(ceph.osdCounters());
  }

  private State state(OsdCounters counted) throws IOException {
    return new State(
        counted,
        seconds(List.of(ProcessHandle.current())),
        seconds(between),
        seconds(osds),
        secondsOfTheMachine());
  }

  /**
   * What all processors together have worked since the machine was started: user, nice, system, irq
   * and softirq of the first line of /proc/stat, which counts in hundredths of a second (proc(5)).
   */
  private static double secondsOfTheMachine() throws IOException {
    String[] ticks;
    try (Stream<String> lines = Files.lines(STAT)) {
      ticks = lines.findFirst().orElseThrow().split("\\s+");
    }
    return IntStream.of(1, 2, 3, 6, 7).mapToLong(i -> Long.parseLong(ticks[i])).sum() / TICKS;
  }

  private static double seconds(List<ProcessHandle> processes) {
    return processes.stream()
        .map(process -> process.info().totalCpuDuration().orElseThrow())
        .mapToDouble(Costs::seconds)
        .sum();
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
