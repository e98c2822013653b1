// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.JobPlan;
import io.radosfs.committer.manifest.ManifestException;
import io.radosfs.committer.manifest.TaskManifest;
import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.job.TaskAttempt;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads a job's whole record. Manifests are handed on one after another, and not kept. Run it once
 * the job has left RUNNING, when nothing is added any more.
 *
 * <p>Cost: that of {@link JobRecord#contents}: one read for each {@value JobRecord#PAGE} manifests
 * or files, at least one, and one more if there are more than 16 manifests; more if one is large.
 */
final class LoadManifestsStage {

  private LoadManifestsStage() {}

  /**
   * A job's record without the content of its manifests.
   *
   * @param attempts with a readable manifest, aborted ones included
   * @param unreadable one error for each unreadable manifest
   */
  record Loaded(
      JobRecord.Contents contents,
      Optional<JobPlan> plan,
      Set<TaskAttempt> attempts,
      List<ManifestException> unreadable) {

    /**
     * @throws ManifestException if one of the manifests cannot be read
     */
    void requireReadable() throws ManifestException {
      if (!unreadable.isEmpty()) {
        throw unreadable.get(0);
      }
    }
  }

  /** Takes the manifests of attempts that were not aborted, in the order of tasks and attempts. */
  @FunctionalInterface
  interface Taker {
    void take(TaskManifest manifest);
  }

  /** Returns what takes the manifests, given the plan if there is one. */
  @FunctionalInterface
  interface ByPlan {
    Taker taker(Optional<JobPlan> plan);
  }

  /**
   * Reads the record, without keeping manifests. Empty if there is no record, or the job was only
   * noticed.
   */
  static Optional<Loaded> run(Job job) throws IOException {
    return run(job, plan -> manifest -> {}, () -> {});
  }

  /**
   * The same as {@link #run(Job)}, and hands the manifests on.
   *
   * @param goesOn run for each manifest
   */
  static Optional<Loaded> run(Job job, ByPlan manifests, Runnable goesOn) throws IOException {
    String name = job.record().name();
    Set<TaskAttempt> attempts = new TreeSet<>();
    List<ManifestException> unreadable = new ArrayList<>();
    List<Optional<JobPlan>> plan = new ArrayList<>();
    Optional<JobRecord.Contents> contents =
        job.record()
            .contents(
                all -> {
                  plan.add(JobPlan.decode(name, job.destination(), all.plan()));
                  Taker taker = manifests.taker(plan.get(0));
                  return (attempt, stored) -> {
                    goesOn.run();
                    TaskManifest manifest;
                    try {
                      manifest =
                          TaskManifest.decode(name, job.destination(), job.id(), attempt, stored);
                    } catch (ManifestException e) {
                      unreadable.add(e);
                      return;
                    }
                    attempts.add(attempt);
                    if (!all.aborted().contains(attempt)) {
                      taker.take(manifest);
                    }
                  };
                });
    return contents.map(all -> new Loaded(all, plan.get(0), attempts, unreadable));
  }
}
