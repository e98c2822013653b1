// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.job.JobDescription;
import io.radosfs.connector.job.JobUpkeep;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.transaction.Transactions;
import io.radosfs.connector.upkeep.CollectionLog;
import io.radosfs.connector.upkeep.JobCollector;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Aborts a job. */
@Command(
    name = "abort",
    header = "Aborts a job.",
    description =
        "Aborts a job and removes what it wrote, and nothing else. Refused while it shows signs of"
            + " life, unless forced: its driver and tasks then get an error.",
    exitCodeList = {
      "0:it is aborted",
      "1:it is committed already, or seems alive, or something failed",
      "2:the command line was not understood; nothing was done",
    })
final class JobsAbortCommand implements Callable<Integer> {

  @Mixin private Target target;
  @Mixin private Output output;
  @Mixin private Sizes sizes;
  @Mixin private Age age;

  @Parameters(index = "1", paramLabel = "ID", description = "The job's id, or its beginning.")
  private String id;

  @Option(
      names = "--force",
      description =
          "Even if its last heartbeat is recent. While a process of it may still write, its record"
              + " stays, so that what comes late is found.")
  private boolean force;

  @Override
  public Integer call() throws IOException {
    CollectionLog log = Events.log(output, sizes);
    JobUpkeep.Outcome outcome;
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration());
        ProgressLine progress = output.showing("jobs abort", new OperationCount(mount))) {
      JobTools tools = JobTools.of(mount, target.configuration());
      JobDescription job = tools.describe(tools.find(target.path(), id));
      if (job.job().decision() == Transactions.State.COMMITTED) {
        throw new IOException(
            job.job()
                + " is committed, its files stay visible; nothing was changed. To remove what it"
                + " left over: radosfs jobs recover");
      }
      JobCollector collector = tools.collector(log);
      if (force) {
        outcome = collector.end(job.job(), age.before()).outcome();
      } else {
        JobsRecoverCommand.requireDead(job, age.before());
        outcome = collector.collect(job.job(), age.before()).outcome();
      }
    }
    output.flush();
    return outcome == JobUpkeep.Outcome.ABORTED ? 0 : 1;
  }
}
