// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.JobPlan;
import io.radosfs.connector.explorer.NamespaceSteps;
import io.radosfs.connector.explorer.NamespaceWorld;
import io.radosfs.connector.explorer.Session;
import io.radosfs.connector.explorer.Step;
import io.radosfs.connector.explorer.World;
import io.radosfs.connector.job.JobPaths;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Drivers and tasks of a few jobs, of which each may have several, and clients that change what is
 * at their destinations and beside them.
 */
public final class JobWorld extends NamespaceWorld {

  private static final List<String> PLACES = List.of("", "p=1/", "p=2/", "p=2/q=1/");

  /** A destination within the usual one, in which both write to a directory. */
  private static final FsPath DEEP = new FsPath("out/p=2");

  private static final List<String> IN_DEEP = List.of("", "q=1/");

  /** What is beside the jobs' usual destination. */
  private static final FsPath BESIDE = new FsPath("b");

  private static final List<FsPath> OTHERS = List.of(new FsPath("out/p=1"), BESIDE, DEEP);

  /** What happens to drivers in their commits. */
  private static final List<Fault> TROUBLES =
      List.of(
          Fault.INTERRUPT_AFTER,
          Fault.CRASH_AFTER,
          Fault.failWith(StoreException.Kind.OTHER),
          Fault.TWICE,
          Fault.LOSE_ANSWER.waitedForInFull(),
          Fault.DELAY.waitedForInFull().landingAfter(20));

  /** Of {@link #step}'s kinds, the ones that are the jobs' own. */
  private static final int OF_JOBS = 8;

  private static final int KINDS = 21;

  private final List<JobSpec> jobs;

  /** Those of {@link #step}, each as often as it is drawn. */
  private final List<Integer> kinds;

  /** Whether they are all about to commit, where nothing is there. */
  private final boolean rivals;

  /** How many of them were set up so far. */
  private int begun;

  /** How many application masters there are of a job, where it has several. */
  private final Map<String, Integer> masters = new HashMap<>();

  /** That of all scenarios. */
  public JobWorld() {
    this(List.of(), List.of(), false);
  }

  private JobWorld(List<JobSpec> jobs, List<Integer> kinds, boolean rivals) {
    super(List.of(SimulatedJobs.OUT, new FsPath("out/p=1"), new FsPath("out/p=2"), BESIDE));
    this.jobs = jobs;
    this.kinds = kinds;
    this.rivals = rivals;
  }

  /**
   * Some have few jobs and one or two kinds of other steps, which meet each other more often then.
   * Others have jobs that replace one directory, and nothing else.
   */
  @Override
  public World drawn(SplittableRandom random) {
    if (random.nextInt(8) == 0) {
      return new JobWorld(rivals(random), ofJobsAlone(), true);
    }
    boolean few = random.nextBoolean();
    List<JobSpec> drawn = new ArrayList<>();
    for (int i = few ? 1 + random.nextInt(2) : 8; i > 0; i--) {
      drawn.add(job(random, drawn.size()));
    }
    List<Integer> kinds = few ? ofJobsAlone() : kinds(KINDS);
    for (int n = few ? 1 + random.nextInt(2) : 0; n > 0; n--) {
      kinds.addAll(Collections.nCopies(OF_JOBS / 2, OF_JOBS + random.nextInt(KINDS - OF_JOBS)));
    }
    return new JobWorld(drawn, kinds, false);
  }

  private static List<Integer> ofJobsAlone() {
    return kinds(OF_JOBS);
  }

  private static List<Integer> kinds(int below) {
    return IntStream.range(0, below).boxed().collect(Collectors.toCollection(ArrayList::new));
  }

  /** Two or three that replace one directory, by its own path or by that of another table. */
  private static List<JobSpec> rivals(SplittableRandom random) {
    List<JobSpec> rivals = new ArrayList<>();
    for (int i = 2 + random.nextInt(2); i > 0; i--) {
      String id = "0j" + rivals.size();
      boolean byItsPath = random.nextBoolean();
      String file = (byItsPath ? "" : JobPaths.ELSEWHERE + "/" + BESIDE.key() + "/") + "part-" + id;
      rivals.add(
          new JobSpec(
              id,
              byItsPath ? BESIDE : random.nextBoolean() ? SimulatedJobs.OUT : OTHERS.get(0),
              byItsPath ? JobSpec.Kind.OVERWRITE : JobSpec.Kind.DYNAMIC,
              List.of(List.of(file)),
              random.nextBoolean(),
              random.nextInt(3) == 0));
    }
    return rivals;
  }

  /** Where a job writes to; some have a partition with a location of its own. */
  private static List<String> places(FsPath destination, SplittableRandom random) {
    if (random.nextInt(3) > 0) {
      return PLACES;
    }
    List<String> places = new ArrayList<>(PLACES);
    FsPath elsewhere = destination.equals(BESIDE) ? SimulatedJobs.OUT : BESIDE;
    places.add(JobPaths.ELSEWHERE + "/" + elsewhere.key() + (random.nextBoolean() ? "/" : "/q=2/"));
    return places;
  }

  private static JobSpec job(SplittableRandom random, int number) {
    int where = random.nextInt(7);
    FsPath destination = where < OTHERS.size() ? OTHERS.get(where) : SimulatedJobs.OUT;
    List<String> places = destination.equals(DEEP) ? IN_DEEP : places(destination, random);
    // Before what begins with a random number, where both are listed together.
    String id = "0j" + number;
    List<List<String>> tasks = new ArrayList<>();
    for (int task = random.nextInt(3) == 0 ? 2 : 1; task > 0; task--) {
      List<String> files = new ArrayList<>();
      for (String place : places) {
        if (random.nextBoolean()) {
          files.add(place + (random.nextInt(8) == 0 ? "same" : "part-" + task + "-" + id));
        }
      }
      tasks.add(List.copyOf(files));
    }
    return new JobSpec(
        id,
        destination,
        JobSpec.Kind.values()[random.nextInt(JobSpec.Kind.values().length)],
        tasks,
        random.nextInt(3) > 0,
        random.nextInt(3) == 0);
  }

  @Override
  public Session.Mounting mounting(SplittableRandom random) {
    return new JobMounts(
        random.nextInt(3) > 0 ? 0 : 1 + random.nextInt(2),
        random.nextInt(4) == 0,
        Duration.ofMillis(random.nextInt(3) == 0 ? 20 : 0),
        random.nextInt(3) > 0
            ? SimulatedCluster.MAX_OMAP_ENTRIES_PER_REQUEST
            : 1 + random.nextInt(3),
        random.nextInt(3) > 0,
        random.nextInt(2) == 0 ? 0 : 1 + random.nextInt(2));
  }

  @Override
  public List<Step> setUp(SplittableRandom random) {
    if (rivals) {
      List<Step> steps = new ArrayList<>();
      while (begun < jobs.size()) {
        JobSteps.Begin begin = begin(random);
        steps.add(begin);
        steps.add(new JobSteps.Attempt(begin.job(), 0, 1, JobSteps.End.COMMIT));
      }
      return steps;
    }
    List<Step> steps = new ArrayList<>(super.setUp(random));
    if (random.nextInt(3) == 0) {
      // In the way of jobs.
      FsPath file = random.nextBoolean() ? BESIDE : new FsPath("out/p=" + (1 + random.nextInt(2)));
      steps.add(new NamespaceSteps.Write(file, true, true, false));
    }
    if (random.nextInt(3) == 0) {
      // In what some jobs replace twice.
      steps.add(new NamespaceSteps.Write(new FsPath("out/p=2/q=1/f"), true, true, false));
    }
    if (random.nextInt(2) == 0) {
      // Left over by drivers that are gone: more than a small page holds.
      for (int n = 1 + random.nextInt(4); n > 0 && begun < jobs.size(); n--) {
        steps.add(begin(random));
      }
      steps.add(new NamespaceSteps.Write(new FsPath("b/f"), true, true, false));
    }
    return steps;
  }

  @Override
  public Step step(SplittableRandom random) {
    return switch (kinds.get(random.nextInt(kinds.size()))) {
      case 0, 1, 2, 3, 4, 5, 6, 7 -> ofJobs(random);
      case 8 -> new JobSteps.Collect(random.nextBoolean(), random.nextBoolean());
      case 9 -> new NamespaceSteps.Dying(moveToDestination(random), 2 + random.nextInt(4));
      case 10 ->
          new NamespaceSteps.Delete(random.nextInt(3) > 0 ? SimulatedJobs.OUT : BESIDE, true);
      case 11, 12 -> readFileOfJob(random);
      case 13 -> moveFileOfJob(random);
      case 14 -> new JobSteps.ListJobs();
      default -> super.step(random);
    };
  }

  @Override
  public Step contrary(Step step, SplittableRandom random) {
    if (step instanceof JobSteps.Begin begin) {
      return another(begin.job(), random);
    }
    if (step instanceof JobSteps.Run run) {
      return another(run.begin().job(), random);
    }
    if (step instanceof JobSteps.Restart restart) {
      return another(restart.job(), random);
    }
    if (step instanceof JobSteps.Attempt attempt) {
      return another(attempt.job(), random);
    }
    if (step instanceof JobSteps.Commit commit) {
      return another(commit.job(), random);
    }
    return super.contrary(step, random);
  }

  /**
   * What else may end a job: another driver, which may have set it up again, recovery, or whoever
   * removes its destination.
   */
  private Step another(JobSpec job, SplittableRandom random) {
    return switch (random.nextInt(10)) {
      case 0 -> new JobSteps.Abort(job);
      case 1, 2 -> commit(job, random);
      case 3, 4 -> new NamespaceSteps.Delete(job.destination(), true);
      case 5 -> new JobSteps.Collect(false, random.nextBoolean());
      default -> restarted(job, random);
    };
  }

  /** By another driver, which may die of it: perhaps between the decision and what follows it. */
  private static Step commit(JobSpec job, SplittableRandom random) {
    return mayDie(new JobSteps.Commit(job, Validation.NONE), random);
  }

  private static Step mayDie(Step step, SplittableRandom random) {
    return random.nextInt(3) > 0
        ? step
        : new NamespaceSteps.Dying(step, 1 + random.nextInt(step.writes()));
  }

  /** By the next application master, which may die of it, too. */
  private Step restarted(JobSpec job, SplittableRandom random) {
    int master = masters.merge(job.id(), 2, (before, first) -> before + 1);
    return mayDie(
        new JobSteps.Restart(job, master, random.nextBoolean(), drive(10 * master, random)),
        random);
  }

  /** What a job may have written, from a copy that may be behind. */
  private Step readFileOfJob(SplittableRandom random) {
    JobSpec job = jobs.get(random.nextInt(Math.max(1, begun)));
    return new NamespaceSteps.Read(job.file(fileOf(job, random)));
  }

  /** The report, or a file of the first task, to where no clean-up after the job looks for it. */
  private Step moveFileOfJob(SplittableRandom random) {
    JobSpec job = jobs.get(random.nextInt(Math.max(1, begun)));
    return new NamespaceSteps.Rename(
        job.file(random.nextBoolean() ? JobPlan.SUCCESS_NAME : fileOf(job, random)),
        random.nextBoolean() ? BESIDE : job.file("done"),
        random.nextBoolean());
  }

  private static String fileOf(JobSpec job, SplittableRandom random) {
    List<String> files = job.tasks().get(0);
    return files.isEmpty() ? JobPlan.SUCCESS_NAME : files.get(random.nextInt(files.size()));
  }

  /** Behind the registrations of jobs, where it is left to others. */
  private static NamespaceSteps moveToDestination(SplittableRandom random) {
    return new NamespaceSteps.Rename(
        random.nextBoolean() ? BESIDE : new FsPath("b/f"),
        new FsPath("out/g"),
        random.nextBoolean());
  }

  private Step ofJobs(SplittableRandom random) {
    boolean another = begun < jobs.size() && (begun == 0 || random.nextInt(5) < 2);
    if (another) {
      return new JobSteps.Run(begin(random), drive(0, random));
    }
    JobSpec job = jobs.get(random.nextInt(begun));
    return switch (random.nextInt(11)) {
      case 0, 1, 2, 3 ->
          new JobSteps.Attempt(
              job, random.nextInt(job.tasks().size()), 1, JobSteps.End.values()[random.nextInt(3)]);
      case 4, 5, 6, 7, 8 -> commit(job, random);
      case 9 -> new JobSteps.Beat();
      default -> new JobSteps.Abort(job);
    };
  }

  private static JobSteps.Drive drive(int attempt, SplittableRandom random) {
    Validation validation =
        random.nextInt(4) > 0
            ? Validation.NONE
            : Validation.values()[random.nextInt(Validation.values().length)];
    boolean retries = random.nextInt(3) == 0;
    int end = random.nextInt(6);
    boolean deciding = random.nextInt(3) == 0;
    return new JobSteps.Drive(
        attempt,
        validation,
        retries,
        end == 0 ? JobSteps.End.ABORT : end < 3 ? JobSteps.End.NONE : JobSteps.End.COMMIT,
        TROUBLES.get(random.nextInt(TROUBLES.size())),
        random.nextInt(2) == 0 ? 1 + random.nextInt(deciding ? 12 : 40) : 0,
        deciding);
  }

  private JobSteps.Begin begin(SplittableRandom random) {
    return new JobSteps.Begin(
        jobs.get(begun++),
        random.nextInt(3) == 0 ? SimulatedJobs.WORKING - 1 : 0,
        random.nextInt(3) == 0 ? SimulatedJobs.WORKING / 2 : 0,
        random.nextInt(5) == 0 ? OverwriteConflict.FAIL : OverwriteConflict.WAIT);
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
