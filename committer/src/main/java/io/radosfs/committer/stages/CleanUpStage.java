// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.JobPlan;
import io.radosfs.committer.manifest.TaskManifest;
import io.radosfs.committer.manifest.TaskManifest.PromotedFile;
import io.radosfs.committer.stages.LoadManifestsStage.Loaded;
import io.radosfs.connector.job.JobState;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.job.WorkFile;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what a decided job has left over: objects that did not become visible, then the record,
 * then the registration. In this order, so that nothing is ever without something that refers to
 * it. May be repeated.
 *
 * <p>A file that was never closed may have a writer that is still alive, and a job that is aborted
 * by another than planned it a driver, which writes its report and prepares in directories that it
 * makes. What there is of them is removed; but the record then stays, in its final state, with the
 * registration, so that what they may yet write can be found. Once it is known that no process of
 * the job is left, the record goes as well. It stays in any case when a manifest cannot be read.
 *
 * <p>Cost: two writes; where something was left over one more, and the removals, with one read for
 * each 16 manifests that speak of it, and one more for the first two.
 */
final class CleanUpStage {

  private static final Logger LOG = LoggerFactory.getLogger(CleanUpStage.class);

  /** Files whose objects are removed by one call: so many entries are in memory. */
  private static final int AT_A_TIME = 10_000;

  private CleanUpStage() {}

  /**
   * Of a job that is committed and resolved.
   *
   * @param plan as committed
   * @param repeated whether others may have tried to commit the job before
   * @param writersGone whether no process of the job is left
   */
  static void committed(Job job, Loaded loaded, JobPlan plan, boolean repeated, boolean writersGone)
      throws IOException {
    Set<TaskAttempt> left = new TreeSet<>(loaded.attempts());
    left.removeAll(plan.attempts());
    boolean mustStay = mustStay(loaded, writersGone);
    if (mustStay || !left.isEmpty() || !loaded.contents().files().isEmpty()) {
      boolean unused = job.record().setDecided(JobState.COMMITTED, job.fs().now());
    }
    if (repeated && plan.success().isPresent()) {
      removeUnusedReport(job, plan.success().get());
    }
    if (!plan.overwrite().isNothing()) {
      job.fs().transactions().releaseOverwriteLock(job.registration());
    }
    remove(job, loaded, left, mustStay);
  }

  /**
   * Of a job that is aborted, and whose record says so.
   *
   * @param writersGone whether no process of the job is left
   */
  static void aborted(Job job, Loaded loaded, boolean writersGone) throws IOException {
    boolean mustStay = mustStay(loaded, writersGone);
    if (loaded.plan().isEmpty() || !loaded.plan().get().overwrite().isNothing()) {
      job.fs().transactions().releaseOverwriteLock(job.registration());
    }
    if (loaded.plan().isPresent()) {
      job.fs().transactions().resolve(job.registration(), loaded.plan().get().directories());
      Optional<JobPlan.Success> success = loaded.plan().get().success();
      if (success.isPresent()) {
        job.fs().objects().removeUnfinished(success.get().data(), 1);
      }
      mustStay |=
          !writersGone && loaded.plan().get().mayBePreparedByOthers(job.fs().objects().instance());
    }
    remove(job, loaded, loaded.attempts(), mustStay);
  }

  /**
   * Of a job that another has decided and cleaned up, after this client had planned it, or whose
   * destination goes.
   */
  static void overtaken(Job job, JobPlan plan) throws IOException {
    // Where its destination is being removed, nobody has decided it; nobody can commit it there.
    var unused = job.fs().transactions().abort(job.registration());
    job.fs().transactions().resolve(job.registration(), plan.directories());
    if (plan.success().isPresent()) {
      removeUnusedReport(job, plan.success().get());
    }
  }

  /**
   * Of a committed job whose record has no plan: it was removed, and is there again, as a collector
   * noticed that there was none, and what a driver had sent to the old one came to it.
   */
  static void revived(Job job, Loaded loaded) throws IOException {
    boolean saysNothing =
        loaded.attempts().isEmpty()
            && loaded.unreadable().isEmpty()
            && loaded.contents().files().isEmpty();
    if (saysNothing) {
      job.record().remove();
    }
  }

  /** What has no more a record: the last step alone. */
  static void forgotten(Job job, Optional<Transactions.State> registered) throws IOException {
    if (registered.isPresent()) {
      job.fs().transactions().forget(job.registration());
    }
  }

  /**
   * @param left attempts whose manifests speak of files that are not visible
   */
  private static void remove(Job job, Loaded loaded, Set<TaskAttempt> left, boolean mustStay)
      throws IOException {
    removeClosed(job, loaded, left);
    for (WorkFile file : loaded.contents().files()) {
      if (file.isOpen()) {
        job.fs().objects().removeUnfinished(file.data(), file.window());
      }
    }
    if (mustStay) {
      boolean unused =
          job.record()
              .forget(loaded.contents().files().stream().filter(file -> !file.isOpen()).toList());
      LOG.info(
          "The record of {} stays: a process of it may still be writing, or a manifest of it cannot"
              + " be read",
          job);
      return;
    }
    job.record().remove();
    job.fs().transactions().forget(job.registration());
  }

  private static boolean mustStay(Loaded loaded, boolean writersGone) {
    return !loaded.unreadable().isEmpty()
        || (!writersGone && loaded.contents().files().stream().anyMatch(WorkFile::isOpen));
  }

  private static void removeClosed(Job job, Loaded loaded, Set<TaskAttempt> left)
      throws IOException {
    List<FileData> some = new ArrayList<>();
    for (WorkFile file : loaded.contents().files()) {
      if (!file.isOpen()) {
        some.add(file.data());
      }
    }
    job.record()
        .manifests(
            left,
            (attempt, stored) -> {
              TaskManifest manifest =
                  TaskManifest.decode(
                      job.record().name(), job.destination(), job.id(), attempt, stored);
              for (PromotedFile file : manifest.files()) {
                some.add(file.entry().data());
              }
              if (some.size() >= AT_A_TIME) {
                job.fs().objects().remove(some);
                some.clear();
              }
            });
    job.fs().objects().remove(some);
  }

  /**
   * Two that commit one job may have written the report under both of its possible names; removes
   * it where it is not in use.
   */
  private static void removeUnusedReport(Job job, JobPlan.Success success) throws IOException {
    Optional<Entry> visible =
        job.fs().namespace().lookup(job.destination().child(JobPlan.SUCCESS_NAME));
    if (visible.isPresent()
        && visible.get() instanceof Entry.OfFile file
        && file.uid().equals(success.data().uid())) {
      boolean plain = file.data().plainFirst();
      job.fs().objects().remove(List.of(success.data().withPlainFirst(!plain)));
    } else {
      job.fs().objects().removeUnfinished(success.data(), 1);
    }
  }
}
