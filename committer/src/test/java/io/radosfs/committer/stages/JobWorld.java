package io.radosfs.committer.stages;

import io.radosfs.connector.explorer.NamespaceWorld;
import io.radosfs.connector.explorer.Session;
import io.radosfs.connector.explorer.Step;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.simulation.SimulatedClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Drivers of jobs on one destination, and clients that change what is there and beside it. */
public final class JobWorld extends NamespaceWorld {

  private static final List<String> PLACES = List.of("", "p=1/", "p=2/");

  public JobWorld() {
    super(
        List.of(SimulatedJobs.OUT, new FsPath("out/p=1"), new FsPath("out/p=2"), new FsPath("b")));
  }

  @Override
  public Step step(SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0, 1, 2, 3 -> job(random);
      case 4 -> new JobSteps.Collect(random.nextBoolean());
      default -> super.step(random);
    };
  }

  private static Step job(SplittableRandom random) {
    String id = "j" + random.nextInt(10_000);
    List<String> files = new ArrayList<>();
    for (String place : PLACES) {
      if (random.nextBoolean()) {
        files.add(place + "part-" + (random.nextInt(6) == 0 ? "same" : id));
      }
    }
    int end = random.nextInt(8);
    return new JobSteps.Run(
        id,
        JobSteps.Kind.values()[random.nextInt(3)],
        List.copyOf(files),
        random.nextInt(3) > 0,
        end == 0 ? JobSteps.End.ABORT : end == 1 ? JobSteps.End.NONE : JobSteps.End.COMMIT);
  }

  @Override
  public void recover(SimulatedClient client) throws IOException {
    collect(client, 1);
  }

  @Override
  public void recoverLongAfter(SimulatedClient client, int round) throws IOException {
    collect(client, 1 + round);
  }

  private static void collect(SimulatedClient client, int times) throws IOException {
    long now = (times > 1 ? Session.MOST_AHEAD : 0) + times * SimulatedJobs.COLLECTING;
    new SimulatedJobs(client, now, Duration.ZERO).collect(now - SimulatedJobs.WORKING);
  }
}
