// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.stream.IntStream;

/**
 * Commits a job of many files, in a JVM of its own with a bounded heap: for {@link
 * CommitMemoryTest}.
 */
public final class SimulatedLargeCommitProgram {

  private SimulatedLargeCommitProgram() {}

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
    SimulatedJobs.setUp(job);
    for (int task = 0; task < tasks; task++) {
      commitTask(job, task, tasks, files, directories);
    }
    System.gc();
    JobCommit commit =
        CommitJobStage.run(
            job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true));
    MadeUpTasks.requireCommitted(job, files, directories);
    System.out.println(
        "committed " + commit.report().orElseThrow().metrics().get("committer_files_committed"));
  }

  static void commitTask(Job job, int task, int tasks, int files, int directories)
      throws IOException {
    MadeUpTasks.commit(
        job,
        task,
        IntStream.iterate(task, file -> file < files, file -> file + tasks),
        directories);
  }
}
