// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.JobPlan;
import io.radosfs.committer.manifest.ManifestException;
import io.radosfs.committer.manifest.TaskManifest;
import io.radosfs.connector.job.JobDescription;
import io.radosfs.connector.job.JobDescription.Attempt;
import io.radosfs.connector.job.JobDescription.Plan;
import io.radosfs.connector.job.JobDescription.Status;
import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.job.RegisteredJob;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.job.WorkFile;
import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads a job's record for display, in any state.
 *
 * <p>Cost: one read, and one for each {@value JobRecord#PAGE} manifests or files.
 */
final class DescribeJobStage {

  private DescribeJobStage() {}

  static JobDescription run(Job job, RegisteredJob registered) throws IOException {
    Optional<JobRecord.Head> head = job.record().head();
    if (head.isEmpty() || head.get().state().isEmpty()) {
      return new JobDescription(
          registered,
          Optional.empty(),
          Optional.empty(),
          head.map(JobRecord.Head::lastHeartbeat).orElse(0L),
          List.of(),
          Optional.empty());
    }
    SortedMap<TaskAttempt, Attempt> attempts = new TreeMap<>();
    Optional<JobRecord.Contents> contents =
        job.record()
            .contents(
                all ->
                    (attempt, manifest) ->
                        attempts.put(attempt, committed(job, attempt, manifest)));
    if (contents.isEmpty()) {
      return run(job, registered); // removed meanwhile
    }
    for (WorkFile file : contents.get().files()) {
      attempts.merge(file.attempt(), writing(file), Attempt::and);
    }
    List<Attempt> all = new ArrayList<>();
    Set<TaskAttempt> aborted = contents.get().aborted();
    for (Map.Entry<TaskAttempt, Attempt> each : attempts.entrySet()) {
      Attempt attempt = each.getValue();
      all.add(aborted.contains(each.getKey()) ? attempt.as(Status.ABORTED) : attempt);
    }
    Optional<Plan> plan =
        JobPlan.decode(job.record().name(), job.destination(), contents.get().plan())
            .map(DescribeJobStage::plan);
    return new JobDescription(
        registered,
        Optional.of(contents.get().state()),
        Optional.of(contents.get().info()),
        contents.get().lastHeartbeat(),
        all,
        plan);
  }

  private static Attempt committed(Job job, TaskAttempt attempt, byte[] stored) {
    try {
      TaskManifest manifest =
          TaskManifest.decode(job.record().name(), job.destination(), job.id(), attempt, stored);
      return new Attempt(
          attempt.task(),
          attempt.attempt(),
          Status.COMMITTED,
          manifest.files().size(),
          manifest.bytes(),
          0);
    } catch (ManifestException e) {
      return new Attempt(attempt.task(), attempt.attempt(), Status.UNREADABLE, 0, 0, 0);
    }
  }

  /** What was deleted counts nothing, although its objects may still be there. */
  private static Attempt writing(WorkFile file) {
    TaskAttempt attempt = file.attempt();
    return new Attempt(
        attempt.task(),
        attempt.attempt(),
        Status.WRITING,
        file.isThere() ? 1 : 0,
        file.removed() ? 0 : file.data().length(),
        file.isOpen() ? 1 : 0);
  }

  private static Plan plan(JobPlan plan) {
    return new Plan(
        plan.attempts().size(),
        plan.directories().stream().map(FsPath::toString).sorted().toList(),
        plan.overwrite().paths(),
        plan.overwrite().writtenPartitions());
  }
}
