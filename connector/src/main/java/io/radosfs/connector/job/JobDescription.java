// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import java.util.List;
import java.util.Optional;

/**
 * A job as the command line shows it.
 *
 * @param state empty while the job is being set up
 * @param info likewise
 * @param lastHeartbeat in milliseconds since the epoch; 0 if there was none
 * @param attempts of tasks that have written anything
 * @param plan of its commit; empty until there is one
 */
public record JobDescription(
    RegisteredJob job,
    Optional<JobState> state,
    Optional<JobInfo> info,
    long lastHeartbeat,
    List<Attempt> attempts,
    Optional<Plan> plan) {

  /** How an attempt of a task stands. */
  public enum Status {
    WRITING,
    COMMITTED,
    ABORTED,
    /** Its manifest cannot be read. */
    UNREADABLE
  }

  /**
   * An attempt of a task.
   *
   * @param files closed or committed
   * @param bytes in these files
   * @param open files that were not closed
   */
  public record Attempt(
      String task, String attempt, Status status, int files, long bytes, int open) {

    public Attempt as(Status other) {
      return new Attempt(task, attempt, other, files, bytes, open);
    }

    /** Returns this attempt with the counts of another added. */
    public Attempt and(Attempt more) {
      return new Attempt(
          task, attempt, status, files + more.files, bytes + more.bytes, open + more.open);
    }
  }

  /**
   * What the commit will do, or did.
   *
   * @param attempts number of attempts that become visible
   * @param directories concerned
   * @param replaced paths whose whole content is replaced
   */
  public record Plan(
      int attempts, List<String> directories, List<String> replaced, boolean partitions) {}

  /**
   * Whether the job has ended, and left nothing over. One that is in the list of ledgers alone, not
   * decided when it was listed, has a record with at least a notice while anything of it may come.
   */
  public boolean hasEnded() {
    boolean isRecorded = state.isPresent() || lastHeartbeat != 0;
    return job.isOnlyListed() ? state.isEmpty() : !job.registered() && !isRecorded;
  }

  /** Attempts that are committed. */
  public long committed() {
    return attempts.stream().filter(attempt -> attempt.status() == Status.COMMITTED).count();
  }

  /** Files of all attempts, open ones included. */
  public long files() {
    return attempts.stream().mapToLong(attempt -> attempt.files() + attempt.open()).sum();
  }

  public long bytes() {
    return attempts.stream().mapToLong(Attempt::bytes).sum();
  }

  /** Says in words how far the job has come. */
  public String step() {
    switch (job.decision()) {
      case COMMITTED:
        return "committed: all of it is visible; what it left over is still to be removed";
      case ABORTED:
        return "aborted: nothing of it is visible; what it wrote is still to be removed";
      default:
        break;
    }
    if (state.isEmpty()) {
      return "being set up";
    }
    return switch (state.get()) {
      case RUNNING -> "tasks are writing; nothing of it is visible";
      case COMMITTING ->
          plan.isEmpty()
              ? "its commit has begun; nothing of it is prepared or visible"
              : "its commit is planned, and prepared in part or whole; nothing of it is visible";
      case COMMITTED -> "committed: all of it is visible; what it left over is still to be removed";
      case ABORTED -> "aborted: nothing of it is visible; what it wrote is still to be removed";
    };
  }
}
