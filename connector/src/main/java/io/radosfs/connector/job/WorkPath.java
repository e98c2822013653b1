// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.FsPath.InvalidNameException;
import java.util.List;
import java.util.Optional;

/**
 * A path under which an attempt of a task writes:
 *
 * <pre>
 * /dest/__radosfs_work/jobId/task/attempt/relative/path
 * </pre>
 *
 * <p>Its data goes to the objects of {@code /dest/relative/path}. The file is in the job's record,
 * and becomes visible when the job is committed. A directory index never holds a work path.
 *
 * @param destination of the job
 * @param jobId of the job
 * @param attempt that writes
 * @param relative the file's path in the form of {@link JobPaths}; empty for the attempt's own
 *     directory
 */
public record WorkPath(FsPath destination, String jobId, TaskAttempt attempt, String relative) {

  /** The component that makes a path a work path. */
  public static final String MARKER = "__radosfs_work";

  private static final int IDS = 3;

  public WorkPath {
    JobNames.check("job", jobId);
  }

  /** The directory of an attempt. */
  public static WorkPath of(FsPath destination, String jobId, TaskAttempt attempt) {
    return new WorkPath(destination, jobId, attempt, "");
  }

  /** Returns whether a path has the marker; {@link #parse} may still not accept it. */
  public static boolean isMarked(FsPath path) {
    return ("/" + path.key() + "/").contains("/" + MARKER + "/");
  }

  /**
   * Parses a work path; empty for any other path, also for one that has the marker but ends before
   * the attempt.
   */
  public static Optional<WorkPath> parse(FsPath path) {
    if (!isMarked(path)) {
      return Optional.empty();
    }
    List<String> names = path.components();
    int marker = names.indexOf(MARKER);
    if (names.size() < marker + 1 + IDS) {
      return Optional.empty();
    }
    FsPath destination = new FsPath(String.join("/", names.subList(0, marker)));
    TaskAttempt attempt = new TaskAttempt(names.get(marker + 2), names.get(marker + IDS));
    String relative = String.join("/", names.subList(marker + 1 + IDS, names.size()));
    return Optional.of(new WorkPath(destination, names.get(marker + 1), attempt, relative));
  }

  /** Whether this is the directory of the attempt itself. */
  public boolean isAttemptDirectory() {
    return relative.isEmpty();
  }

  /** The path that the file will have, which its objects are named after. */
  public FsPath finalPath() throws InvalidNameException {
    return JobPaths.resolve(destination, relative);
  }

  /** The work path of something below this one. */
  public WorkPath resolve(String below) {
    return new WorkPath(
        destination, jobId, attempt, relative.isEmpty() ? below : relative + "/" + below);
  }

  /** The path as a user of the file system gives it. */
  public FsPath path() throws InvalidNameException {
    FsPath directory =
        destination.child(MARKER).child(jobId).child(attempt.task()).child(attempt.attempt());
    return relative.isEmpty() ? directory : directory.resolve(relative);
  }

  @Override
  public String toString() {
    return "/"
        + (destination.isRoot() ? "" : destination.key() + "/")
        + MARKER
        + "/"
        + jobId
        + "/"
        + attempt
        + (relative.isEmpty() ? "" : "/" + relative);
  }
}
