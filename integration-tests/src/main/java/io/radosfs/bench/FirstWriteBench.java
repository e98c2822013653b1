// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.programs.FirstWriteProgram;
import io.radosfs.bench.programs.TimedWrite;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.bench.works.JobData;
import io.radosfs.bench.works.Turns;
import io.radosfs.bench.works.WorkGoals;
import io.radosfs.bench.works.WorkSide;
import io.radosfs.connector.config.Options;
import io.radosfs.workbench.JavaProgram;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * The first small table of a session that has just begun, to rados:// and to the local disk in
 * turns. Each is measured by a {@link FirstWriteProgram} of its own, since a JVM has one beginning.
 */
final class FirstWriteBench implements BenchPart {

  private static final String NAME = "first-write";
  private static final String WORK = "a session and its first table";

  /** As much as Spark's driver has if nothing is set. */
  private static final List<String> OPTIONS = List.of("-Xmx1g");

  /** Much longer than any takes. */
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final WorkSide rados;
  private final WorkSide disk;
  private final Path cephConf;
  private final int rounds;
  private final TimeTold progress;
  private final SideTimes times = new SideTimes(true);

  FirstWriteBench(URI base, Path cephConf, Path localDirectory, int rounds, TimeTold progress) {
    this.rados = WorkSide.rados(base, NAME);
    this.disk = WorkSide.disk(localDirectory, NAME);
    this.cephConf = cephConf.toAbsolutePath();
    this.rounds = rounds;
    this.progress = progress;
  }

  @Override
  public void run(BenchResults results) throws IOException, InterruptedException {
    progress.begin(NAME, 2L * (rounds + 1));
    try {
      for (int round = 0; round <= rounds; round++) {
        // Each goes first in every other round.
        for (WorkSide side : Turns.of(List.of(disk, rados), round)) {
          measure(side, round);
        }
        if (!times.isEmpty()) {
          Figures figures = new Figures(NAME);
          times.tell(figures, WORK, WorkGoals.FIRST_WRITE);
          results.measured(figures.list());
        }
      }
    } finally {
      Configuration configuration = new Configuration();
      configuration.set(Options.CEPH_CONF.key(), cephConf.toString());
      for (WorkSide side : List.of(disk, rados)) {
        side.root().getFileSystem(configuration).delete(side.root(), true);
      }
    }
  }

  private void measure(WorkSide side, int round) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    arguments.add(new org.apache.hadoop.fs.Path(side.root(), "table-" + round).toString());
    if (side == rados) {
      arguments.add(cephConf.toString());
    }
    List<TimedWrite> told = new ArrayList<>();
    JobData.quiesce();
    int status =
        JavaProgram.run(
            JavaProgram.of(FirstWriteProgram.class, OPTIONS, arguments.toArray(String[]::new)),
            LIMIT,
            line -> TimedWrite.of(line).ifPresentOrElse(told::add, () -> progress.say("%s", line)));
    if (status != 0 || told.size() != 1) {
      throw new IOException(
          "a first write to " + side.title() + " ended with status " + status + ": see above");
    }
    double seconds = told.get(0).seconds();
    times.add(told.get(0).side(), seconds);
    progress.done(
        1, "%s, %s: %.2f s", round == 0 ? "warm-up" : "round " + round, side.title(), seconds);
  }
}
