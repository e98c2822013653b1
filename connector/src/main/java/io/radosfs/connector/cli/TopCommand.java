// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.cli.ending.UntilStopped;
import io.radosfs.connector.job.JobDescription;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.ObjectStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows jobs and throughput, live. */
@Command(
    name = "top",
    header = "Shows jobs and the throughput of the pools, live.",
    description =
        "Shows the jobs on a directory and below it, with what their tasks have closed and"
            + " committed and how fast that grows, and what all clients read from the pools and"
            + " write to them. It ends by Ctrl-C. On a terminal each refresh takes the place of the"
            + " last; elsewhere it follows it. Throughput is known from the second refresh on, that"
            + " of pools as the OSDs report it, over some ten seconds. A refresh reads the records"
            + " of known jobs and asks a monitor once for each pool; every directory is read only"
            + " from time to time, for new jobs (--search). It changes nothing.",
    exitCodeList = {
      "0:it is done, also if Ctrl-C ended it",
      "1:it failed, or something could not be read; stderr or the output says what",
      "2:the command line was not understood; nothing was done",
    })
final class TopCommand implements Callable<Integer> {

  /** OSDs report in steps of {@code mgr_stats_period}, 5 seconds. */
  private static final long POOL_WINDOW = TimeUnit.SECONDS.toNanos(10);

  private static final Comparator<TopText.OfJob> FASTEST_FIRST =
      Comparator.comparing((TopText.OfJob job) -> job.bytesPerSecond().orElse(0.0)).reversed();

  @Spec private CommandSpec spec;
  @Mixin private Target target;
  @Mixin private Output output;
  @Mixin private Sizes sizes;

  @Option(
      names = {"-i", "--interval"},
      paramLabel = "TIME",
      defaultValue = "5s",
      description = "Time from one refresh to the next (default: ${DEFAULT-VALUE}).")
  private String interval;

  @Option(
      names = {"-n", "--count"},
      paramLabel = "N",
      description = "End after so many refreshes.")
  private Long count;

  @Option(
      names = "--search",
      paramLabel = "TIME",
      defaultValue = "30s",
      description =
          "How often directories are searched for new jobs (default: ${DEFAULT-VALUE}). That reads"
              + " each of them.")
  private String search;

  private final Map<String, Rate> jobRates = new HashMap<>();
  private final Map<String, Rate> poolRates = new HashMap<>();

  /** What could not be read so far; each is told of once. */
  private final Set<String> unread = new HashSet<>();

  /** What could not be read in this refresh, and why. */
  private final List<String> failed = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    output.endUnread();
    long pause = positive("--interval", interval);
    long between = TimeUnit.MILLISECONDS.toNanos(positive("--search", search));
    if (count != null && count < 1) {
      throw new ParameterException(spec.commandLine(), "--count " + count + ": 1 or more");
    }
    try (UntilStopped until = new UntilStopped();
        Mount mount = Mount.openExisting(target.authority(), target.configuration())) {
      JobTools tools = JobTools.of(mount, target.configuration());
      JobWatch watch = new JobWatch(tools, target.path(), between);
      until.run(
          () -> {
            List<ObjectStore> pools = mount.pools();
            for (long refresh = 1; ; refresh++) {
              show(look(mount, pools, watch), refresh);
              if (count != null && refresh >= count) {
                return;
              }
              Thread.sleep(pause);
            }
          });
    }
    return unread.isEmpty() ? 0 : 1;
  }

  private long positive(String option, String time) {
    long millis = OptionTime.millis(spec, option, time);
    if (millis <= 0) {
      throw new ParameterException(spec.commandLine(), option + " " + time + ": more than 0");
    }
    return millis;
  }

  private TopText look(Mount mount, List<ObjectStore> pools, JobWatch watch) throws IOException {
    failed.clear();
    Failures failures =
        (subject, failure) -> {
          String text = subject + ": " + failure.getMessage();
          failed.add(text);
          if (unread.add(subject) && !Radosfs.of(spec).screen()) {
            output.warn(text);
          }
        };
    try (ProgressLine progress = output.showing("top", new OperationCount(mount))) {
      List<TopText.OfPool> ofPools = new ArrayList<>();
      for (ObjectStore pool : pools) {
        ofPools.add(look(pool, pool == mount.index() ? "index" : "data", failures));
      }
      List<JobDescription> found = watch.look(System.nanoTime(), failures);
      long now = System.nanoTime();
      List<TopText.OfJob> jobs = new ArrayList<>();
      for (JobDescription job : found) {
        Rate rate = jobRates.computeIfAbsent(job.job().record(), any -> new Rate(0));
        jobs.add(new TopText.OfJob(job, rate.look(now, job.bytes()).map(rates -> rates[0])));
      }
      jobRates.keySet().retainAll(found.stream().map(job -> job.job().record()).toList());
      jobs.sort(FASTEST_FIRST);
      return new TopText(System.currentTimeMillis(), target.toString(), ofPools, jobs);
    }
  }

  private TopText.OfPool look(ObjectStore pool, String role, Failures failures) throws IOException {
    List<double[]> rates = new ArrayList<>();
    Rate rate = poolRates.computeIfAbsent(pool.pool(), any -> new Rate(POOL_WINDOW));
    boolean unused =
        failures.attempt(
            "throughput of pool " + pool.pool(),
            () -> {
              long[] counters = TopText.OfPool.counters(pool.usage().traffic());
              rate.look(System.nanoTime(), counters).ifPresent(rates::add);
            });
    return new TopText.OfPool(pool.pool(), role, rates.stream().findFirst());
  }

  private void show(TopText text, long refresh) throws InterruptedIOException {
    boolean screen = Radosfs.of(spec).screen();
    Optional<Window> window = screen ? Window.now() : Optional.empty();
    output.all(
        text.fields(),
        out -> {
          StringWriter block = new StringWriter();
          PrintWriter lines = new PrintWriter(block);
          if (screen) {
            failed.forEach(lines::println);
          }
          text.print(lines, sizes);
          if (screen) {
            Screen.show(out, block.toString(), window);
          } else {
            out.print((refresh > 1 ? System.lineSeparator() : "") + block);
          }
        });
    output.flush();
  }
}
