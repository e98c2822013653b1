// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.committer.stages.CommitJobStage;
import io.radosfs.committer.stages.Job;
import io.radosfs.committer.stages.JobCommit;
import io.radosfs.committer.stages.JobLease;
import io.radosfs.committer.stages.MadeUpTasks;
import io.radosfs.committer.stages.OverwriteConflict;
import io.radosfs.committer.stages.RequireEmpty;
import io.radosfs.committer.stages.Selection;
import io.radosfs.committer.stages.SetupJobStage;
import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.job.JobSupport;
import io.radosfs.connector.layout.FsPath;
import java.net.URI;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * Run by a test in a JVM of its own with a bounded heap: commits a job of many files. Arguments:
 * ceph.conf, user, keyring, destination, number of files, of directories.
 */
public final class LargeCommitProgram {

  private static final int FILES_OF_TASK = 1_000;

  private LargeCommitProgram() {}

  @SuppressWarnings("SystemOut") // what it prints is what the test looks at
  public static void main(String[] arguments) throws Exception {
    Configuration conf = new Configuration();
    conf.set("fs.rados.ceph.conf", arguments[0]);
    conf.set("fs.rados.ceph.user", arguments[1]);
    conf.set("fs.rados.ceph.keyring", arguments[2]);
    URI destination = URI.create(arguments[3]);
    int files = Integer.parseInt(arguments[4]);
    int directories = Integer.parseInt(arguments[5]);
    try (FileSystem fs = FileSystem.newInstance(destination, conf)) {
      JobSupport jobs = ((JobSupport.Provider) fs).jobs();
      Job job = Job.of(jobs, FsPath.parse(destination.getPath()), "large");
      JobInfo info = new JobInfo(job.id(), job.id(), "test", "test", "test", jobs.now());
      SetupJobStage.run(job, info, RequireEmpty.NOTHING, OverwriteConflict.WAIT, JobLease.NONE);
      for (int first = 0; first < files; first += FILES_OF_TASK) {
        IntStream some = IntStream.range(first, Math.min(files, first + FILES_OF_TASK));
        MadeUpTasks.commit(job, first / FILES_OF_TASK, some, directories);
      }
      long started = System.nanoTime();
      JobCommit commit =
          CommitJobStage.run(
              job,
              new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true));
      double seconds = (System.nanoTime() - started) / 1e9;
      MadeUpTasks.requireCommitted(job, files, directories);
      System.out.printf(
          "committed %d files in %d directories in %.1f s, heap of %d MiB: %s%n",
          commit.report().orElseThrow().metrics().get("committer_files_committed"),
          directories,
          seconds,
          Runtime.getRuntime().maxMemory() >> 20,
          commit.report().orElseThrow().metrics());
    }
  }
}
