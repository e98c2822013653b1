// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The part of a {@link JobRecord} for one task attempt: the files that it is writing, and its
 * manifest once it is committed. Each method is one step of the protocol and states its cost.
 *
 * <p>Every change by the attempt is guarded, in the same operation, with the job RUNNING and the
 * attempt not aborted and not committed (I6).
 *
 * <p>Thread-safe; holds no state of its own.
 */
public final class AttemptRecord {

  /**
   * Maximum bytes of a manifest plus the keys of its files, which go in one operation: some 150,000
   * files. An OSD refuses an operation beyond 90 MB.
   */
  private static final long MOST_OF_A_TASK = ManifestSizes.MOST;

  private final JobRecord job;
  private final RecordOps ops;
  private final TaskAttempt attempt;
  private final AttemptReader reader;

  AttemptRecord(JobRecord job, RecordOps ops, TaskAttempt attempt) {
    this.job = job;
    this.ops = ops;
    this.attempt = attempt;
    this.reader = new AttemptReader(job, ops, attempt);
  }

  /**
   * Records that objects of this file may exist from now on. One write.
   *
   * @throws JobEndedException as {@link #publish}
   */
  void begin(WorkFile open) throws IOException {
    write(ifNotEnded().setOmap(open.key(), open.encode()));
  }

  /**
   * Records that the file is whole. A commit of the attempt that has not read it starts again. One
   * write.
   *
   * @throws JobEndedException if the job is no longer RUNNING, or the attempt was aborted or
   *     committed: its manifest does not name this file, so it could never become visible
   * @throws OutcomeUnknownException if the answer was lost; also if the repetition was then
   *     refused, unless attempt or job is aborted: the manifest may name the file
   */
  void publish(WorkFile closed) throws IOException {
    WriteOp op =
        ifNotEnded()
            .setOmap(
                Map.of(closed.key(), closed.encode(), RecordKeys.lastChange(attempt), newChange()))
            .build();
    try {
      ops.write(op);
    } catch (StoreException e) {
      if (e.mayHaveTakenEffect() && !isAborted(e)) {
        ops.requireDefinite(e);
      }
      throw refused(e);
    }
  }

  /** Whether nothing that the attempt has written can become visible, by what is there now. */
  private boolean isAborted(StoreException refusal) throws IOException {
    if (!refusal.is(Kind.GUARD_FAILED)) {
      return false; // the record has gone, and does not tell any more
    }
    // Not by the job's state: a record made again for a job that has gone is aborted, though the
    // job may have been committed.
    return ops.look(refusal, this::contents).aborted();
  }

  private static byte[] newChange() {
    return Uid.random().value().getBytes(US_ASCII);
  }

  /**
   * Records that closed files are deleted, before their objects are removed: the attempt cannot
   * commit them any more. One write for each batch of files.
   *
   * @throws JobEndedException if the job is no longer RUNNING, or the attempt was aborted or
   *     committed
   */
  void remove(Collection<WorkFile> closed) throws IOException {
    for (List<WorkFile> some : JobRecord.batches(closed)) {
      Map<String, byte[]> keys = new HashMap<>();
      some.forEach(file -> keys.put(file.key(), file.asRemoved().encode()));
      keys.put(RecordKeys.lastChange(attempt), newChange());
      write(ifNotEnded().setOmap(keys));
    }
  }

  /** Forgets files whose objects are gone, see {@link JobRecord#forget}. */
  boolean forget(Collection<WorkFile> files) throws IOException {
    return job.forget(files);
  }

  /**
   * What the record holds of the attempt.
   *
   * @param files that are not committed yet; some may be open
   * @param manifest empty until the attempt is committed
   * @param aborted whether it was aborted
   * @param otherManifests how many other attempts of the task are committed
   * @param state of the job
   * @param lastChange the last closing or deletion of a file by the attempt, before the files were
   *     read
   */
  public record Contents(
      List<WorkFile> files,
      Optional<byte[]> manifest,
      boolean aborted,
      int otherManifests,
      JobState state,
      Optional<byte[]> lastChange) {}

  /**
   * Reads what the record holds of the attempt. One read for each {@value JobRecord#PAGE} files, at
   * least one; one more for each attempt of the task that is committed after the first two. Other
   * attempts' manifests are only counted. If a manifest of the job is large, or may be, each is
   * read by itself ({@link ManifestSizes}): one read more, and one to three if any attempt is
   * committed.
   *
   * <p>A commit of the attempt is seen whole: all files that it commits, or none of them and the
   * manifest. If it comes between two reads of files, all is read again.
   *
   * @throws JobEndedException when there is no record, or only a collector's notice: tasks run once
   *     the job is set up, so it has ended
   */
  public Contents contents() throws IOException {
    return reader.contents();
  }

  /**
   * Reads the files under a work path: the file itself, or those below it. One read for each
   * {@value JobRecord#PAGE} files, at least one. Empty if there is no record.
   */
  List<WorkFile> files(String relative) throws IOException {
    return reader.files(relative);
  }

  /**
   * Commits the attempt: sets its manifest and removes its files from the ledger, as the manifest
   * now names them. What it has deleted stays there. One write. No file is lost that was closed
   * before it, and none is named that was deleted before it.
   *
   * @param read what the manifest was made of
   * @return false if the attempt has closed or deleted files since, or is committed: this has
   *     changed nothing then, and all is to be read again. A read more
   * @throws JobEndedException if the job is no longer RUNNING, or the attempt was aborted
   * @throws OutcomeUnknownException if the answer was lost; also if the repetition was then
   *     refused, as the first try may have committed before the job ended
   * @throws IOException if the change is too large for one operation; nothing is changed then
   */
  public boolean commit(byte[] manifest, Contents read) throws IOException {
    List<String> keys =
        read.files().stream().filter(file -> !file.removed()).map(WorkFile::key).toList();
    requireFit(manifest, keys);
    String change = RecordKeys.lastChange(attempt);
    WriteOp.Builder op = ifNotEnded();
    read.lastChange()
        .ifPresentOrElse(last -> op.compareOmap(change, last), () -> op.absentOmap(change));
    try {
      ops.write(
          ManifestSizes.add(op, manifest.length)
              .setOmap(RecordKeys.manifest(attempt), manifest)
              .removeOmap(keys)
              .removeOmap(List.of(change))
              .build());
      return true;
    } catch (StoreException e) {
      if (e.is(Kind.GUARD_FAILED) && isChanged(read, ops.look(e, this::contents))) {
        return false;
      }
      ops.requireDefinite(e);
      throw refused(e);
    }
  }

  /** Whether a commit that was refused is to be tried again, by what is there now. */
  private static boolean isChanged(Contents read, Contents now) {
    boolean others = !Arrays.equals(read.lastChange().orElse(null), now.lastChange().orElse(null));
    return now.state() == JobState.RUNNING
        && !now.aborted()
        && (others || now.manifest().isPresent());
  }

  private void requireFit(byte[] manifest, List<String> keys) throws IOException {
    long bytes = manifest.length + keys.stream().mapToLong(String::length).sum();
    if (bytes > MOST_OF_A_TASK) {
      throw new IOException(
          "cannot commit attempt %s of job %s on %s: its %d files make a manifest of %d bytes in '%s', and no more than %d fit one RADOS operation. Nothing was changed. Have a task write fewer files: run more tasks, or sort or repartition the rows by the partition columns first"
              .formatted(
                  attempt,
                  job.jobId(),
                  job.destination(),
                  keys.size(),
                  bytes,
                  job.name(),
                  MOST_OF_A_TASK));
    }
  }

  /**
   * Aborts the attempt: it can no longer write or commit, and its manifest is void. One write.
   *
   * @throws JobEndedException if the job is no longer RUNNING; its end then clears away the attempt
   */
  public void abort() throws IOException {
    write(whileRunning().setOmap(RecordKeys.aborted(attempt), RecordKeys.MARK));
  }

  /**
   * Removes from the record the manifest of this aborted attempt, its last change, and files whose
   * objects are gone. One write for up to 10,000 files, or fewer if their keys are long.
   *
   * @throws JobEndedException if the job is no longer RUNNING
   */
  public void forgetAborted(Collection<WorkFile> files) throws IOException {
    List<List<String>> batches = JobRecord.inBatches(files);
    for (int i = 0; i < Math.max(1, batches.size()); i++) {
      List<String> keys = new ArrayList<>(i < batches.size() ? batches.get(i) : List.of());
      if (i >= batches.size() - 1) {
        keys.add(RecordKeys.manifest(attempt));
        keys.add(RecordKeys.lastChange(attempt));
      }
      write(whileRunning().removeOmap(keys));
    }
  }

  private static WriteOp.Builder whileRunning() {
    return WriteOp.builder()
        .assertExists()
        .compareOmap(RecordKeys.STATE, JobState.RUNNING.encode());
  }

  private WriteOp.Builder ifNotEnded() {
    return whileRunning()
        .absentOmap(RecordKeys.aborted(attempt))
        .absentOmap(RecordKeys.manifest(attempt));
  }

  private void write(WriteOp.Builder op) throws IOException {
    try {
      ops.write(op.build());
    } catch (StoreException e) {
      throw refused(e);
    }
  }

  /** The failure of a write in words of the job. */
  private IOException refused(StoreException e) throws IOException {
    if (e.is(Kind.NOT_FOUND)) {
      return job.gone();
    }
    return e.is(Kind.GUARD_FAILED) ? tooLate(ops.look(e, this::contents)) : e;
  }

  private JobEndedException tooLate(Contents now) {
    String why =
        "job "
            + job.jobId()
            + " on "
            + job.destination()
            + " is "
            + now.state()
            + "; what it wrote";
    if (now.state() == JobState.RUNNING) {
      why =
          now.aborted() || now.manifest().isEmpty()
              ? "it was aborted; what it wrote"
              : "it is committed, and cannot add, replace or remove files any more; this file";
    }
    return new JobEndedException("attempt " + attempt + " came too late: " + why + " is discarded");
  }
}
