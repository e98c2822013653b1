// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

/**
 * One attempt of one task of a job.
 *
 * @param task names the task in its job, the same for all its attempts
 * @param attempt names the attempt among those of its task
 */
public record TaskAttempt(String task, String attempt) implements Comparable<TaskAttempt> {

  public TaskAttempt {
    JobNames.check("task", task);
    JobNames.check("task attempt", attempt);
  }

  @Override
  public int compareTo(TaskAttempt other) {
    int byTask = task.compareTo(other.task);
    return byTask != 0 ? byTask : attempt.compareTo(other.attempt);
  }

  /** {@code task/attempt}, as in the keys of the job's record. */
  @Override
  public String toString() {
    return task + "/" + attempt;
  }
}
