// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.upkeep.CollectionLog;
import io.radosfs.connector.upkeep.GarbageCollector;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Removes what crashed processes left. */
@Command(
    name = "gc",
    description = {
      "Removes what crashed processes left of files that were never closed. Finishes renames and",
      "removals that they began. Brings jobs to their end whose drivers are dead, as `jobs",
      "recover` does. Removes data of replaced files whose fs.rados.replaced.retention is over.",
      "Safe while others work: a process that is wrongly taken for dead gets an error for what",
      "it was writing, and nothing visible is touched. Run it once a day. What was on its way to",
      "RADOS in one run is removed by the next."
    })
final class GcCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private Target target;

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
    PrintWriter out = spec.commandLine().getOut();
    CollectionLog log = new CollectionLog(out::println);
    long before = age.before();
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration())) {
      GarbageCollector collector = mount.collector(log);
      Optional<JobTools> jobs = JobTools.find(mount, target.configuration());
      if (jobs.isEmpty() && !mount.jobRegistry().below(FsPath.ROOT, log::failed).isEmpty()) {
        out.println("jobs are left alone: " + JobTools.MISSING);
      }
      if (dryRun) {
        if (jobs.isPresent()) {
          jobs.get().collector(log).preview(FsPath.ROOT, before);
        }
        collector.preview(before);
        out.println("nothing was changed");
      } else {
        if (jobs.isPresent()) {
          jobs.get().collector(log).collect(FsPath.ROOT, before);
        }
        if (replacedNow) {
          collector.collect(before, Long.MAX_VALUE);
        } else {
          collector.collect(before);
        }
        out.println(log.removed() + " removed, " + log.kept() + " kept");
      }
    }
    out.flush();
    return log.kept() > 0 ? 1 : 0;
  }
}
