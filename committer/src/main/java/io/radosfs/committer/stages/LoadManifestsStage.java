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

/**
 * Reads a job's record whole. To be run once the job has left RUNNING, when nothing is added any
 * more.
 *
 * <p>Cost: one read for each {@value JobRecord#PAGE} manifests or files, at least one.
 */
final class LoadManifestsStage {

  private LoadManifestsStage() {}

  /**
   * A job's record.
   *
   * @param manifests in the order of tasks and attempts, without those of aborted attempts
   * @param aborted manifests of aborted attempts, whose clean-up has not come to an end
   * @param unreadable errors, each of a manifest
   */
  record Loaded(
      JobRecord.Contents contents,
      Optional<JobPlan> plan,
      List<TaskManifest> manifests,
      List<TaskManifest> aborted,
      List<ManifestException> unreadable) {

    /**
     * @throws ManifestException when one of the manifests cannot be read
     */
    void requireReadable() throws ManifestException {
      if (!unreadable.isEmpty()) {
        throw unreadable.get(0);
      }
    }
  }

  /** Empty when there is no record. */
  static Optional<Loaded> run(Job job) throws IOException {
    return run(job, () -> {});
  }

  /**
   * The same.
   *
   * @param goesOn run for each manifest
   */
  static Optional<Loaded> run(Job job, Runnable goesOn) throws IOException {
    List<TaskManifest> all = new ArrayList<>();
    List<ManifestException> unreadable = new ArrayList<>();
    String name = job.record().name();
    Optional<JobRecord.Contents> contents =
        job.record()
            .contents(
                (TaskAttempt attempt, byte[] manifest) -> {
                  goesOn.run();
                  try {
                    all.add(
                        TaskManifest.decode(name, job.destination(), job.id(), attempt, manifest));
                  } catch (ManifestException e) {
                    unreadable.add(e);
                  }
                });
    if (contents.isEmpty()) {
      return Optional.empty();
    }
    Optional<JobPlan> plan = JobPlan.decode(name, job.destination(), contents.get().plan());
    List<TaskManifest> manifests = new ArrayList<>();
    List<TaskManifest> aborted = new ArrayList<>();
    for (TaskManifest manifest : all) {
      (contents.get().aborted().contains(manifest.attempt()) ? aborted : manifests).add(manifest);
    }
    return Optional.of(new Loaded(contents.get(), plan, manifests, aborted, unreadable));
  }
}
