// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.connector.job.JobPaths;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.FsPath;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A job, as all who drive it know it.
 *
 * @param tasks the files of each, in the form of {@link JobPaths}; all attempts of a task write the
 *     same
 * @param success whether it writes {@code _SUCCESS}
 * @param reported whether those attempts are committed that a driver knows of, as Spark does, and
 *     not the last of each task
 */
record JobSpec(
    String id,
    FsPath destination,
    Kind kind,
    List<List<String>> tasks,
    boolean success,
    boolean reported) {

  /** What a job replaces. */
  enum Kind {
    APPEND,
    /** All that is in the destination. */
    OVERWRITE,
    /**
     * The same, with a directory deep in it that is named too, as of a partition with a location
     * there.
     */
    NESTED,
    /** The partitions that it writes to. */
    DYNAMIC,
    /** One directory of the destination, whether it writes to it or not. */
    STATIC
  }

  JobSpec {
    tasks = List.copyOf(tasks);
  }

  /**
   * The same as an application master has it that has set it up itself.
   *
   * @param master which one; from 1, that of which the job is
   */
  JobSpec of(int master) {
    return master == 1
        ? this
        : new JobSpec(id + "-" + master, destination, kind, tasks, success, reported);
  }

  Overwrite overwrite() {
    return switch (kind) {
      case APPEND -> Overwrite.NOTHING;
      case OVERWRITE -> Overwrite.of(destination);
      case NESTED -> new Overwrite(Set.of(destination, file("p=2/q=1")), false);
      case DYNAMIC -> Overwrite.WRITTEN_PARTITIONS;
      case STATIC -> Overwrite.of(partition());
    };
  }

  boolean replacesDestination() {
    return kind == Kind.OVERWRITE || kind == Kind.NESTED;
  }

  /** Whether its driver may be started anew, as that of MapReduce may. */
  boolean isRestartable() {
    return !reported;
  }

  /** What a driver asks for that knows of these attempts. */
  Selection selection(Set<TaskAttempt> committed) {
    return reported ? Selection.exactly(committed) : Selection.LAST_OF_EACH_TASK;
  }

  FsPath partition() {
    return file("p=1");
  }

  /** What a path stands for that is relative, or of a partition elsewhere. */
  FsPath file(String relative) {
    try {
      return JobPaths.resolve(destination, relative);
    } catch (FsPath.InvalidNameException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** The directories of files that are not below the destination. */
  Set<FsPath> elsewhere() {
    Set<FsPath> elsewhere = new HashSet<>();
    for (List<String> files : tasks) {
      for (String file : files) {
        FsPath parent = file(file).parent();
        if (!parent.isAtOrBelow(destination)) {
          elsewhere.add(parent);
        }
      }
    }
    return elsewhere;
  }

  CommitJobStage.Request request(Selection selection) {
    return new CommitJobStage.Request(selection, overwrite(), success);
  }

  /** Directories that are not replaced themselves where files come into them or below. */
  Set<FsPath> kept(Set<FsPath> files) {
    Set<FsPath> kept = new HashSet<>();
    for (FsPath file : files) {
      for (FsPath path = file.parent(); !path.isRoot(); path = path.parent()) {
        kept.add(path);
      }
    }
    kept.add(destination);
    return kept;
  }

  @Override
  public String toString() {
    return id
        + " ("
        + kind
        + " to "
        + destination
        + (success ? "" : ", no _SUCCESS")
        + (reported ? ", what is reported " : " ")
        + tasks
        + ")";
  }
}
