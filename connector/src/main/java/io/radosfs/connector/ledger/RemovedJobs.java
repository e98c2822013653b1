// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.ledger;

import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.RepeatableOps;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The jobs whose destination was removed before they were finished, and those that were registered
 * without a record, which may yet be made. They are listed in {@link ObjectNames#LEDGERS}, with
 * their decision at that time, as nothing in the tree leads to their records any more. All changes
 * can be repeated. Thread-safe; holds no state of its own.
 */
public final class RemovedJobs {

  private final ObjectStore store;

  /**
   * A line as it was read.
   *
   * @param stored its bytes, which changes of it are guarded with: a later radosfs may have written
   *     more into it than this one knows
   */
  public record Line(TransactionStatus status, byte[] stored) {}

  /**
   * @param store of the index
   */
  public RemovedJobs(ObjectStore store) {
    this.store = store;
  }

  /**
   * Returns all of them, by the names of their records. ⌈n/1024⌉ reads.
   *
   * @param failures told of lines that cannot be read
   */
  public SortedMap<String, Line> all(Failures failures) throws IOException {
    SortedMap<String, Line> jobs = new TreeMap<>();
    for (Map.Entry<String, byte[]> line :
        Reads.omap(store, ObjectNames.LEDGERS, LedgerKeys.JOB_PREFIX).entrySet()) {
      boolean unused =
          failures.attempt(
              ObjectNames.LEDGERS,
              () -> {
                TransactionStatus status = decode(line.getKey(), line.getValue());
                jobs.put(status.owner(), new Line(status, line.getValue()));
              });
    }
    return jobs;
  }

  /**
   * Decodes a line: how a job was decided.
   *
   * @throws LayoutException if the line cannot be read, or its key names another job
   */
  public static TransactionStatus decode(String key, byte[] value) throws LayoutException {
    String record = key.substring(LedgerKeys.JOB_PREFIX.length());
    if (!ObjectNames.isJob(record)) {
      throw Ledgers.unreadable(ObjectNames.LEDGERS, key);
    }
    TransactionStatus status =
        TransactionStatus.decode(ObjectNames.LEDGERS, key, ObjectNames.jobOf(record), value);
    if (!record.equals(status.owner())) {
      throw Ledgers.unreadable(ObjectNames.LEDGERS, key);
    }
    return status;
  }

  /** Returns how the job with this record was decided; empty if it is not listed. One read. */
  public Optional<TransactionStatus> find(String record) throws IOException {
    return line(record).map(Line::status);
  }

  private Optional<Line> line(String record) throws IOException {
    String key = LedgerKeys.JOB_PREFIX + record;
    Optional<ReadResult> found =
        Reads.find(store, ObjectNames.LEDGERS, ReadOp.builder().omapByKeys(Set.of(key)).build());
    Optional<byte[]> stored = found.map(result -> result.omap(0).get(key));
    return stored.isPresent()
        ? Optional.of(new Line(decode(key, stored.get()), stored.get()))
        : Optional.empty();
  }

  /**
   * Lists jobs whose destination is about to be removed. One write, or none if there are none; more
   * if there are very many.
   *
   * @param statuses in stored form, by the names of the jobs' records
   */
  public void list(Map<String, byte[]> statuses) throws IOException {
    for (List<String> records :
        BatchLimit.DEFAULT.cut(
            new TreeMap<>(statuses).keySet(),
            record -> record.length() + (long) statuses.get(record).length)) {
      Map<String, byte[]> lines = new TreeMap<>();
      records.forEach(record -> lines.put(LedgerKeys.JOB_PREFIX + record, statuses.get(record)));
      WriteOp op = WriteOp.builder().evenIfFull().createIfMissing().setOmap(lines).build();
      RepeatableOps.repeat(() -> store.write(ObjectNames.LEDGERS, op));
    }
  }

  /**
   * Lists a job or, if it is listed, changes its line: whoever has read the line before can no
   * longer remove it. One read and one write.
   *
   * @param state how the job is decided; one that its line says is decided stays so
   * @return the line; empty if another client has changed it meanwhile
   */
  public Optional<Line> listAnew(String record, TransactionStatus.State state) throws IOException {
    return change(record, line(record), state);
  }

  /**
   * Changes a line: whoever knows it as it was can no longer remove it. To be done before the
   * record is removed that it leads to: whoever makes a record late finds the change ({@link
   * #isStill}). One write.
   *
   * @return the line now; empty if another client has changed it since it was read
   */
  public Optional<Line> change(Line line) throws IOException {
    return change(line.status().owner(), Optional.of(line), TransactionStatus.State.PENDING);
  }

  private Optional<Line> change(String record, Optional<Line> before, TransactionStatus.State state)
      throws IOException {
    String key = LedgerKeys.JOB_PREFIX + record;
    TransactionStatus status =
        unique(
            before
                .map(line -> line.status().state())
                .filter(listed -> listed != TransactionStatus.State.PENDING)
                .orElse(state),
            record);
    Line line = new Line(status, status.encode());
    WriteOp.Builder op = WriteOp.builder().evenIfFull().createIfMissing();
    if (before.isPresent()) {
      op.compareOmap(key, before.get().stored());
    } else {
      op.absentOmap(key);
    }
    WriteOp change = op.setOmap(key, line.stored()).build();
    return RepeatableOps.accepted(() -> store.write(ObjectNames.LEDGERS, change), Kind.GUARD_FAILED)
            .isAccepted()
        ? Optional.of(line)
        : Optional.empty();
  }

  /** Whether a line is there as it was. One read. */
  public boolean isStill(Line line) throws IOException {
    return line(line.status().owner())
        .filter(now -> Arrays.equals(now.stored(), line.stored()))
        .isPresent();
  }

  /**
   * A line that no line before it is equal to. The uid that makes it so is stored as a takeover:
   * those that count are in the job's registration, and in this list they say nothing.
   */
  private static TransactionStatus unique(TransactionStatus.State state, String record) {
    return new TransactionStatus(state, record).takenOver(Uid.random());
  }

  /**
   * Removes a job from the list, once its record is gone, unless its line has changed since it was
   * read: another collector is about to make the record then. One write.
   */
  public void forget(Line line) throws IOException {
    String key = LedgerKeys.JOB_PREFIX + line.status().owner();
    WriteOp removal =
        WriteOp.builder().assertExists().compareOmap(key, line.stored()).removeOmap(key).build();
    RepeatableOps.Answer unused =
        RepeatableOps.accepted(
            () -> store.write(ObjectNames.LEDGERS, removal), Kind.GUARD_FAILED, Kind.NOT_FOUND);
  }
}
