package io.radosfs.connector.job;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.RepeatableOps;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * The record of one job: one omap object that holds its state, the files that its tasks are
 * writing, and the manifests of those that are committed. Each method is one step of the protocol
 * and says what it costs.
 *
 * <p>Whatever a task does is guarded, in the operation that does it, with the job RUNNING and the
 * attempt not aborted (I6). So once the job has left RUNNING, the files and manifests in the record
 * are all that there will ever be.
 *
 * <p>Every operation can be repeated, and is when its answer is lost ({@link RepeatableOps});
 * {@link OutcomeUnknownException} comes after that. None makes a record that is gone anew, but for
 * {@link #create}.
 *
 * <p>Thread-safe; holds no state of its own.
 */
public final class JobRecord {

  /** Entries asked for in one read, of manifests or of files. */
  public static final int PAGE = 512;

  private static final byte[] MARK = "1".getBytes(StandardCharsets.UTF_8);

  private final ObjectStore store;
  private final FsPath destination;
  private final String jobId;
  private final String name;

  /**
   * @param store of the index
   */
  public JobRecord(ObjectStore store, FsPath destination, String jobId) {
    this.store = store;
    this.destination = destination;
    this.jobId = JobNames.check("job", jobId);
    this.name = ObjectNames.job(destination, jobId);
  }

  public FsPath destination() {
    return destination;
  }

  public String jobId() {
    return jobId;
  }

  /** The object's name. */
  public String name() {
    return name;
  }

  /**
   * Makes the record of a job that is RUNNING. Does nothing when it runs already. One write.
   *
   * @throws JobEndedException when there is a record of this name whose job has ended
   */
  public void create(JobInfo info) throws IOException {
    try {
      write(
          WriteOp.builder()
              .createIfMissing()
              .absentOmap(RecordKeys.STATE)
              .setOmap(
                  Map.of(
                      RecordKeys.STATE, JobState.RUNNING.encode(), RecordKeys.INFO, info.encode()))
              .build());
    } catch (StoreException e) {
      if (!e.is(Kind.GUARD_FAILED)) {
        throw e;
      }
      Optional<JobState> state = state();
      if (state.isPresent() && state.get() != JobState.RUNNING) {
        throw new JobEndedException(
            "job " + jobId + " on " + destination + " is " + state.get() + " and cannot run again");
      }
    }
  }

  /** How the job stands; empty when there is no record. One read. */
  public Optional<JobState> state() throws IOException {
    try {
      return Optional.of(
          stateIn(read(ReadOp.builder().omapByKeys(Set.of(RecordKeys.STATE)).build()).omap(0)));
    } catch (StoreException e) {
      if (e.is(Kind.NOT_FOUND)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** What was said of the job when it was set up; empty when there is no record. One read. */
  public Optional<JobInfo> info() throws IOException {
    try {
      SortedMap<String, byte[]> found =
          read(ReadOp.builder().omapByKeys(Set.of(RecordKeys.INFO)).build()).omap(0);
      return found.isEmpty()
          ? Optional.empty()
          : Optional.of(JobInfo.decode(name, found.get(RecordKeys.INFO)));
    } catch (StoreException e) {
      if (e.is(Kind.NOT_FOUND)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * Changes the state, if it is the one expected. One write, and one read where it is not.
   *
   * @return the state after: {@code to}, or what was found instead; empty when there is no record
   */
  public Optional<JobState> change(JobState from, JobState to) throws IOException {
    try {
      write(
          WriteOp.builder()
              .assertExists()
              .compareOmap(RecordKeys.STATE, from.encode())
              .setOmap(RecordKeys.STATE, to.encode())
              .build());
      return Optional.of(to);
    } catch (StoreException e) {
      if (e.is(Kind.NOT_FOUND)) {
        return Optional.empty();
      }
      if (e.is(Kind.GUARD_FAILED)) {
        return state();
      }
      throw e;
    }
  }

  /**
   * Sets the final state once the transaction is decided, whatever it was before. One write.
   *
   * @return false when there is no record
   */
  public boolean setDecided(JobState state) throws IOException {
    return writeIfThere(WriteOp.builder().assertExists().setOmap(RecordKeys.STATE, state.encode()));
  }

  /** Records that objects of this file may exist from now on. One write. */
  void begin(WorkFile open) throws IOException {
    writeAs(open.attempt(), guarded(open.attempt()).setOmap(open.key(), open.encode()));
  }

  /** Records that the file is whole. One write. */
  void publish(WorkFile closed) throws IOException {
    writeAs(closed.attempt(), guarded(closed.attempt()).setOmap(closed.key(), closed.encode()));
  }

  /**
   * Forgets files whose objects are gone, whatever the state. One write for each 10,000.
   *
   * @return false when there is no record
   */
  public boolean forget(Collection<WorkFile> files) throws IOException {
    List<String> keys = files.stream().map(WorkFile::key).toList();
    boolean there = true;
    for (int from = 0; from < keys.size(); from += 10_000) {
      List<String> some = keys.subList(from, Math.min(keys.size(), from + 10_000));
      there = writeIfThere(WriteOp.builder().assertExists().removeOmap(some));
    }
    return there;
  }

  /**
   * What the record has of an attempt.
   *
   * @param files not committed yet, of which some may be open
   * @param manifest once it is committed
   * @param aborted whether it was aborted
   * @param otherManifests how many other attempts of the task are committed
   */
  public record Attempt(
      List<WorkFile> files, Optional<byte[]> manifest, boolean aborted, int otherManifests) {}

  /**
   * Reads what the record has of an attempt. One read for each {@value #PAGE} files, at least one.
   *
   * @throws JobEndedException when there is no record
   */
  public Attempt attempt(TaskAttempt attempt) throws IOException {
    String manifestKey = RecordKeys.manifest(attempt);
    String ofTask = RecordKeys.MANIFEST_PREFIX + attempt.task() + "/";
    List<WorkFile> files = new ArrayList<>();
    ReadResult first = null;
    String after = "";
    boolean more = true;
    while (more) {
      ReadOp.Builder op = ReadOp.builder().omapRange(after, RecordKeys.workFiles(attempt), PAGE);
      if (first == null) {
        op.omapByKeys(Set.of(manifestKey, RecordKeys.aborted(attempt)));
        op.omapRange("", ofTask, PAGE);
      }
      ReadResult page;
      try {
        page = read(op.build());
      } catch (StoreException e) {
        throw e.is(Kind.NOT_FOUND) ? gone() : e;
      }
      first = first == null ? page : first;
      for (Map.Entry<String, byte[]> file : page.omap(0).entrySet()) {
        files.add(WorkFile.decode(name, destination, file.getKey(), file.getValue()));
        after = file.getKey();
      }
      more = page.more(0);
    }
    boolean committed = first.omap(1).containsKey(manifestKey);
    return new Attempt(
        files,
        Optional.ofNullable(first.omap(1).get(manifestKey)),
        first.omap(1).containsKey(RecordKeys.aborted(attempt)),
        first.omap(2).size() - (committed ? 1 : 0));
  }

  /**
   * Reads the files under a work path: the file itself, or what is below it. One read for each
   * {@value #PAGE}, at least one. Nothing when there is no record.
   */
  List<WorkFile> files(TaskAttempt attempt, String relative) throws IOException {
    String prefix = RecordKeys.workFiles(attempt) + (relative.isEmpty() ? "" : relative + "/");
    List<WorkFile> files = new ArrayList<>();
    String after = "";
    boolean more = true;
    while (more) {
      ReadResult page;
      try {
        page = read(ReadOp.builder().omapRange(after, prefix, PAGE).build());
      } catch (StoreException e) {
        if (e.is(Kind.NOT_FOUND)) {
          return List.of();
        }
        throw e;
      }
      for (Map.Entry<String, byte[]> file : page.omap(0).entrySet()) {
        files.add(WorkFile.decode(name, destination, file.getKey(), file.getValue()));
        after = file.getKey();
      }
      more = page.more(0);
    }
    return files;
  }

  /**
   * Commits an attempt: sets its manifest, and takes its files out of the ledger, as the manifest
   * has them now. One write.
   *
   * @throws JobEndedException when the job runs no more, or the attempt was aborted
   */
  public void commitTask(TaskAttempt attempt, byte[] manifest, Collection<WorkFile> files)
      throws IOException {
    writeAs(
        attempt,
        guarded(attempt)
            .setOmap(RecordKeys.manifest(attempt), manifest)
            .removeOmap(files.stream().map(WorkFile::key).toList()));
  }

  /**
   * From now on the attempt can neither write nor commit, and its manifest is void. One write.
   *
   * @throws JobEndedException when the job runs no more, so that this is the job's business
   */
  public void abortTask(TaskAttempt attempt) throws IOException {
    writeAs(
        attempt,
        WriteOp.builder()
            .assertExists()
            .compareOmap(RecordKeys.STATE, JobState.RUNNING.encode())
            .setOmap(RecordKeys.aborted(attempt), MARK));
  }

  /**
   * Forgets the manifest of an aborted attempt, and files, whose objects are gone. One write.
   *
   * @throws JobEndedException when the job runs no more
   */
  public void forgetAborted(TaskAttempt attempt, Collection<WorkFile> files) throws IOException {
    List<String> keys = new ArrayList<>(files.stream().map(WorkFile::key).toList());
    keys.add(RecordKeys.manifest(attempt));
    writeAs(
        attempt,
        WriteOp.builder()
            .assertExists()
            .compareOmap(RecordKeys.STATE, JobState.RUNNING.encode())
            .removeOmap(keys));
  }

  /**
   * The whole record but for the manifests.
   *
   * @param plan its parts by name; empty when there is none
   * @param aborted attempts whose manifests are void
   * @param files of attempts that are not committed
   */
  public record Contents(
      JobState state,
      JobInfo info,
      SortedMap<String, byte[]> plan,
      Set<TaskAttempt> aborted,
      List<WorkFile> files) {}

  /** Takes the manifests of a record one after another. */
  @FunctionalInterface
  public interface ManifestReader {
    void read(TaskAttempt attempt, byte[] manifest) throws IOException;
  }

  /**
   * Reads the whole record. Of a job that is RUNNING the pages may be of different instants. One
   * read for each {@value #PAGE} manifests or files, whichever are more, at least one.
   *
   * @param manifests given every manifest, in the order of tasks and attempts
   * @return empty when there is no record
   */
  public Optional<Contents> contents(ManifestReader manifests) throws IOException {
    return new RecordReader(name, destination, this::read).read(manifests);
  }

  /**
   * Sets the plan of a job that is COMMITTING and has none. One write.
   *
   * @param parts by name; one is {@code plan}
   * @return false when it has a plan, or is not COMMITTING, or there is no record. A repetition
   *     whose first answer was lost finds its own plan so
   */
  public boolean plan(SortedMap<String, byte[]> parts) throws IOException {
    return writeGuarded(
        WriteOp.builder()
            .assertExists()
            .compareOmap(RecordKeys.STATE, JobState.COMMITTING.encode())
            .absentOmap(RecordKeys.PLAN)
            .setOmap(RecordKeys.planParts(parts)));
  }

  /**
   * Adds parts to the plan of a job that is COMMITTING. One write.
   *
   * @return false when it is not COMMITTING, or there is no record
   */
  public boolean extendPlan(SortedMap<String, byte[]> parts) throws IOException {
    return writeGuarded(
        WriteOp.builder()
            .assertExists()
            .compareOmap(RecordKeys.STATE, JobState.COMMITTING.encode())
            .setOmap(RecordKeys.planParts(parts)));
  }

  /** Removes the record, if it is there. One write. */
  public void remove() throws IOException {
    boolean unused = writeIfThere(WriteOp.builder().remove());
  }

  private WriteOp.Builder guarded(TaskAttempt attempt) {
    return WriteOp.builder()
        .assertExists()
        .compareOmap(RecordKeys.STATE, JobState.RUNNING.encode())
        .absentOmap(RecordKeys.aborted(attempt));
  }

  private void writeAs(TaskAttempt attempt, WriteOp.Builder op) throws IOException {
    try {
      write(op.build());
    } catch (StoreException e) {
      if (e.is(Kind.NOT_FOUND)) {
        throw gone();
      }
      if (e.is(Kind.GUARD_FAILED)) {
        JobState state = state().orElseThrow(this::gone);
        throw new JobEndedException(
            "attempt "
                + attempt
                + " came too late: "
                + (state == JobState.RUNNING
                    ? "it was aborted"
                    : "job " + jobId + " on " + destination + " is " + state)
                + "; what it wrote is discarded");
      }
      throw e;
    }
  }

  private JobEndedException gone() {
    return new JobEndedException(
        "there is no job "
            + jobId
            + " on "
            + destination
            + ": it has ended, or was never set up; what was written for it is discarded");
  }

  private boolean writeIfThere(WriteOp.Builder op) throws IOException {
    try {
      write(op.build());
      return true;
    } catch (StoreException e) {
      if (e.is(Kind.NOT_FOUND)) {
        return false;
      }
      throw e;
    }
  }

  private boolean writeGuarded(WriteOp.Builder op) throws IOException {
    try {
      return writeIfThere(op);
    } catch (StoreException e) {
      if (e.is(Kind.GUARD_FAILED)) {
        return false;
      }
      throw e;
    }
  }

  private void write(WriteOp op) throws IOException {
    try {
      RepeatableOps.repeat(() -> store.write(name, op));
    } catch (StoreException e) {
      if (e.is(Kind.OUTCOME_UNKNOWN)) {
        throw new OutcomeUnknownException(
            "no answer to a change of the record of job " + jobId + " on " + destination, e);
      }
      throw e;
    }
  }

  private ReadResult read(ReadOp op) throws IOException {
    return RepeatableOps.repeating(() -> store.read(name, op));
  }

  private JobState stateIn(SortedMap<String, byte[]> omap) throws LayoutException {
    return RecordReader.state(name, omap);
  }

  @Override
  public String toString() {
    return name;
  }
}
