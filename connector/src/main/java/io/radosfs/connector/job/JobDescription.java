// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import java.util.List;
import java.util.Optional;

/**
 * A job, for people.
 *
 * @param state empty while the job is being set up
 * @param info likewise
 * @param lastHeartbeat when its last heartbeat was, in milliseconds since the epoch; 0 when never
 * @param attempts of tasks that have written anything
 * @param plan of its commit, once there is one
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
   * @param bytes in these
   * @param open files that were not closed
   */
  public record Attempt(
      String task, String attempt, Status status, int files, long bytes, int open) {

    public Attempt as(Status other) {
      return new Attempt(task, attempt, other, files, bytes, open);
    }

    /** This one with what another record of it has besides. */
    public Attempt and(Attempt more) {
      return new Attempt(
          task, attempt, status, files + more.files, bytes + more.bytes, open + more.open);
    }
  }

  /**
   * What the commit is going to do, or did.
   *
   * @param attempts how many become visible
   * @param directories concerned
   * @param replaced paths of which all goes
   */
  public record Plan(
      int attempts, List<String> directories, List<String> replaced, boolean partitions) {}

  /** Attempts that are committed. */
  public long committed() {
    return attempts.stream().filter(attempt -> attempt.status() == Status.COMMITTED).count();
  }

  /** Files of attempts that are committed, or are being written. */
  public long files() {
    return attempts.stream().mapToLong(attempt -> attempt.files() + attempt.open()).sum();
  }

  public long bytes() {
    return attempts.stream().mapToLong(Attempt::bytes).sum();
  }

  /** How far the job has come. */
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
