// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.job.JobDescription;
import io.radosfs.connector.job.RegisteredJob;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.store.Failures;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists jobs. */
@Command(
    name = "list",
    description = {
      "Lists the jobs on a directory and below it that have not ended, or of which something is",
      "left. Reads every directory; changes nothing. What cannot be read is reported, and left out."
    })
final class JobsListCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private Target target;

  @Option(names = "--json", description = "Print them as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    List<JobDescription> jobs = new ArrayList<>();
    AtomicInteger failed = new AtomicInteger();
    Failures failures =
        (subject, failure) -> {
          spec.commandLine().getErr().println("radosfs: " + subject + ": " + failure.getMessage());
          failed.incrementAndGet();
        };
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration())) {
      JobTools tools = JobTools.of(mount, target.configuration());
      for (RegisteredJob job : tools.below(target.path(), failures)) {
        boolean unused = failures.attempt(job.toString(), () -> jobs.add(tools.describe(job)));
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(JobText.json(jobs.stream().map(JobText::brief).toList()));
    } else if (jobs.isEmpty()) {
      out.println("no jobs");
    } else {
      print(jobs, out);
    }
    out.flush();
    return failed.get() > 0 ? 1 : 0;
  }

  private static void print(List<JobDescription> jobs, PrintWriter out) {
    JobText text = new JobText(System.currentTimeMillis());
    Columns columns =
        new Columns(
            "STATE",
            "ID",
            "DESTINATION",
            "TASKS",
            "FILES",
            "BYTES",
            "STARTED",
            "LAST HEARTBEAT",
            "OWNER");
    for (JobDescription job : jobs) {
      columns.row(
          JobText.state(job),
          job.job().id(),
          job.job().destination(),
          job.committed(),
          job.files(),
          job.bytes(),
          JobText.started(job),
          text.ago(job.lastHeartbeat()),
          JobText.owner(job));
    }
    columns.print(out);
  }
}
