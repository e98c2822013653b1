// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.committer.manifest.JobPlan;
import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.committer.manifest.SuccessReport;
import io.radosfs.committer.stages.LoadManifestsStage.ByPlan;
import io.radosfs.committer.stages.LoadManifestsStage.Loaded;
import io.radosfs.committer.stages.SelectFilesStage.Selected;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.job.JobRecord;
import io.radosfs.connector.job.JobState;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.transaction.Committed;
import io.radosfs.connector.transaction.TransactionAbortedException;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits a job:
 *
 * <ol>
 *   <li>fence: the record goes from RUNNING to COMMITTING, and nothing is added to it any more;
 *   <li>read the manifests one after another, choose those that count, keep their files in a
 *       compact table, check that they fit together and, if asked to, that the objects match them;
 *   <li>a job that replaces anything waits for the overwrite lock ({@link
 *       Transactions#takeOverwriteLock});
 *   <li>compute the changes, and read what they replace as it is now, waiting for other jobs that
 *       replace it by another path;
 *   <li>plan: write into the record what will be done;
 *   <li>write the object of {@code _SUCCESS};
 *   <li>transact: the commit is the one operation that decides the transaction;
 *   <li>clean up.
 * </ol>
 *
 * <p>May be repeated after a crash at any point, by anyone: an undecided commit is done again by
 * the plan, a decided one is finished (I7). A failure before the decision leaves nothing visible,
 * and the job can be aborted. A failure after it is logged and left to a repetition, as the job is
 * committed.
 *
 * <p>Cost, for a job that replaces nothing and leaves nothing over: seven operations, one for each
 * {@value JobRecord#PAGE} manifests, the transaction, and the object of {@code _SUCCESS}.
 */
public final class CommitJobStage {

  private static final Logger LOG = LoggerFactory.getLogger(CommitJobStage.class);

  /**
   * What to commit, and how.
   *
   * @param selection which attempts become visible
   * @param overwrite what is replaced
   * @param requireEmpty where to fail if anything is there
   * @param writeSuccess whether to write {@code _SUCCESS}
   * @param validation how the files are checked before
   */
  public record Request(
      Selection selection,
      Overwrite overwrite,
      RequireEmpty requireEmpty,
      boolean writeSuccess,
      Validation validation) {

    /** A request that appends or overwrites, and does not check the files. */
    public Request(Selection selection, Overwrite overwrite, boolean writeSuccess) {
      this(selection, overwrite, RequireEmpty.NOTHING, writeSuccess, Validation.NONE);
    }

    public Request requiring(RequireEmpty empty) {
      return new Request(selection, overwrite, empty, writeSuccess, validation);
    }

    public Request validating(Validation how) {
      return new Request(selection, overwrite, requireEmpty, writeSuccess, how);
    }
  }

  /** As it is registered, once its record is read. */
  private Job job;

  private final Request request;
  private final StageLog timings;
  private final StoredPlan stored;

  private CommitJobStage(Job job, Request request, StageLog timings) {
    this.job = job;
    this.stored = new StoredPlan(job);
    this.request = request;
    this.timings = timings;
  }

  /**
   * @throws JobEndedException if the job was aborted, or never set up
   * @throws OutcomeUnknownException if it may be committed
   */
  public static JobCommit run(Job job, Request request) throws IOException {
    return run(job, request, new StageLog(() -> {}));
  }

  /**
   * The same, with a log.
   *
   * @param log records all that is done
   */
  public static JobCommit run(Job job, Request request, StageLog log) throws IOException {
    CommitJobStage stage = new CommitJobStage(job, request, log);
    try {
      return stage.run();
    } catch (IOException e) {
      return stage.failed(e);
    } catch (RuntimeException e) {
      LOG.warn("the commit of {} failed: {}; in stage {}", job, log, log.stage(), e);
      throw e;
    } finally {
      // A failed job is aborted or committed again: by its engine, or by recovery.
      job.fs().heartbeats().end(job.record());
    }
  }

  private JobCommit failed(IOException failure) throws IOException {
    boolean open = EndedJob.isLeftOpen(failure);
    EndedJob.Known known = open ? EndedJob.Known.NOTHING : EndedJob.known(job, failure);
    switch (known) {
      case COMMITTED -> {
        LOG.warn("{} is committed, by another driver; this one failed: {}", job, timings, failure);
        return JobCommit.found(Optional.empty());
      }
      case NOT_COMMITTED ->
          LOG.warn(
              "{} is not committed: {}; failed in stage {}",
              job,
              timings,
              timings.stage(),
              failure);
      case GONE, NOTHING ->
          LOG.warn(
              "{} may be committed or not: {}; in stage {}",
              job,
              timings,
              timings.stage(),
              failure);
    }
    boolean told = open || failure instanceof InterruptedIOException;
    throw told ? failure : EndedJob.asTold(known, job, failure);
  }

  private JobCommit run() throws IOException {
    Optional<JobState> state = timings.time("fence", this::fence);
    if (state.isEmpty()) {
      return EndedJob.withoutRecord(job);
    }
    if (state.get() == JobState.ABORTED) {
      throw stored.aborted();
    }
    return job.fs().retries().run("commit of " + job, this::tryToCommit);
  }

  /**
   * Tries again if the job is set up just now: after the fence failed and before the look at why.
   */
  private Optional<JobState> fence() throws IOException {
    return job.fs()
        .retries()
        .run(
            "fence of " + job,
            () ->
                Optional.of(job.record().change(JobState.RUNNING, JobState.COMMITTING))
                    .filter(state -> !state.equals(Optional.of(JobState.RUNNING))));
  }

  /**
   * Empty if another client has planned or ended the job meanwhile; the caller reads again and
   * retries.
   */
  private Optional<JobCommit> tryToCommit() throws IOException {
    AtomicReference<SelectFilesStage> files = new AtomicReference<>();
    Optional<Loaded> loaded =
        timings.time(
            "load_manifests", () -> LoadManifestsStage.run(job, by(files), timings::goesOn));
    if (loaded.isEmpty()) {
      return Optional.of(EndedJob.withoutRecord(job));
    }
    job = job.as(loaded.get().contents().info());
    timings.concerns(loaded.get().contents().info());
    Optional<JobPlan> plan = loaded.get().plan();
    if (plan.isPresent()) {
      return resume(loaded.get(), plan.get(), files.get());
    }
    if (loaded.get().contents().state() == JobState.COMMITTED) {
      return Optional.of(EndedJob.recordedAgain(job));
    }
    loaded.get().requireReadable();
    return begin(loaded.get(), files.get());
  }

  /** Selects manifests while they are read: those of the plan, if there is one. */
  private ByPlan by(AtomicReference<SelectFilesStage> files) {
    return plan -> {
      Selection selection =
          plan.map(stored -> Selection.exactly(stored.attempts())).orElse(request.selection());
      files.set(new SelectFilesStage(job, selection));
      return files.get();
    };
  }

  private Selected select(SelectFilesStage files) throws IOException {
    Selected selected = timings.time("select_files", files::selected);
    timings.commits(selected);
    timings.time("validate", () -> validate(selected));
    return selected;
  }

  /** Commits a job that has no plan; empty if it has got one meanwhile. */
  private Optional<JobCommit> begin(Loaded loaded, SelectFilesStage files) throws IOException {
    request.selection().requireNoFiles(job, loaded.contents().files());
    Selected selected = select(files);
    boolean unused = takeOverwriteLock(request.overwrite(), selected);
    Changes changes = compute(selected, request.overwrite(), request.writeSuccess());
    Optional<JobPlan.Success> success = Optional.empty();
    if (request.writeSuccess()) {
      SuccessReport report = ReportStage.run(job, timings);
      FsPath path = job.destination().child(JobPlan.SUCCESS_NAME);
      FileData data =
          job.fs().objects().newFile(path, job.id()).withPlainFirst(!changes.takesPlainName(path));
      success =
          Optional.of(new JobPlan.Success(data, report.encode(), job.fs().objects().instance()));
    }
    JobPlan plan =
        new JobPlan(
            request.overwrite(),
            success,
            selected.attempts(),
            changes.directories(job.destination()),
            Set.of(job.fs().objects().instance()));
    if (!timings.time("plan", () -> stored.write(plan))) {
      return Optional.empty();
    }
    return Optional.of(promote(loaded, plan, selected, changes, /* repeated= */ false));
  }

  /** Goes on with a job that has a plan; empty if it has ended meanwhile. */
  private Optional<JobCommit> resume(Loaded loaded, JobPlan plan, SelectFilesStage files)
      throws IOException {
    Optional<Transactions.State> decision = job.fs().transactions().state(job.registration());
    if (decision.isEmpty()) {
      return Optional.of(EndedJob.unregistered(job));
    }
    switch (decision.get()) {
      case COMMITTED:
        LOG.info("{} is committed already", job);
        return Optional.of(
            committed(loaded, plan, /* repeated= */ true)
                .finishFound(() -> CommittedJob.report(plan).or(() -> reportOf(files))));
      case ABORTED:
        throw stored.aborted();
      default:
        loaded.requireReadable();
        Selected selected = select(files);
        if (!stored.join(plan)) {
          return Optional.empty();
        }
        boolean unused = takeOverwriteLock(plan.overwrite(), selected);
        Changes changes = compute(selected, plan.overwrite(), plan.success().isPresent());
        return Optional.of(promote(loaded, plan, selected, changes, /* repeated= */ true));
    }
  }

  /** The report by the manifests, where those that were committed are all there still. */
  private Optional<SuccessReport> reportOf(SelectFilesStage files) {
    try {
      timings.commits(files.selected());
      return Optional.of(ReportStage.run(job, timings));
    } catch (IOException e) {
      // Not with this, which would say of a committed job that it cannot be committed.
      LOG.info("{} is committed; of its manifests some are gone, and it has no report", job);
      return Optional.empty();
    }
  }

  private Void validate(Selected selected) throws IOException {
    request.validation().check(job, selected);
    return null;
  }

  /** If two jobs replace data, the second waits here, before it has prepared anything. */
  private boolean takeOverwriteLock(Overwrite overwrite, Selected selected) throws IOException {
    return !overwrite.isNothing()
        && timings.time(
            "wait_for_turn",
            () ->
                job.fs()
                    .transactions()
                    .takeOverwriteLock(
                        job.registration(),
                        overwrite.elsewhere(job.destination(), selected.directories())));
  }

  /** Empty if the changes are as before, and so are the directories that were locked for them. */
  private Optional<Changes> recompute(
      Changes before, Selected selected, Overwrite overwrite, boolean success) throws IOException {
    boolean lockedAnew = takeOverwriteLock(overwrite, selected);
    Changes now = compute(selected, overwrite, success);
    return lockedAnew || !now.areSame(before) ? Optional.of(now) : Optional.empty();
  }

  /**
   * Computes the changes, then looks whether anything is there that must not be. In this order, so
   * that another job that commits after the look changes the {@code _SUCCESS} that these changes
   * rest on: then they are computed again.
   */
  private Changes compute(Selected selected, Overwrite overwrite, boolean success)
      throws IOException {
    return timings.time(
        "compute_changes",
        () -> {
          Changes changes = ComputeChangesStage.run(job, selected, overwrite, success);
          request.requireEmpty().check(job, selected.directories());
          return changes;
        });
  }

  private JobCommit promote(
      Loaded loaded, JobPlan begun, Selected selected, Changes first, boolean repeated)
      throws IOException {
    JobPlan[] plan = {begun};
    Committed committed;
    try {
      Optional<Entry> success = timings.time("write_success", () -> writeSuccess(begun));
      committed =
          timings.time(
              "transaction",
              () ->
                  TransactStage.run(
                      job,
                      first,
                      before ->
                          recompute(
                              before, selected, begun.overwrite(), begun.success().isPresent()),
                      success,
                      repeated,
                      changes -> plan[0] = stored.extended(plan[0], changes),
                      timings::goesOn));
    } catch (TransactionAbortedException e) {
      return overtaken(plan[0], e);
    }
    committed
        .unresolved()
        .ifPresent(e -> LOG.warn("{} is committed; what failed after that is done again", job, e));
    // An earlier call may have prepared in more directories than these changes have.
    return committed(loaded, plan[0], repeated)
        .finish(
            committed.isResolved() && !repeated, () -> Optional.of(ReportStage.run(job, timings)));
  }

  private CommittedJob committed(Loaded loaded, JobPlan plan, boolean repeated) {
    return new CommittedJob(job, loaded, plan, repeated, timings);
  }

  /**
   * Another client has decided the job, and may have cleaned up before this client prepared. Rolls
   * back what this client did, and returns the other's result.
   */
  private JobCommit overtaken(JobPlan plan, TransactionAbortedException aborted)
      throws IOException {
    boolean isAborted = job.record().state().filter(state -> state == JobState.ABORTED).isPresent();
    CleanUpStage.overtaken(job, plan);
    if (isAborted) {
      throw aborted;
    }
    return EndedJob.withoutRecord(job);
  }

  private Optional<Entry> writeSuccess(JobPlan plan) throws IOException {
    if (plan.success().isEmpty()) {
      return Optional.empty();
    }
    byte[] content = plan.success().get().content().getBytes(StandardCharsets.UTF_8);
    FileData data = job.fs().objects().write(plan.success().get().data(), content);
    CRC32C crc = new CRC32C();
    crc.update(content);
    return Optional.of(new Entry.OfFile(data, (int) crc.getValue(), job.fs().newFileAttributes()));
  }
}
