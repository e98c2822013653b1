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
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.store.FollowUp;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.transaction.Committed;
import io.radosfs.connector.transaction.TransactionAbortedException;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits a job:
 *
 * <ol>
 *   <li>fence: the record goes from RUNNING to COMMITTING, and nothing is added to it any more;
 *   <li>read the manifests one after another, choose those that count, keep what they say in little
 *       memory, check that they go together, and, if asked to, that the objects are what the
 *       manifests say;
 *   <li>a job that replaces anything waits for the overwrite lock ({@link
 *       Transactions#takeOverwriteLock});
 *   <li>compute what the transaction does, with what it replaces as it is now;
 *   <li>plan: write down, in the record, what is going to be done;
 *   <li>write the object of {@code _SUCCESS};
 *   <li>transact: the commit is the one operation that decides the transaction;
 *   <li>clean up.
 * </ol>
 *
 * <p>May be repeated after a crash at any point, by anyone: what is not decided is done again by
 * the plan, what is decided is finished (I7). Whatever fails before the decision leaves nothing
 * visible, and the job can be aborted; what fails after it is logged and left to a repetition, as
 * the job is committed.
 *
 * <p>Cost, of a job of T tasks that replaces nothing and leaves nothing over: seven operations, one
 * for each {@value JobRecord#PAGE} manifests, the transaction, and the object of {@code _SUCCESS}.
 */
public final class CommitJobStage {

  private static final Logger LOG = LoggerFactory.getLogger(CommitJobStage.class);
  private static final FollowUp FOLLOW_UP = new FollowUp(LOG);

  /**
   * What is asked for.
   *
   * @param selection which attempts become visible
   * @param overwrite what is replaced
   * @param requireEmpty where to fail when anything is there
   * @param writeSuccess whether to write {@code _SUCCESS}
   * @param validation how the files are looked at before
   */
  public record Request(
      Selection selection,
      Overwrite overwrite,
      RequireEmpty requireEmpty,
      boolean writeSuccess,
      Validation validation) {

    /** What appends or overwrites, and does not look at the files. */
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

  private final Job job;
  private final Request request;
  private final StageLog timings;

  private CommitJobStage(Job job, Request request, StageLog timings) {
    this.job = job;
    this.request = request;
    this.timings = timings;
  }

  /**
   * @throws JobEndedException when the job was aborted, or never set up
   * @throws OutcomeUnknownException when it may be committed
   */
  public static JobCommit run(Job job, Request request) throws IOException {
    return run(job, request, new StageLog(() -> {}));
  }

  /**
   * The same.
   *
   * @param log is told of all that is done
   */
  public static JobCommit run(Job job, Request request, StageLog log) throws IOException {
    try {
      return new CommitJobStage(job, request, log).run();
    } catch (OutcomeUnknownException e) {
      LOG.warn("{} may be committed or not: {}; in stage {}", job, log, log.stage(), e);
      throw e;
    } catch (IOException e) {
      if (isCommittedByAnother(job, e)) {
        LOG.warn("{} is committed, by another driver; this one failed: {}", job, log, e);
        return new JobCommit(true, Optional.empty());
      }
      LOG.warn("{} is not committed: {}; failed in stage {}", job, log, log.stage(), e);
      throw e;
    } catch (RuntimeException e) {
      LOG.warn("{} is not committed: {}; failed in stage {}", job, log, log.stage(), e);
      throw e;
    } finally {
      // What has failed is aborted, or committed again: by its engine, or by who takes it for dead.
      job.fs().heartbeats().end(job.record());
    }
  }

  /**
   * Whether a job is committed whose commit has failed here: then its user must not be told that it
   * failed. Where that cannot be found out, the failure stands, as this call has decided nothing.
   */
  private static boolean isCommittedByAnother(Job job, IOException failure) {
    try {
      return FollowUp.evenIfInterrupted(() -> isToldCommitted(job));
    } catch (IOException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  /**
   * By the registration, which decides; where that has gone, by the record, which says what was
   * decided, or once that has gone too, by the report.
   */
  private static boolean isToldCommitted(Job job) throws IOException {
    Optional<Transactions.State> decision = job.fs().transactions().state(job.registration());
    if (decision.isPresent()) {
      return decision.get() == Transactions.State.COMMITTED;
    }
    Optional<JobState> recorded = job.record().state();
    return recorded.isPresent()
        ? recorded.get() == JobState.COMMITTED
        : ReportStage.find(job).isPresent();
  }

  private JobCommit run() throws IOException {
    Optional<JobState> state =
        timings.time("fence", () -> job.record().change(JobState.RUNNING, JobState.COMMITTING));
    if (state.isEmpty()) {
      return withoutRecord();
    }
    if (state.get() == JobState.ABORTED) {
      throw aborted();
    }
    return job.fs().retries().run("commit of " + job, this::tryToCommit);
  }

  /** Empty when it has got a plan by another meanwhile, and must be looked at again. */
  private Optional<JobCommit> tryToCommit() throws IOException {
    AtomicReference<SelectFilesStage> files = new AtomicReference<>();
    Optional<Loaded> loaded =
        timings.time(
            "load_manifests", () -> LoadManifestsStage.run(job, by(files), timings::goesOn));
    if (loaded.isEmpty()) {
      return Optional.of(withoutRecord());
    }
    timings.concerns(loaded.get().contents().info());
    Optional<JobPlan> plan = loaded.get().plan();
    if (plan.isPresent()) {
      return Optional.of(resume(loaded.get(), plan.get(), files.get()));
    }
    loaded.get().requireReadable();
    return begin(loaded.get(), files.get());
  }

  /** What is selected of the manifests while they are read: what the plan says, if there is one. */
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

  /** Commits a job that has no plan; empty when it has got one meanwhile. */
  private Optional<JobCommit> begin(Loaded loaded, SelectFilesStage files) throws IOException {
    Selected selected = select(files);
    request.requireEmpty().check(job, selected.directories());
    takeOverwriteLock(request.overwrite());
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
    if (!timings.time("plan", () -> write(plan))) {
      requireCommitting();
      return Optional.empty();
    }
    return Optional.of(promote(loaded, plan, selected, changes, /* repeated= */ false));
  }

  /** Goes on with a job that has a plan. */
  private JobCommit resume(Loaded loaded, JobPlan plan, SelectFilesStage files) throws IOException {
    Optional<Transactions.State> decision = job.fs().transactions().state(job.registration());
    if (decision.isEmpty()) {
      return unregistered();
    }
    switch (decision.get()) {
      case COMMITTED:
        LOG.info("{} is committed already", job);
        return new AfterDecision(loaded, plan, /* repeated= */ true)
            .finish(/* resolved= */ false, () -> report(plan));
      case ABORTED:
        throw aborted();
      default:
        loaded.requireReadable();
        Selected selected = select(files);
        stageToo(plan);
        takeOverwriteLock(plan.overwrite());
        Changes changes = compute(selected, plan.overwrite(), plan.success().isPresent());
        return promote(loaded, plan, selected, changes, /* repeated= */ true);
    }
  }

  private Void validate(Selected selected) throws IOException {
    request.validation().check(job, selected);
    return null;
  }

  /** Of two that replace much, the second one waits here, where it has prepared nothing yet. */
  private void takeOverwriteLock(Overwrite overwrite) throws IOException {
    if (!overwrite.isNothing()) {
      timings.time(
          "wait_for_turn",
          () -> {
            job.fs().transactions().takeOverwriteLock(job.registration());
            return null;
          });
    }
  }

  private Changes compute(Selected selected, Overwrite overwrite, boolean success)
      throws IOException {
    return timings.time(
        "compute_changes", () -> ComputeChangesStage.run(job, selected, overwrite, success));
  }

  private JobCommit promote(
      Loaded loaded, JobPlan stored, Selected selected, Changes first, boolean repeated)
      throws IOException {
    JobPlan[] plan = {stored};
    Committed committed;
    try {
      Optional<Entry> success = timings.time("write_success", () -> writeSuccess(stored));
      committed =
          timings.time(
              "transaction",
              () ->
                  TransactStage.run(
                      job,
                      first,
                      () -> compute(selected, stored.overwrite(), stored.success().isPresent()),
                      success,
                      repeated,
                      changes -> plan[0] = extended(plan[0], changes),
                      timings::goesOn));
    } catch (TransactionAbortedException e) {
      return overtaken(plan[0], e);
    }
    committed
        .unresolved()
        .ifPresent(e -> LOG.warn("{} is committed; what failed after that is done again", job, e));
    // A call before this one may have prepared in more directories than these changes have.
    return new AfterDecision(loaded, plan[0], repeated)
        .finish(
            committed.isSettled() && !repeated, () -> Optional.of(ReportStage.run(job, timings)));
  }

  /**
   * Another client has decided the job, and may have cleaned up before this one did what it did:
   * takes that back, and answers what the other has made of the job.
   */
  private JobCommit overtaken(JobPlan plan, TransactionAbortedException aborted)
      throws IOException {
    boolean isAborted = job.record().state().filter(state -> state == JobState.ABORTED).isPresent();
    CleanUpStage.overtaken(job, plan);
    if (isAborted) {
      throw aborted;
    }
    return withoutRecord();
  }

  /** Answers false when there is another plan. What is not written at a crash is extended then. */
  private boolean write(JobPlan plan) throws IOException {
    List<SortedMap<String, byte[]>> operations =
        JobPlan.inOperations(plan.encode(job.destination()), BatchLimit.DEFAULT);
    if (!job.record().plan(operations.get(0))) {
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
  private JobPlan extended(JobPlan plan, Changes changes) throws IOException {
    Set<FsPath> more = new HashSet<>(changes.directories(job.destination()));
    more.removeAll(plan.directories());
    if (more.isEmpty()) {
      return plan;
    }
    String tag = Uid.random() + "-";
    extend(
        JobPlan.inOperations(
            JobPlan.encodeDirectories(job.destination(), more, tag), BatchLimit.DEFAULT));
    return plan.and(more);
  }

  /**
   * Adds this client to those that stage by the plan, of which another may be at it: whoever aborts
   * the job must know that something may yet come.
   */
  private void stageToo(JobPlan plan) throws IOException {
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

  /** What follows once the job is committed: nothing of it fails the caller. */
  private final class AfterDecision {

    private final Loaded loaded;
    private final JobPlan plan;
    private final boolean repeated;

    AfterDecision(Loaded loaded, JobPlan plan, boolean repeated) {
      this.loaded = loaded;
      this.plan = plan;
      this.repeated = repeated;
    }

    /**
     * @param resolved whether the transaction is, in the directories of the plan
     */
    JobCommit finish(boolean resolved, Supplier<Optional<SuccessReport>> report) {
      FOLLOW_UP.quietly(
          job + " is committed, but not cleaned up after",
          "what is left over is removed when the commit is repeated or the job is recovered",
          () -> timings.time("clean_up", () -> cleanUp(resolved)));
      LOG.info("Committed {}: {}", job, timings);
      return new JobCommit(repeated, reported(report));
    }

    private Optional<SuccessReport> reported(Supplier<Optional<SuccessReport>> report) {
      try {
        return report.get();
      } catch (RuntimeException e) {
        LOG.warn("{} is committed, but there is no report of it", job, e);
        return Optional.empty();
      }
    }

    private Void cleanUp(boolean resolved) throws IOException {
      if (!resolved) {
        job.fs().transactions().resolve(job.registration(), plan.directories());
      }
      CleanUpStage.committed(job, loaded, plan, repeated, /* writersGone= */ false);
      return null;
    }
  }

  /** The record goes before the registration: without both another client has finished the job. */
  private JobCommit unregistered() throws IOException {
    if (job.record().state().isEmpty()) {
      return withoutRecord();
    }
    throw new JobEndedException(
        job
            + " is no more registered in its destination: the directory was removed while the job"
            + " ran");
  }

  /** Either the whole job was finished before, or it was never set up. */
  private JobCommit withoutRecord() throws IOException {
    Optional<Transactions.State> decision = job.fs().transactions().state(job.registration());
    if (decision.isPresent() && decision.get() == Transactions.State.COMMITTED) {
      CleanUpStage.forgotten(job, decision);
      return new JobCommit(true, Optional.empty());
    }
    Optional<SuccessReport> report = ReportStage.find(job);
    if (report.isPresent()) {
      LOG.info("{} was committed before", job);
      return new JobCommit(true, report);
    }
    throw new JobEndedException(
        "there is no "
            + job
            + ": it was aborted, or never set up; nothing was made visible by this call");
  }

  private static Optional<SuccessReport> report(JobPlan plan) {
    return plan.success()
        .flatMap(file -> SuccessReport.decode(file.content().getBytes(StandardCharsets.UTF_8)));
  }

  private void requireCommitting() throws IOException {
    Optional<JobState> state = job.record().state();
    if (state.isPresent() && state.get() == JobState.ABORTED) {
      throw aborted();
    }
  }

  private JobEndedException aborted() {
    return new JobEndedException(job + " was aborted and cannot be committed");
  }
}
