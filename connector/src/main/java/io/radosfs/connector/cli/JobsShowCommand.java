// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.job.JobDescription;
import io.radosfs.connector.mount.Mount;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows one job. */
@Command(
    name = "show",
    header = "Shows one job.",
    description = "Shows how far a job has come, what its tasks have written, and its plan.")
final class JobsShowCommand implements Callable<Integer> {

  @Mixin private Target target;
  @Mixin private Output output;
  @Mixin private Sizes sizes;

  @Parameters(index = "1", paramLabel = "ID", description = "The job's id, or its beginning.")
  private String id;

  @Override
  public Integer call() throws IOException {
    JobDescription job;
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration())) {
      JobTools tools = JobTools.of(mount, target.configuration());
      job = tools.describe(tools.find(target.path(), id));
    }
    output.print(() -> JobText.full(job), out -> print(job, out));
    output.flush();
    return 0;
  }

  private void print(JobDescription job, PrintWriter out) {
    Table table = new Table();
    JobText.brief(job)
        .values()
        .forEach(
            (name, value) ->
                table.row(name, name.equals(JobText.BYTES) ? sizes.text(job.bytes()) : value));
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
            sizes.text(attempt.bytes()),
            attempt.open());
      }
      columns.print(out);
    }
  }
}
