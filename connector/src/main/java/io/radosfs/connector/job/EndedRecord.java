// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.SeenStripe;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * The record while what the job left is removed, and how it goes at last. Where an attempt is
 * aborted, what it left is removed before the job has ended. A process of the job may still be
 * writing a file; several clients may clean up at a time.
 */
public final class EndedRecord {

  private final RecordOps ops;

  EndedRecord(RecordOps ops) {
    this.ops = ops;
  }

  /** Notes how far a file reaches that is about to be removed, if there is a record. One write. */
  void note(SeenStripe seen) throws IOException {
    boolean unused =
        ops.writeIfThere(
            WriteOp.builder()
                .evenIfFull()
                .assertExists()
                .setOmap(Map.of(seen.key(), RecordKeys.MARK)));
  }

  /**
   * Notes that something of a file that was not closed is there, before it is removed: a process
   * may be writing on. So no other client forgets the job which finds nothing any more. One write.
   */
  void noteFound() throws IOException {
    byte[] note = Uid.random().value().getBytes(StandardCharsets.UTF_8);
    boolean unused =
        ops.writeIfThere(
            WriteOp.builder().evenIfFull().assertExists().setOmap(Map.of(RecordKeys.FOUND, note)));
  }

  /** Removes the record, if it is there. One write. */
  public void remove() throws IOException {
    boolean unused = ops.writeIfThere(WriteOp.builder().remove());
  }

  /**
   * Removes the record, if it is there and no clean-up has found anything since a look at it. One
   * write.
   *
   * @param found as in {@link JobRecord.Head}, at that look
   * @return false if one has
   */
  public boolean removeUnlessFound(Optional<Uid> found) throws IOException {
    WriteOp.Builder op = WriteOp.builder();
    return ops.removeGuarded(
        found.isEmpty()
            ? op.absentOmap(RecordKeys.FOUND)
            : op.compareOmap(
                RecordKeys.FOUND, found.get().value().getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Removes the record, if it is there and its plan has no part of this name. One write.
   *
   * @return false if the plan has that part
   */
  public boolean removeUnlessPlanned(String part) throws IOException {
    return ops.removeGuarded(WriteOp.builder().absentOmap(RecordKeys.planPart(part)));
  }
}
