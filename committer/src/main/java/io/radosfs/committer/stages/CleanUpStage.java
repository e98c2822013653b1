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
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.FollowUp;
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
 * then the registration. In this order, so that at any time something refers to all that is left.
 * May be repeated.
 *
 * <p>The writer of a file that was never closed may still be alive. So may the driver of a job that
 * another client aborts: it may still write its report, and prepare in directories that it makes.
 * So may another driver that planned a committed job, or goes on by its plan: it may do both, even
 * where a user has removed what was committed. What they have written is removed. But the record
 * stays, in its final state, with the registration, so that late writes can be found. Once no
 * process of the job is left, the record is removed too, unless a manifest cannot be read, or
 * something of a file that was never closed was there, for this client or another one that cleans
 * up at the same time: a process may be writing on.
 *
 * <p>Cost: two writes. If something was left over, one write more, the removals, and one read for
 * each 16 manifests that name files left over, and one more for the first two. One write more for
 * each file that was not closed and of which something is there, two if it is long.
 */
final class CleanUpStage {

  private static final Logger LOG = LoggerFactory.getLogger(CleanUpStage.class);
  private static final FollowUp FOLLOW_UP = new FollowUp(LOG);

  /** Files whose objects one call removes, and so the number of entries in memory. */
  private static final int AT_A_TIME = 10_000;

  private CleanUpStage() {}

  /**
   * Cleans up a job that is committed and resolved.
   *
   * @param plan as committed
   * @param repeated whether an earlier call may have tried to commit the job
   * @param writers whether a process of the job may be left
   */
  static void committed(Job job, Loaded loaded, JobPlan plan, boolean repeated, JobWriters writers)
      throws IOException {
    Set<TaskAttempt> left = new TreeSet<>(loaded.attempts());
    left.removeAll(plan.attempts());
    boolean mustStay =
        mustStay(loaded, writers)
            || !writers.areGone() && plan.mayBePreparedByOthers(job.fs().objects().instance());
    if (mustStay || !left.isEmpty() || !loaded.contents().files().isEmpty()) {
      setCommitted(job);
    }
    if (repeated && plan.success().isPresent()) {
      removeUnusedReport(job, plan.success().get());
    }
    releaseOverwriteLock(job, Optional.of(plan));
    mustStay |= removeData(job, loaded, left);
    if (!mustStay && loaded.contents().info().mayBeRestarted()) {
      listForNextDriver(job);
    }
    if (mustStay) {
      keepRecord(job, loaded);
    } else if (writers.areGone()) {
      if (removeRecord(job, loaded, writers)) {
        job.fs().transactions().forget(job.registration());
      }
    } else if (job.record().ended().removeUnlessPlanned(JobPlan.JOINED)) {
      job.fs().transactions().forget(job.registration());
    } else {
      setCommitted(job);
      keepRecord(job, loaded);
    }
  }

  /**
   * Lists a committed job whose driver may be started anew, and would run it once more where
   * nothing tells of it: somebody may remove or rename its report. Before its record goes, which
   * says that it may be restarted; until a collection that comes later. A read and a write more.
   */
  private static void listForNextDriver(Job job) throws IOException {
    job.fs().transactions().list(job.registration(), Transactions.State.COMMITTED);
  }

  private static void setCommitted(Job job) throws IOException {
    boolean unused = job.record().setDecided(JobState.COMMITTED, job.fs().now());
  }

  /**
   * Cleans up a job that is aborted, and whose record is ABORTED.
   *
   * @param writers whether a process of the job may be left
   */
  static void aborted(Job job, Loaded loaded, JobWriters writers) throws IOException {
    boolean mustStay = mustStay(loaded, writers);
    releaseOverwriteLock(job, loaded.plan());
    if (loaded.plan().isPresent()) {
      job.fs().transactions().resolve(job.registration(), loaded.plan().get().directories());
      Optional<JobPlan.Success> success = loaded.plan().get().success();
      if (success.isPresent()) {
        // One stripe, which a driver writes once: that it is there says nothing of a living one.
        job.fs().objects().removeUnfinished(success.get().data());
      }
      mustStay |=
          !writers.areGone()
              && loaded.plan().get().mayBePreparedByOthers(job.fs().objects().instance());
    }
    Optional<Uid> made = loaded.contents().info().madeDestination();
    boolean gone = made.isPresent() && removeMade(job, made.get());
    mustStay |= removeData(job, loaded, loaded.attempts());
    if (mustStay) {
      keepRecord(job, loaded);
      return;
    }
    if (!removeRecord(job, loaded, writers)) {
      return;
    }
    // If it is gone, the list of ledgers has the job now, until a collection that comes later: one
    // that is at work may be about to note that the job has no record, by making one.
    if (!gone) {
      job.fs().transactions().forget(job.registration());
    }
  }

  /** Where there is no plan, nothing tells of locks elsewhere, which mean nothing any more. */
  private static void releaseOverwriteLock(Job job, Optional<JobPlan> plan) throws IOException {
    if (plan.filter(known -> known.overwrite().isNothing()).isEmpty()) {
      job.fs()
          .transactions()
          .releaseOverwriteLock(
              job.registration(),
              plan.map(known -> known.overwrite().elsewhere(job.destination(), known.directories()))
                  .orElse(Set.of()));
    }
  }

  /**
   * Cleans up a job that another client has decided and cleaned up after this one had planned it,
   * or whose destination is being removed. Nothing tells any more whether the report is in use: it
   * may have been renamed. So it is removed only if no other client has written it, and so none can
   * have committed it.
   */
  static void overtaken(Job job, JobPlan plan) throws IOException {
    // If its destination is being removed, no client has decided it, and none can commit it.
    var unused = job.fs().transactions().abort(job.registration());
    job.fs().transactions().resolve(job.registration(), plan.directories());
    if (plan.success().isPresent()) {
      job.fs().objects().removeOwn(plan.success().get().data());
    }
  }

  /**
   * Cleans up a committed job whose record has no plan. The record was removed, then made again by
   * a collector that noticed a missing one, and late writes of a driver went to it.
   */
  static void revived(Job job, Loaded loaded) throws IOException {
    boolean saysNothing =
        loaded.attempts().isEmpty()
            && loaded.unreadable().isEmpty()
            && loaded.contents().files().isEmpty();
    if (saysNothing) {
      job.record().ended().remove();
    }
  }

  /**
   * Cleans up a job without a record: only the last step is left. A second driver of its id may be
   * about to make a record, and die before it finds out that the job has ended.
   *
   * @param registered how it is decided; empty if it is not registered any more
   * @param writers whether a process of the job may be left
   */
  static void forgotten(Job job, Optional<Transactions.State> registered, JobWriters writers)
      throws IOException {
    if (registered.isPresent() && writers.areGone()) {
      job.fs().transactions().forget(job.registration());
    } else if (registered.isPresent()) {
      job.fs().transactions().forgetUnrecorded(job.registration(), registered.get());
    }
  }

  /**
   * Removes the destination that the job's set-up has made, if nobody uses it since. So the job can
   * be run again where a directory must not be there. While the record is there, the list of
   * ledgers leads to it. A failure leaves an empty directory, which is not worth failing for.
   */
  private static boolean removeMade(Job job, Uid made) {
    boolean[] removed = {false};
    FOLLOW_UP.quietly(
        job + " is aborted, but the directory that it has made may still be there",
        "it is empty, and can be deleted",
        () -> removed[0] = job.fs().namespace().removeUnused(job.destination(), made, job.id()));
    return removed[0];
  }

  /** Returns whether something of a file that was never closed was there, and is removed. */
  private static boolean removeData(Job job, Loaded loaded, Set<TaskAttempt> left)
      throws IOException {
    removeClosed(job, loaded, left);
    boolean found = false;
    for (WorkFile file : loaded.contents().files()) {
      if (file.isOpen()) {
        found |= job.fs().objects().removeUnfinished(file, job.record());
      }
    }
    return found;
  }

  /**
   * Removes the record. If no file is open any more, nothing late is expected, whatever was found.
   *
   * @return false if it stays: another client has found something meanwhile
   */
  private static boolean removeRecord(Job job, Loaded loaded, JobWriters writers)
      throws IOException {
    if (!hasOpenFile(loaded)) {
      job.record().ended().remove();
      return true;
    }
    boolean removed = job.record().ended().removeUnlessFound(writers.found());
    if (!removed) {
      keepRecord(job, loaded);
    }
    return removed;
  }

  private static void keepRecord(Job job, Loaded loaded) throws IOException {
    boolean unused =
        job.record()
            .forget(loaded.contents().files().stream().filter(file -> !file.isOpen()).toList());
    LOG.info(
        "The record of {} stays: a process of it may still be writing, or a manifest of it cannot"
            + " be read",
        job);
  }

  private static boolean mustStay(Loaded loaded, JobWriters writers) {
    return !loaded.unreadable().isEmpty() || (!writers.areGone() && hasOpenFile(loaded));
  }

  private static boolean hasOpenFile(Loaded loaded) {
    return loaded.contents().files().stream().anyMatch(WorkFile::isOpen);
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
   * Two clients that commit one job may have written the report under both of its possible names.
   * Removes the object that is not in use. If it is not at its path any more, the user may have
   * renamed it, or replaced it and want it restored.
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
      job.fs().objects().removeUnlessInUse(success.data());
    }
  }
}
