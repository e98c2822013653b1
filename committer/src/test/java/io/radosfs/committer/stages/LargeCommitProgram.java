package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.committer.manifest.TaskManifest;
import io.radosfs.committer.manifest.TaskManifest.PromotedFile;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Commits a job of many files, in a JVM of its own with a bounded heap: for {@link
 * CommitMemoryTest}. The tasks' manifests are made up, as the data is not looked at.
 */
public final class LargeCommitProgram {

  private LargeCommitProgram() {}

  /**
   * Commits, looks at what is there then, and prints how many files the report counts.
   *
   * @param args number of files, of directories, of tasks
   */
  public static void main(String[] args) throws IOException {
    int files = Integer.parseInt(args[0]);
    int directories = Integer.parseInt(args[1]);
    int tasks = Integer.parseInt(args[2]);
    SimulatedCluster cluster = SimulatedCluster.withPools(SimulatedJobs.POOL);
    Job job = SimulatedJobs.job(cluster.client("driver"), "j1");
    SetupJobStage.run(
        job, SimulatedJobs.info("j1"), RequireEmpty.NOTHING, OverwriteConflict.WAIT, Duration.ZERO);
    for (int task = 0; task < tasks; task++) {
      commitTask(job, task, tasks, files, directories);
    }
    System.gc();
    JobCommit commit =
        CommitJobStage.run(
            job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true));
    for (int file : Set.of(0, files / 2, files - 1)) {
      if (job.fs().namespace().lookup(path(file, directories)).isEmpty()) {
        throw new IOException(path(file, directories) + " is not there");
      }
    }
    System.out.println(
        "committed " + commit.report().orElseThrow().metrics().get("committer_files_committed"));
  }

  private static FsPath path(int file, int directories) throws IOException {
    FsPath directory =
        directories == 1
            ? SimulatedJobs.OUT
            : SimulatedJobs.OUT.child(String.format("day=%06d", file % directories));
    return directory.child(
        String.format("part-%06d-5b1c7b1e-6a3f-4c57-9d6e-2f0f3b9f7a10-c000.snappy.parquet", file));
  }

  static void commitTask(Job job, int task, int tasks, int files, int directories)
      throws IOException {
    TaskAttempt attempt = SimulatedJobs.attempt(task, 0);
    List<PromotedFile> promoted = new ArrayList<>();
    for (int file = task; file < files; file += tasks) {
      FsPath path = path(file, directories);
      FileData data =
          new FileData(path, Uid.random(), true, 1_000_000 + file, 4 << 20, Optional.empty());
      Attributes attributes = new Attributes(1_763_723_000_000L + file, 0644, "spark", "spark");
      promoted.add(new PromotedFile(path, new Entry.OfFile(data, 0x9e3779b9 * file, attributes)));
    }
    TaskManifest manifest = new TaskManifest(job.id(), attempt, 0, 1, promoted);
    job.record().commitTask(attempt, manifest.encode(job.destination()), List.of());
  }
}
