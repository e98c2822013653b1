// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.upkeep.CollectionLog;
import io.radosfs.connector.upkeep.GarbageCollector;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Removes what crashed processes left. */
@Command(
    name = "gc",
    header = "Removes what crashed processes left.",
    description =
        "Removes what crashed processes left of files that were never closed, in a whole file"
            + " system: a URI with a path is refused. Finishes renames and"
            + " removals that they began. Brings jobs to their end whose drivers are dead, as"
            + " `jobs recover` does. Removes data of replaced files whose"
            + " fs.rados.replaced.retention is over. Safe while others work: a process that is"
            + " wrongly taken for dead gets an error for what it was writing, and nothing visible"
            + " is touched. Run it once a day. What was on its way to RADOS in one run is removed"
            + " by the next.")
final class GcCommand implements Callable<Integer> {

  @Mixin private Target target;
  @Mixin private Output output;
  @Mixin private Sizes sizes;

  @Option(
      names = "--dry-run",
      description =
          "Change nothing. Show which processes would be taken for dead, which "
              + "replaced data is kept, and until when.")
  private boolean dryRun;

  @Option(
      names = "--replaced-now",
      description =
          "Remove the data of replaced files at once; whoever is reading one of them gets an "
              + "error.")
  private boolean replacedNow;

  @Mixin private Age age;

  /** Returns 1 if something was kept that a later run must look at. */
  @Override
  public Integer call() throws IOException {
    CollectionLog log = Events.log(output, sizes);
    long before = age.before();
    try (Mount mount = Mount.openExisting(target.wholeFileSystem(), target.configuration());
        ProgressLine progress = output.showing("gc", new OperationCount(mount))) {
      GarbageCollector collector = mount.collector(log);
      Optional<JobTools> jobs = JobTools.find(mount, target.configuration());
      if (jobs.isEmpty() && !mount.jobRegistry().below(FsPath.ROOT, log::failed).isEmpty()) {
        output.warn("jobs are left alone: " + JobTools.MISSING);
      }
      if (dryRun) {
        if (jobs.isPresent()) {
          jobs.get().collector(log).preview(FsPath.ROOT, before);
        }
        collector.preview(before);
      } else {
        if (jobs.isPresent()) {
          jobs.get().collector(log).collect(FsPath.ROOT, before);
        }
        if (replacedNow) {
          collector.collect(before, Long.MAX_VALUE);
        } else {
          collector.collect(before);
        }
      }
    }
    output.result(
        () -> Events.summary(log).with("dryRun", dryRun),
        () -> dryRun ? "nothing was changed" : log.removed() + " removed, " + log.kept() + " kept");
    output.flush();
    return log.kept() > 0 ? 1 : 0;
  }
}
