// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.job.JobDescription;
import io.radosfs.connector.mount.Mount;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows one job. */
@Command(
    name = "show",
    description = "Shows how far a job has come, what its tasks have written, and its plan.")
final class JobsShowCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private Target target;

  @Parameters(index = "1", paramLabel = "ID", description = "The job's id, or its beginning.")
  private String id;

  @Option(names = "--json", description = "Print it as JSON.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    JobDescription job;
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration())) {
      JobTools tools = JobTools.of(mount, target.configuration());
      job = tools.describe(tools.find(target.path(), id));
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(JobText.json(JobText.full(job)));
      out.flush();
    } else {
      print(job, out);
    }
    return 0;
  }

  private static void print(JobDescription job, PrintWriter out) {
    Table table = new Table();
    JobText.brief(job).forEach(table::row);
    table.row("last heartbeat", new JobText(System.currentTimeMillis()).ago(job.lastHeartbeat()));
    job.plan()
        .ifPresent(
            plan -> {
              table.row("plan", plan.attempts() + " attempts become visible");
              plan.directories().forEach(directory -> table.row("  directory", directory));
              plan.replaced().forEach(path -> table.row("  replaces", path));
              if (plan.partitions()) {
                table.row("  replaces", "what is in the partitions that get files");
              }
            });
    table.print(out);
    if (!job.attempts().isEmpty()) {
      Columns columns = new Columns("TASK", "ATTEMPT", "STATUS", "FILES", "BYTES", "OPEN");
      for (JobDescription.Attempt attempt : job.attempts()) {
        columns.row(
            attempt.task(),
            attempt.attempt(),
            attempt.status(),
            attempt.files(),
            attempt.bytes(),
            attempt.open());
      }
      columns.print(out);
    }
  }
}
