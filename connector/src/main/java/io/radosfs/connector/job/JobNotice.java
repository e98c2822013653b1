// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/**
 * The note that a registered job has no record: a record that has a heartbeat and nothing else. The
 * job is being set up, or its driver died before that was done, or it has ended. Only time tells
 * which. {@link JobRecord#create} can still make the record of it. Thread-safe; holds no state of
 * its own.
 */
public final class JobNotice {

  private final RecordOps ops;

  JobNotice(RecordOps ops) {
    this.ops = ops;
  }

  /** Asks whether a notice may be made. */
  @FunctionalInterface
  public interface Permission {
    boolean isGiven() throws IOException;
  }

  /**
   * Makes the notice. Does nothing if there is a record. One write; one read more for each try that
   * is not answered.
   *
   * @param now milliseconds since the epoch
   * @param again whether something leads to a notice that is made again; if not, it is not made.
   *     Asked before a try is repeated that was not answered, and of which nothing is there: if it
   *     was applied, another client has ended the job since
   */
  public void make(long now, Permission again) throws IOException {
    WriteOp op =
        ManifestSizes.allSmall(
                WriteOp.builder()
                    .evenIfFull()
                    .createIfMissing()
                    .absentOmap(RecordKeys.STATE)
                    .absentOmap(RecordKeys.HEARTBEAT)
                    .setOmap(RecordKeys.HEARTBEAT, RecordKeys.time(now)))
            .build();
    try {
      boolean unused =
          ops.writeUnless(
              () -> ops.findAfterWrites(Set.of(RecordKeys.STATE)).isPresent() || !again.isGiven(),
              op);
    } catch (StoreException e) {
      if (!e.is(Kind.GUARD_FAILED)) {
        throw e;
      }
    }
  }

  /**
   * Sets a job that was only noticed to ABORTED, so that it can no longer be set up. One write.
   *
   * @param info to be recorded
   * @param now milliseconds since the epoch
   * @return false if the job has been set up meanwhile, or there is no record
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
   * Removes the notice, if it is there. One write.
   *
   * @return false if the record has a state
   */
  public boolean remove() throws IOException {
    return ops.removeGuarded(WriteOp.builder().absentOmap(RecordKeys.STATE));
  }
}
