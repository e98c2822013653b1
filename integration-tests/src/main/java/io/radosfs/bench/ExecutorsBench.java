// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.programs.ExecutorsProgram;
import io.radosfs.bench.programs.TimedWrite;
import io.radosfs.bench.report.TimeTold;
import io.radosfs.bench.works.SparkWorks;
import io.radosfs.bench.works.WorkGoals;
import io.radosfs.bench.works.WorkSide;
import io.radosfs.connector.config.Options;
import io.radosfs.workbench.JavaProgram;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;

/**
 * The large files written from executors that are processes of their own, to rados:// and to the
 * local disk in turns: {@link ExecutorsProgram} measures.
 */
final class ExecutorsBench implements BenchPart {

  private static final String NAME = "executors";
  private static final String WORK =
      SparkWorks.LARGE + ", from " + ExecutorsProgram.EXECUTORS + " executors";

  /** Much longer than any round takes. */
  private static final Duration LIMIT_OF_A_ROUND = Duration.ofMinutes(3);

  private final URI base;
  private final Path cephConf;
  private final Path local;
  private final int rounds;
  private final TimeTold progress;
  private final SideTimes times = new SideTimes(true);

  ExecutorsBench(URI base, Path cephConf, Path localDirectory, int rounds, TimeTold progress) {
    this.base = base;
    this.cephConf = cephConf;
    this.local = localDirectory;
    this.rounds = rounds;
    this.progress = progress;
  }

  /** What has been measured when something fails is reported all the same. */
  @Override
  public void run(BenchResults results) throws IOException, InterruptedException {
    progress.begin(NAME, 2L * (rounds + 1));
    Path home = Files.createTempDirectory(NAME);
    try {
      ProcessBuilder program = ExecutorsProgram.of(home, cephConf, base, local, rounds);
      Duration limit = LIMIT_OF_A_ROUND.multipliedBy(rounds + 1L);
      int status = JavaProgram.run(program, limit, this::hear);
      if (!times.isEmpty()) {
        Figures figures = new Figures(NAME);
        times.tell(figures, WORK, WorkGoals.LARGE);
        results.measured(figures.list());
      }
      if (status != 0) {
        throw new IOException(
            "the driver ended with status " + status + ": see above; executors' logs: " + home);
      }
      if (!FileUtil.fullyDelete(home.toFile())) {
        progress.say("could not remove all of %s", home);
      }
    } finally {
      Configuration configuration = new Configuration();
      configuration.set(Options.CEPH_CONF.key(), cephConf.toAbsolutePath().toString());
      for (WorkSide side : ExecutorsProgram.sides(base, local)) {
        side.root().getFileSystem(configuration).delete(side.root(), true);
      }
    }
  }

  private void hear(String line) {
    TimedWrite.of(line)
        .ifPresentOrElse(
            write -> {
              times.add(write.side(), write.seconds());
              progress.done(1, "%s, %s: %.2f s", WORK, write.side(), write.seconds());
            },
            () -> progress.say("%s", line));
  }
}
