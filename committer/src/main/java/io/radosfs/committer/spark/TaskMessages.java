// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import io.radosfs.committer.stages.Selection;
import io.radosfs.committer.stages.TaskCommit;
import io.radosfs.connector.job.TaskAttempt;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage;
import scala.collection.Iterator;
import scala.collection.Seq;

/**
 * What tasks tell the driver of their commits: strings, which any of Spark's serializers can carry,
 * of task/attempt/files/bytes.
 */
final class TaskMessages {

  private TaskMessages() {}

  static TaskCommitMessage of(TaskCommit commit) {
    return new TaskCommitMessage(commit.attempt() + "/" + commit.files() + "/" + commit.bytes());
  }

  /** The attempts that have files; those that say that they have none must indeed have none. */
  static Selection selection(Seq<TaskCommitMessage> commits) {
    Set<TaskAttempt> attempts = new TreeSet<>();
    Set<TaskAttempt> withoutFiles = new TreeSet<>();
    Iterator<TaskCommitMessage> each = commits.iterator();
    while (each.hasNext()) {
      String[] parts = ((String) each.next().obj()).split("/");
      (parts[2].equals("0") ? withoutFiles : attempts).add(new TaskAttempt(parts[0], parts[1]));
    }
    return Selection.exactly(attempts).withNoFileOf(withoutFiles);
  }
}
