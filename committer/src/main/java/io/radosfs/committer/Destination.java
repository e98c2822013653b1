// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import io.radosfs.committer.stages.Job;
import io.radosfs.connector.job.JobInfo;
import io.radosfs.connector.job.JobPaths;
import io.radosfs.connector.job.JobSupport;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.job.WorkPath;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The directory that a job writes to, on a file system that supports jobs. It translates paths and
 * ids of Hadoop and Spark to those of the stages.
 *
 * @param path qualified
 */
public record Destination(Path path, JobSupport fs) {

  private static FileSystem raw(Path path, Configuration conf) throws IOException {
    FileSystem raw = path.getFileSystem(conf);
    while (raw instanceof FilterFileSystem filter) {
      raw = filter.getRawFileSystem();
    }
    return raw;
  }

  /**
   * Has this process tell no more that it drives a job: its end has failed, and others end it once
   * it is silent. A session may go on for days, and nobody would take the job for dead. Asks
   * nobody, as the cluster may not answer.
   *
   * @param failure of its end; what fails here is suppressed in it
   */
  public static void leave(Path path, Configuration conf, String jobId, Exception failure) {
    try {
      FileSystem raw = raw(path, conf);
      if (raw instanceof JobSupport.Provider provider) {
        provider.heartbeats().end(ObjectNames.job(fsPath(raw.makeQualified(path)), jobId));
      }
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** Returns the destination at a path; empty if its file system is not radosfs. */
  public static Optional<Destination> find(Path path, Configuration conf) throws IOException {
    FileSystem raw = raw(path, conf);
    return raw instanceof JobSupport.Provider provider
        ? Optional.of(new Destination(raw.makeQualified(path), provider.jobs()))
        : Optional.empty();
  }

  /**
   * The destination at a path.
   *
   * @throws IOException if its file system is not radosfs
   */
  public static Destination of(Path path, Configuration conf) throws IOException {
    return find(path, conf)
        .orElseThrow(
            () ->
                new IOException(
                    path
                        + " is not on a radosfs file system (rados://), which the radosfs committer"
                        + " needs: set mapreduce.outputcommitter.factory.scheme.rados, not the"
                        + " factory of all schemes"));
  }

  public Job job(String jobId) throws IOException {
    return Job.of(fs, fsPath(path), jobId);
  }

  /**
   * Returns the path under which an attempt writes a file of another directory, such as a partition
   * with a location of its own.
   *
   * @param location the directory; qualified or in the destination's file system
   * @throws IOException if it is in another file system or pool, or above the destination
   */
  public Path workPathAt(String jobId, TaskAttempt attempt, Path location, String name)
      throws IOException {
    FsPath file = location(location).child(name);
    return workPath(jobId, attempt, JobPaths.relative(fsPath(path), file));
  }

  /**
   * Refuses a partition that cannot be replaced by itself: the destination's other files would go
   * with its own.
   *
   * @throws IOException if its directory is the destination itself
   */
  public void requireAnother(Path location) throws IOException {
    if (location(location).equals(fsPath(path))) {
      throw new IOException(
          "a partition whose location is the directory of the table itself, "
              + path
              + ", cannot be overwritten dynamically: other partitions' files may be there too."
              + " Nothing was changed. Give the partition another location");
    }
  }

  /**
   * Translates a directory that a job writes to or replaces besides its destination.
   *
   * @throws IOException if it is in another file system or pool, or above the destination
   */
  public FsPath location(Path location) throws IOException {
    URI uri = location.toUri();
    URI own = path.toUri();
    if (uri.getScheme() != null
        && !(uri.getScheme().equalsIgnoreCase(own.getScheme())
            && Objects.equals(uri.getAuthority(), own.getAuthority()))) {
      throw new IOException(
          "a job that writes to "
              + path
              + " cannot write to "
              + location
              + " too: one transaction reaches no other pool, namespace or file system. Nothing was"
              + " written. Move that partition to rados://"
              + own.getAuthority()
              + "/, or write to it directly");
    }
    FsPath directory = fsPath(location);
    FsPath destination = fsPath(path);
    if (destination.isAtOrBelow(directory) && !destination.equals(directory)) {
      throw new IOException(
          "a job that writes to "
              + path
              + " cannot have a partition at "
              + location
              + ", which holds that; nothing was written. Give the partition another location");
    }
    return directory;
  }

  /** The work path of a file of an attempt; that of its directory if {@code relative} is empty. */
  public Path workPath(String jobId, TaskAttempt attempt, String relative) throws IOException {
    WorkPath work = WorkPath.of(fsPath(path), jobId, attempt);
    return withPath((relative.isEmpty() ? work : work.resolve(relative)).path());
  }

  /** The path in the file system. */
  public static FsPath fsPath(Path path) throws IOException {
    return FsPath.parse(path.toUri().getPath());
  }

  private Path withPath(FsPath other) {
    URI uri = path.toUri();
    return new Path(uri.getScheme(), uri.getAuthority(), other.toString());
  }

  /** Translates a task attempt of Hadoop to task and attempt ids: {@code m000003}, {@code 7}. */
  public static TaskAttempt attempt(TaskAttemptID id) {
    TaskID task = id.getTaskID();
    return new TaskAttempt(
        String.format(
            Locale.ROOT,
            "%c%06d",
            TaskID.getRepresentingCharacter(task.getTaskType()),
            task.getId()),
        Integer.toString(id.getId()));
  }

  /** The information about a job that this process is setting up. */
  public static JobInfo info(String jobId, String sourceId, String source, String engine)
      throws IOException {
    return new JobInfo(
            jobId,
            sourceId,
            source,
            engine,
            UserGroupInformation.getCurrentUser().getShortUserName() + "@" + hostname(),
            System.currentTimeMillis())
        .ofProcess(ProcessHandle.current().pid());
  }

  private static String hostname() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
