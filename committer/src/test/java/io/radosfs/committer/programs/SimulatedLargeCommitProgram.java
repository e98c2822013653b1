// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.programs;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.committer.stages.CommitJobStage;
import io.radosfs.committer.stages.Job;
import io.radosfs.committer.stages.JobCommit;
import io.radosfs.committer.stages.MadeUpTasks;
import io.radosfs.committer.stages.Selection;
import io.radosfs.committer.stages.SimulatedJobs;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;

/**
 * Commits a job of many files, in a JVM of its own with a bounded heap: for {@code
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
      MadeUpTasks.commit(job, task, tasks, files, directories);
    }
    System.gc();
    JobCommit commit =
        CommitJobStage.run(
            job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true));
    MadeUpTasks.requireCommitted(job, files, directories);
    System.out.println(
        "committed " + commit.report().orElseThrow().metrics().get("committer_files_committed"));
  }
}
