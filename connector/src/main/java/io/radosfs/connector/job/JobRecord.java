// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.RepeatableOps;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/**
 * The record of one job: one omap object that holds its state, the files that its tasks are
 * writing, and the manifests of committed attempts. This class changes the job; {@link
 * AttemptRecord} is what its tasks do, {@link JobNotice} what others do who miss the record, {@link
 * EndedRecord} what is done when the job has ended. Each method is one step of the protocol and
 * states its cost.
 *
 * <p>Every change by a task is guarded, in the same operation, with the job RUNNING (I6). So once
 * the job has left RUNNING, no file or manifest is added to the record.
 *
 * <p>Every operation can be repeated, and is repeated if its answer is lost ({@link
 * RepeatableOps}). If that fails too, it throws {@link OutcomeUnknownException}. Only {@link
 * #create} and {@link JobNotice#make} make a record that is missing.
 *
 * <p>Thread-safe; holds no state of its own.
 */
public final class JobRecord {

  /** Maximum number of manifests, or of files, that one read asks for. */
  public static final int PAGE = 512;

  /** The same for parts of the plan, each of which may have a mebibyte. */
  static final int PLAN_PAGE = 64;

  private static final BatchLimit KEYS_AT_ONCE = BatchLimit.DEFAULT.withNames(10_000);

  private final FsPath destination;
  private final String jobId;
  private final String name;
  private final RecordOps ops;

  /**
   * @param store of the index
   */
  public JobRecord(ObjectStore store, FsPath destination, String jobId) {
    this.destination = destination;
    this.jobId = JobNames.check("job", jobId);
    this.name = ObjectNames.job(destination, jobId);
    this.ops = new RecordOps(store, name, "job " + jobId + " on " + destination);
  }

  /** Returns this record by another connection. */
  JobRecord in(ObjectStore store) {
    return new JobRecord(store, destination, jobId);
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
   * Makes the record of a job, in state RUNNING. Does nothing if the job is RUNNING already. One
   * write; one read more if there is a record, two if an answer is lost.
   *
   * @param mayBeMade throws unless the job can still run. Asked before a try is repeated that was
   *     not answered: if it was applied, another client may have ended the job since, and removed
   *     the record, and nothing would lead to one that is made again
   * @throws JobEndedException if there is a record in another state
   */
  public void create(JobInfo info, InvocationRaisingIOE mayBeMade) throws IOException {
    WriteOp op =
        ManifestSizes.allSmall(
                WriteOp.builder()
                    .createIfMissing()
                    .absentOmap(RecordKeys.STATE)
                    .setOmap(
                        Map.of(
                            RecordKeys.STATE,
                            JobState.RUNNING.encode(),
                            RecordKeys.INFO,
                            info.encode())))
            .build();
    try {
      if (ops.writeUnless(() -> isMade(mayBeMade), op)) {
        return;
      }
    } catch (StoreException e) {
      if (!e.is(Kind.GUARD_FAILED)) {
        throw e;
      }
    }
    Optional<JobState> state = state();
    if (state.isPresent() && state.get() != JobState.RUNNING) {
      throw new JobEndedException(
          "job " + jobId + " on " + destination + " is " + state.get() + " and cannot run again");
    }
  }

  private boolean isMade(InvocationRaisingIOE mayBeMade) throws IOException {
    boolean made = hasState();
    if (!made) {
      mayBeMade.apply();
    }
    return made;
  }

  private boolean hasState() throws IOException {
    return ops.findAfterWrites(Set.of(RecordKeys.STATE))
        .filter(found -> found.omap(0).containsKey(RecordKeys.STATE))
        .isPresent();
  }

  /**
   * State, information and last heartbeat of a job.
   *
   * @param state empty if the job was only noticed, see {@link JobNotice}
   * @param info empty if the job was only noticed, even if it was decided after
   * @param lastHeartbeat in milliseconds since the epoch; not before the job's start
   * @param found what the last clean-up noted that has found something of a file that was not
   *     closed ({@link EndedRecord#noteFound}); empty if none has
   */
  public record Head(
      Optional<JobState> state, Optional<JobInfo> info, long lastHeartbeat, Optional<Uid> found) {

    /** Returns whether the job has ended, and only what it left is still to be removed. */
    public boolean isDecided() {
      return state.filter(s -> s == JobState.ABORTED || s == JobState.COMMITTED).isPresent();
    }
  }

  /** Reads the head; empty when there is no record. One read. */
  public Optional<Head> head() throws IOException {
    return head(RecordKeys.ofHead());
  }

  private Optional<Head> head(Set<String> keys) throws IOException {
    Optional<ReadResult> found = ops.find(ReadOp.builder().omapByKeys(keys).build());
    return found.isPresent()
        ? Optional.of(RecordReader.head(name, found.get().omap(0)))
        : Optional.empty();
  }

  /** Returns the state; empty if there is no record, or the job was only noticed. One read. */
  public Optional<JobState> state() throws IOException {
    return head(Set.of(RecordKeys.STATE, RecordKeys.HEARTBEAT)).flatMap(Head::state);
  }

  /** Returns what was recorded when the job was set up; empty if there is no record. One read. */
  public Optional<JobInfo> info() throws IOException {
    return head().flatMap(Head::info);
  }

  /**
   * Records a heartbeat of a job that is not decided. It only tells a search for dead jobs to skip
   * this one: what fences a job is its state. One write; one more if the job is COMMITTING.
   *
   * @param now milliseconds since the epoch
   * @return false if the job is decided, or there is no record; nothing is changed then
   */
  public boolean renew(long now) throws IOException {
    return ops.writeGuarded(renewal(JobState.RUNNING, now))
        || ops.writeGuarded(renewal(JobState.COMMITTING, now));
  }

  /** Begins the same. It is not repeated if its answer is lost. */
  CompletableFuture<Boolean> beginToRenew(long now) {
    return ops.beginEither(renewal(JobState.RUNNING, now), renewal(JobState.COMMITTING, now));
  }

  private static WriteOp.Builder renewal(JobState state, long now) {
    return WriteOp.builder()
        .assertExists()
        .compareOmap(RecordKeys.STATE, state.encode())
        .setOmap(RecordKeys.HEARTBEAT, RecordKeys.time(now));
  }

  /**
   * Changes the state if it is {@code from}. One write; one read more if it is another.
   *
   * @return the state after: {@code to}, or the one found instead; empty if there is no record
   */
  public Optional<JobState> change(JobState from, JobState to) throws IOException {
    try {
      ops.write(
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
        return ops.look(e, this::state);
      }
      throw e;
    }
  }

  /**
   * Sets the final state once the transaction is decided, whatever the state was before. One write.
   *
   * @param now milliseconds since the epoch; the wait for late writes by processes of the job
   *     begins then
   * @return false when there is no record
   */
  public boolean setDecided(JobState state, long now) throws IOException {
    return ops.writeIfThere(
        WriteOp.builder()
            .assertExists()
            .setOmap(
                Map.of(
                    RecordKeys.STATE, state.encode(), RecordKeys.HEARTBEAT, RecordKeys.time(now))));
  }

  /**
   * Removes from the record files whose objects are gone, in any state. One write for each 10,000
   * files, or fewer if their keys are long.
   *
   * @return false when there is no record
   */
  public boolean forget(Collection<WorkFile> files) throws IOException {
    boolean there = true;
    for (List<String> some : inBatches(files)) {
      there = ops.writeIfThere(WriteOp.builder().assertExists().removeOmap(some));
    }
    return there;
  }

  /** Returns the keys of files, in batches that one operation takes. */
  static List<List<String>> inBatches(Collection<WorkFile> files) {
    return KEYS_AT_ONCE.cut(files.stream().map(WorkFile::key).toList(), String::length);
  }

  /** Returns files in batches whose keys and values one operation takes. */
  static List<List<WorkFile>> batches(Collection<WorkFile> files) {
    return KEYS_AT_ONCE.cut(files, file -> file.key().length() + file.encode().length);
  }

  /** Returns the part of the record that is there before the job is set up. */
  public JobNotice notice() {
    return new JobNotice(ops);
  }

  /** Returns the part of the record that is left when the job has ended. */
  public EndedRecord ended() {
    return new EndedRecord(ops);
  }

  /** Returns the part of the record that belongs to an attempt of a task. */
  public AttemptRecord of(TaskAttempt attempt) {
    return new AttemptRecord(this, ops, attempt);
  }

  /**
   * The whole record except the manifests.
   *
   * @param lastHeartbeat as in {@link Head}
   * @param plan its parts by name; empty if there is none
   * @param aborted attempts whose manifests are void
   * @param files of attempts that are not committed
   */
  public record Contents(
      JobState state,
      JobInfo info,
      long lastHeartbeat,
      SortedMap<String, byte[]> plan,
      Set<TaskAttempt> aborted,
      List<WorkFile> files) {}

  /** Takes the manifests of a record one after another. */
  @FunctionalInterface
  public interface ManifestReader {
    void read(TaskAttempt attempt, byte[] manifest) throws IOException;
  }

  /** Returns what takes the manifests, given the rest of the record. */
  @FunctionalInterface
  public interface ManifestTaker {
    ManifestReader of(Contents contents) throws IOException;
  }

  /**
   * Reads the whole record. While the job is RUNNING, the pages may be of different instants. One
   * read for each {@value #PAGE} files or aborted attempts, or {@value #PLAN_PAGE} parts of the
   * plan, whichever are most, at least one. One more for each {@value #PAGE} manifests after the
   * first 16, or for fewer if they are large: only a few megabytes of them are held at a time. Two
   * more if one has more than 128 KiB: the first read is refused then, see {@link ManifestSizes}.
   *
   * @param manifests gets every manifest, in the order of tasks and attempts
   * @return empty when there is no record, or the job was only noticed
   */
  public Optional<Contents> contents(ManifestTaker manifests) throws IOException {
    return new RecordReader(name, destination, jobId, ops::read).read(manifests);
  }

  /**
   * Reads the manifests of these attempts. Missing ones are skipped, all of them if there is no
   * record. One read for each 16, or for fewer large ones; two more if any manifest of the record
   * is large, as in {@link #contents}.
   */
  public void manifests(Collection<TaskAttempt> attempts, ManifestReader manifests)
      throws IOException {
    try {
      new ManifestPages(name, ops::read).read(attempts, manifests);
    } catch (StoreException e) {
      if (!e.is(Kind.NOT_FOUND)) {
        throw e;
      }
    }
  }

  /**
   * Sets the plan of a job that is COMMITTING and has none. One write.
   *
   * @param parts by name; one is {@code plan}
   * @return false if the job has a plan, is not COMMITTING, or has no record. If the first answer
   *     was lost, the plan may be the one that this call has set
   */
  public boolean plan(SortedMap<String, byte[]> parts) throws IOException {
    return ops.writeGuarded(
        WriteOp.builder()
            .assertExists()
            .compareOmap(RecordKeys.STATE, JobState.COMMITTING.encode())
            .absentOmap(RecordKeys.PLAN)
            .setOmap(RecordKeys.planParts(parts)));
  }

  /**
   * Adds parts to the plan of a job that is COMMITTING. One write.
   *
   * @return false if the job is not COMMITTING, or has no record
   */
  public boolean extendPlan(SortedMap<String, byte[]> parts) throws IOException {
    return ops.writeGuarded(
        WriteOp.builder()
            .assertExists()
            .compareOmap(RecordKeys.STATE, JobState.COMMITTING.encode())
            .setOmap(RecordKeys.planParts(parts)));
  }

  /** The exception for a record that is missing. */
  JobEndedException gone() {
    return new JobEndedException(
        "there is no job "
            + jobId
            + " on "
            + destination
            + ": it has ended, or was never set up; what was written for it is discarded");
  }

  @Override
  public String toString() {
    return name;
  }
}
