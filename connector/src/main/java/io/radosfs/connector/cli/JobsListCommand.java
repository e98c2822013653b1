// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.job.JobDescription;
import io.radosfs.connector.job.RegisteredJob;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.upkeep.FutureHeartbeat;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists jobs. */
@Command(
    name = "list",
    header = "Lists jobs.",
    description =
        "Lists the jobs on a directory and below it that have not ended, or of which something is"
            + " left. Reads every directory; changes nothing. What cannot be read is reported, and"
            + " left out.")
final class JobsListCommand implements Callable<Integer> {

  @Mixin private Target target;
  @Mixin private Output output;
  @Mixin private Sizes sizes;

  @Override
  public Integer call() throws IOException {
    output.endUnread();
    List<JobDescription> jobs = new ArrayList<>();
    AtomicInteger failed = new AtomicInteger();
    Failures failures =
        (subject, failure) -> {
          output.warn(subject + ": " + failure.getMessage());
          failed.incrementAndGet();
        };
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration());
        ProgressLine progress = output.showing("jobs list", new OperationCount(mount))) {
      JobTools tools = JobTools.of(mount, target.configuration());
      for (RegisteredJob job : tools.below(target.path(), failures)) {
        boolean unused = failures.attempt(job.toString(), () -> jobs.add(tools.describe(job)));
      }
    }
    jobs.removeIf(JobDescription::hasEnded);
    output.all(jobs.stream().map(JobText::brief).toList(), out -> print(jobs, out));
    long now = System.currentTimeMillis();
    for (JobDescription job : jobs) {
      FutureHeartbeat.of(job.lastHeartbeat(), now)
          .ifPresent(future -> output.warn(job.job() + ", " + future.ofJob(job.job().id())));
    }
    output.flush();
    return failed.get() > 0 ? 1 : 0;
  }

  private void print(List<JobDescription> jobs, PrintWriter out) {
    if (jobs.isEmpty()) {
      out.println("no jobs");
      return;
    }
    new JobColumns(System.currentTimeMillis(), sizes).table(jobs).print(out);
  }
}
