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
 * What a commit is going to do, written down in the job's record: before anything is done, and
 * before more is done than it says.
 */
final class StoredPlan {

  private final Job job;

  StoredPlan(Job job) {
    this.job = job;
  }

  /**
   * Writes the plan of a job that has none. What is not written at a crash is added by {@link
   * #extended}.
   *
   * @return false when the job has another plan meanwhile
   * @throws JobEndedException when it was aborted
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

  /** The plan with all directories of the changes, written down before they are prepared. */
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
   * Adds this client to those that prepare by the plan, of which another may be at it: whoever
   * aborts the job must know that something may yet come.
   */
  void prepareToo(JobPlan plan) throws IOException {
    String instance = job.fs().objects().instance();
    if (plan.preparers().isEmpty()) {
      // Of a version before: it does not say who planned it, and must not seem to.
      return;
    }
    if (!plan.preparers().contains(instance)
        && !job.record().extendPlan(JobPlan.encodePreparer(instance))) {
      requireCommitting();
    }
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
