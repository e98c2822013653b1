// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
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

/**
 * The record of one job: one omap object that holds its state, the files that its tasks are
 * writing, and the manifests of those that are committed. Here is what is done to the job, in
 * {@link AttemptRecord} what its tasks do. Each method is one step of the protocol and says what it
 * costs.
 *
 * <p>Whatever a task does is guarded, in the operation that does it, with the job RUNNING (I6). So
 * once the job has left RUNNING, the files and manifests in the record are all that there will ever
 * be.
 *
 * <p>Every operation can be repeated, and is when its answer is lost ({@link RepeatableOps});
 * {@link OutcomeUnknownException} comes after that. None makes a record that is gone anew, but for
 * {@link #create}.
 *
 * <p>Thread-safe; holds no state of its own.
 */
public final class JobRecord {

  /** Entries asked for in one read, of manifests or of files, at most. */
  public static final int PAGE = 512;

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

  /** The same record, by another connection. */
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
   * Makes the record of a job that is RUNNING. Does nothing when it runs already. One write, and
   * two reads where it is not answered.
   *
   * @throws JobEndedException when there is a record of this name whose job has ended
   */
  public void create(JobInfo info) throws IOException {
    WriteOp op =
        WriteOp.builder()
            .createIfMissing()
            .absentOmap(RecordKeys.STATE)
            .setOmap(
                Map.of(RecordKeys.STATE, JobState.RUNNING.encode(), RecordKeys.INFO, info.encode()))
            .build();
    try {
      if (ops.writeUnless(this::hasState, op)) {
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

  private boolean hasState() throws IOException {
    ReadOp look = ReadOp.builder().afterWrites().omapByKeys(Set.of(RecordKeys.STATE)).build();
    return ops.find(look).filter(found -> found.omap(0).containsKey(RecordKeys.STATE)).isPresent();
  }

  /**
   * What a record says first of all.
   *
   * @param state empty while the job has been noticed alone, see {@link #notice}
   * @param info empty likewise
   * @param lastHeartbeat when the job's last heartbeat was, in milliseconds since the epoch
   */
  public record Head(Optional<JobState> state, Optional<JobInfo> info, long lastHeartbeat) {

    /** Whether the job has come to its end, and only what it left is still to be removed. */
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

  /** How the job stands; empty when there is no record. One read. */
  public Optional<JobState> state() throws IOException {
    return head(Set.of(RecordKeys.STATE, RecordKeys.HEARTBEAT)).flatMap(Head::state);
  }

  /** What was said of the job when it was set up; empty when there is no record. One read. */
  public Optional<JobInfo> info() throws IOException {
    return head().flatMap(Head::info);
  }

  /**
   * Says that the job is alive. Tells those that look for dead jobs where not to look, and no more:
   * what fences a job is its state. One write.
   *
   * @param now milliseconds since the epoch
   * @return false when there is no record
   */
  public boolean renew(long now) throws IOException {
    return ops.writeIfThere(
        WriteOp.builder().assertExists().setOmap(RecordKeys.HEARTBEAT, RecordKeys.time(now)));
  }

  /**
   * Notes that a job is registered that has no record: it is being set up, or was when its driver
   * died, which only time tells. {@link #create} makes it a record all the same. One write.
   *
   * @param now milliseconds since the epoch
   * @return false when there is a record, or this was noted before
   */
  public boolean notice(long now) throws IOException {
    return ops.writeGuarded(
        WriteOp.builder()
            .evenIfFull()
            .createIfMissing()
            .absentOmap(RecordKeys.STATE)
            .absentOmap(RecordKeys.HEARTBEAT)
            .setOmap(RecordKeys.HEARTBEAT, RecordKeys.time(now)));
  }

  /**
   * Makes a job that was noticed ABORTED, so that it can be set up no more. One write.
   *
   * @param info what there is to say of it
   * @param now milliseconds since the epoch
   * @return false when it has been set up meanwhile, or there is nothing
   */
  public boolean refuse(JobInfo info, long now) throws IOException {
    return ops.writeGuarded(
        WriteOp.builder()
            .assertExists()
            .absentOmap(RecordKeys.STATE)
            .setOmap(
                Map.of(
                    RecordKeys.STATE,
                    JobState.ABORTED.encode(),
                    RecordKeys.INFO,
                    info.encode(),
                    RecordKeys.HEARTBEAT,
                    RecordKeys.time(now))));
  }

  /**
   * Changes the state, if it is the one expected. One write, and one read where it is not.
   *
   * @return the state after: {@code to}, or what was found instead; empty when there is no record
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
   * Sets the final state once the transaction is decided, whatever it was before. One write.
   *
   * @param now milliseconds since the epoch: from then on what may still be written by processes of
   *     the job is waited for
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
   * Forgets files whose objects are gone, whatever the state. One write for each 10,000, or fewer
   * where their keys are long.
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

  /** The keys of files, so many together as one operation takes. */
  static List<List<String>> inBatches(Collection<WorkFile> files) {
    return KEYS_AT_ONCE.cut(files.stream().map(WorkFile::key).toList(), String::length);
  }

  /** What the record has of an attempt of a task, and what the attempt does to it. */
  public AttemptRecord of(TaskAttempt attempt) {
    return new AttemptRecord(this, ops, attempt);
  }

  /**
   * The whole record but for the manifests.
   *
   * @param lastHeartbeat as {@link Head} has it
   * @param plan its parts by name; empty when there is none
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

  /** Says what takes the manifests, once it knows what else is in the record. */
  @FunctionalInterface
  public interface ManifestTaker {
    ManifestReader of(Contents contents) throws IOException;
  }

  /**
   * Reads the whole record. Of a job that is RUNNING the pages may be of different instants. One
   * read for each {@value #PAGE} files, aborted attempts or parts of the plan, whichever are most,
   * at least one; and one for each {@value #PAGE} manifests after the first 16, or fewer where they
   * are large: no more than a few megabytes of them are held at a time.
   *
   * @param manifests given every manifest, in the order of tasks and attempts
   * @return empty when there is no record
   */
  public Optional<Contents> contents(ManifestTaker manifests) throws IOException {
    return new RecordReader(name, destination, jobId, ops::read).read(manifests);
  }

  /**
   * Reads the manifests of these attempts, as far as they, and the record, are there. One read for
   * the first two, and one for each 16 after, or fewer where they are large.
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
   * @return false when it has a plan, or is not COMMITTING, or there is no record. A repetition
   *     whose first answer was lost finds its own plan so
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
   * @return false when it is not COMMITTING, or there is no record
   */
  public boolean extendPlan(SortedMap<String, byte[]> parts) throws IOException {
    return ops.writeGuarded(
        WriteOp.builder()
            .assertExists()
            .compareOmap(RecordKeys.STATE, JobState.COMMITTING.encode())
            .setOmap(RecordKeys.planParts(parts)));
  }

  /** Removes the record, if it is there. One write. */
  public void remove() throws IOException {
    boolean unused = ops.writeIfThere(WriteOp.builder().remove());
  }

  /** What is thrown where there is no record. */
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
