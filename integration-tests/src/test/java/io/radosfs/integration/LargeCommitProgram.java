package io.radosfs.integration;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.committer.manifest.TaskManifest;
import io.radosfs.committer.manifest.TaskManifest.PromotedFile;
import io.radosfs.committer.stages.CommitJobStage;
import io.radosfs.committer.stages.Job;
import io.radosfs.committer.stages.JobCommit;
import io.radosfs.committer.stages.OverwriteConflict;
import io.radosfs.committer.stages.RequireEmpty;
import io.radosfs.committer.stages.Selection;
import io.radosfs.committer.stages.SetupJobStage;
import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.job.JobSupport;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * Run by a test in a JVM of its own with a bounded heap: commits a job of many files. The tasks'
 * manifests are made up, as the data is not looked at. Arguments: ceph.conf, user, keyring,
 * destination, number of files, of directories.
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
      JobInfo info =
          new JobInfo(JobInfo.VERSION, job.id(), job.id(), "test", "test", "test", jobs.now());
      SetupJobStage.run(job, info, RequireEmpty.NOTHING, OverwriteConflict.WAIT, Duration.ZERO);
      for (int first = 0; first < files; first += FILES_OF_TASK) {
        commitTask(job, first, Math.min(files, first + FILES_OF_TASK), directories);
      }
      long started = System.nanoTime();
      JobCommit commit =
          CommitJobStage.run(
              job,
              new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true));
      double seconds = (System.nanoTime() - started) / 1e9;
      for (int file : new int[] {0, files / 2, files - 1}) {
        if (jobs.namespace().lookup(path(job, file, directories)).isEmpty()) {
          throw new IOException(path(job, file, directories) + " is not there");
        }
      }
      System.out.printf(
          "committed %d files in %d directories in %.1f s, heap of %d MiB: %s%n",
          commit.report().orElseThrow().metrics().get("committer_files_committed"),
          directories,
          seconds,
          Runtime.getRuntime().maxMemory() >> 20,
          commit.report().orElseThrow().metrics());
    }
  }

  private static FsPath path(Job job, int file, int directories) throws IOException {
    FsPath directory =
        directories == 1
            ? job.destination()
            : job.destination().child(String.format("day=%06d", file % directories));
    return directory.child(
        String.format("part-%06d-5b1c7b1e-6a3f-4c57-9d6e-2f0f3b9f7a10-c000.snappy.parquet", file));
  }

  private static void commitTask(Job job, int first, int end, int directories) throws IOException {
    TaskAttempt attempt = new TaskAttempt(String.format("m%06d", first / FILES_OF_TASK), "0");
    List<PromotedFile> promoted = new ArrayList<>();
    for (int file = first; file < end; file++) {
      FsPath path = path(job, file, directories);
      FileData data =
          new FileData(path, Uid.random(), true, 1_000_000 + file, 4 << 20, Optional.empty());
      Attributes attributes = new Attributes(1_763_723_000_000L + file, 0644, "spark", "spark");
      promoted.add(new PromotedFile(path, new Entry.OfFile(data, 0x9e3779b9 * file, attributes)));
    }
    TaskManifest manifest = new TaskManifest(job.id(), attempt, 0, 1, promoted);
    job.record().commitTask(attempt, manifest.encode(job.destination()), List.of());
  }
}
