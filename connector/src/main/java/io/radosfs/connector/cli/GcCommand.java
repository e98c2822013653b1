package io.radosfs.connector.cli;

import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.upkeep.CollectionLog;
import io.radosfs.connector.upkeep.GarbageCollector;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Removes what crashed processes left. */
@Command(
    name = "gc",
    description = {
      "Removes what crashed processes left of files that were never closed, and finishes renames",
      "and removals that they began. Records of jobs are left alone. Safe while others work: a",
      "process wrongly taken for dead gets an error for the files that it was writing, and nothing",
      "visible is touched. Run it now and then; once more removes what was on its way the time",
      "before."
    })
final class GcCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  @Mixin private Target target;

  @Option(names = "--dry-run", description = "Only tell which processes would be taken for dead.")
  private boolean dryRun;

  @Option(
      names = "--older-than",
      paramLabel = "TIME",
      defaultValue = "1h",
      description =
          "Look at what processes left that have not been heard of for so long, such as 30m or 1d"
              + " (default: ${DEFAULT-VALUE}). Live ones are heard of every 5 minutes.")
  private String olderThan;

  /** Answers 1 when something was kept that must be looked at another time. */
  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    CollectionLog log = new CollectionLog(out::println);
    long before = before();
    try (Mount mount = Mount.openExisting(target.authority(), target.configuration())) {
      GarbageCollector collector = mount.collector(log);
      if (dryRun) {
        collector.preview(before);
        out.println("nothing was changed");
      } else {
        collector.collect(before);
        out.println(log.removed() + " removed, " + log.kept() + " kept");
      }
    }
    out.flush();
    return log.kept() > 0 ? 1 : 0;
  }

  /** The time of day that age ends at; no age at all means everything. */
  private long before() {
    Configuration parser = new Configuration(false);
    parser.set("--older-than", olderThan);
    long age = parser.getTimeDuration("--older-than", 0, TimeUnit.SECONDS, TimeUnit.MILLISECONDS);
    if (age < 0) {
      throw new IllegalArgumentException("--older-than " + olderThan + " is negative");
    }
    return age == 0 ? Long.MAX_VALUE : System.currentTimeMillis() - age;
  }
}
