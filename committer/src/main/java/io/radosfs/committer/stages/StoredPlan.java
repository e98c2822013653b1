// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.JobPlan;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.job.JobState;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Uid;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * The plan of a commit, in the job's record. It is written before anything is prepared, and
 * extended before anything more is.
 */
final class StoredPlan {

  private final Job job;

  StoredPlan(Job job) {
    this.job = job;
  }

  /**
   * Writes the plan of a job that has none. After a crash, {@link #extended} adds the missing
   * parts.
   *
   * @return false if the job has another plan meanwhile
   * @throws JobEndedException if it was aborted
   */
  boolean write(JobPlan plan) throws IOException {
    List<SortedMap<String, byte[]>> operations =
        JobPlan.inOperations(plan.encode(job.destination()), job.fs().batchLimit());
    if (!job.record().plan(operations.get(0))) {
      requireCommitting();
      return false;
    }
    extend(operations.subList(1, operations.size()));
    return true;
  }

  private void extend(List<SortedMap<String, byte[]>> operations) throws IOException {
    for (SortedMap<String, byte[]> parts : operations) {
      if (!job.record().extendPlan(parts)) {
        requireCommitting();
      }
    }
  }

  /** Adds the directories of the changes to the stored plan; returns that. */
  JobPlan extended(JobPlan plan, Changes changes) throws IOException {
    Set<FsPath> more = new HashSet<>(changes.directories(job.destination()));
    more.removeAll(plan.directories());
    if (more.isEmpty()) {
      return plan;
    }
    String tag = Uid.random() + "-";
    extend(
        JobPlan.inOperations(
            JobPlan.encodeDirectories(job.destination(), more, tag), job.fs().batchLimit()));
    return plan.and(more);
  }

  /**
   * Adds this client to the preparers of the plan, beside others that may be at work. A client that
   * ends the job must know that late writes may arrive.
   *
   * @return false if the job has ended since the plan was read
   * @throws JobEndedException if it was aborted
   */
  boolean join(JobPlan plan) throws IOException {
    String instance = job.fs().objects().instance();
    // A plan of an earlier version names nobody: it does not say who planned it, and must not seem
    // to.
    boolean named = plan.preparers().isEmpty() || plan.preparers().contains(instance);
    if (named || job.record().extendPlan(JobPlan.encodeJoining(instance))) {
      return true;
    }
    requireCommitting();
    return false;
  }

  private void requireCommitting() throws IOException {
    Optional<JobState> state = job.record().state();
    if (state.isPresent() && state.get() == JobState.ABORTED) {
      throw aborted();
    }
  }

  JobEndedException aborted() {
    return new JobEndedException(job + " was aborted and cannot be committed");
  }
}
