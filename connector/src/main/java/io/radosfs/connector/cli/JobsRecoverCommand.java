// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.job.JobDescription;
import io.radosfs.connector.job.JobUpkeep;
import io.radosfs.connector.job.RegisteredJob;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.upkeep.CollectionLog;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Ends jobs whose drivers are dead. */
@Command(
    name = "recover",
    header = "Ends jobs whose drivers are dead.",
    description =
        "Brings jobs to their end whose drivers are dead: one job, or all on the directory and"
            + " below it. A job whose commit was decided is finished. Any other is aborted, and"
            + " what it wrote is removed. A process of a job that is alive after all can add"
            + " nothing more to it, and gets an error that says so.",
    exitCodeList = {
      "0:done",
      "1:the job seems alive, or is being set up, or something failed",
      "2:the command line was not understood; nothing was done",
    })
final class JobsRecoverCommand implements Callable<Integer> {

  @Mixin private Target target;
  @Mixin private Output output;
  @Mixin private Sizes sizes;
  @Mixin private Age age;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "ID",
      description = "This job alone: its id, or the beginning of it.")
  private String id;

  @Option(
      names = "--force",
      description =
          "Whatever the last heartbeat: no process of the job is left. Without ID, of no job on the"
              + " directory and below it.")
  private boolean force;

  @Override
  public Integer call() throws IOException {
    CollectionLog log = Events.log(output, sizes);
    Optional<JobUpkeep.Outcome> outcome = Optional.empty();
    long before = force ? Long.MAX_VALUE : age.before();
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration());
        ProgressLine progress = output.showing("jobs recover", new OperationCount(mount))) {
      JobTools tools = JobTools.of(mount, target.configuration());
      if (id == null) {
        tools.collector(log).collect(target.path(), before);
      } else {
        RegisteredJob job = tools.find(target.path(), id);
        requireDead(tools.describe(job), before);
        outcome = Optional.of(tools.collector(log).collect(job, before).outcome());
      }
    }
    output.result(
        () ->
            new Fields()
                .with("type", "summary")
                .with("ended", log.jobsEnded())
                .with("leftAlone", log.jobsLeftAlone())
                .with("kept", log.kept()),
        () ->
            String.format(
                "%d jobs ended, %d left alone, %d kept",
                log.jobsEnded(), log.jobsLeftAlone(), log.kept()));
    output.flush();
    return log.kept() > 0 || outcome.filter(JobUpkeep.Outcome::isLeftAlone).isPresent() ? 1 : 0;
  }

  /**
   * @throws IOException if the job's last heartbeat is after that time
   */
  static void requireDead(JobDescription job, long before) throws IOException {
    if (job.lastHeartbeat() > before) {
      throw new IOException(
          job.job()
              + " had its last heartbeat "
              + new JobText(System.currentTimeMillis()).ago(job.lastHeartbeat())
              + " (driver: "
              + JobText.owner(job)
              + "), so it may be alive; nothing was changed. If no process of it is left: --force");
    }
  }
}
