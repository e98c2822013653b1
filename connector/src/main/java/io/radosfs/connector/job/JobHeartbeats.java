// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.store.ObjectStore;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends heartbeats for the jobs that this process drives on one file system. Every few minutes it
 * renews their records, so that a search for dead jobs skips them. Correctness does not depend on
 * it: a live job that is taken for dead is fenced, and gets a {@link JobEndedException}.
 *
 * <p>Thread-safe.
 */
public final class JobHeartbeats {

  private static final Logger LOG = LoggerFactory.getLogger(JobHeartbeats.class);

  private final LongSupplier clock;
  private final Map<String, JobRecord> driven = new ConcurrentHashMap<>();

  /**
   * @param clock milliseconds since the epoch
   */
  public JobHeartbeats(LongSupplier clock) {
    this.clock = clock;
  }

  /** Starts the heartbeats of a job that this process drives. */
  public void begin(JobRecord record) {
    driven.put(record.name(), record);
  }

  /** Stops them: the job has ended, or its end has failed and another process recovers it. */
  public void end(JobRecord record) {
    driven.remove(record.name());
  }

  /** The file system is closed: tells of the jobs that have not ended, and stops. */
  public void closed() {
    for (String record : driven.keySet()) {
      LOG.warn(
          "The file system is closed, and a job of this process, {}, has not ended: it has no"
              + " heartbeats any more. After fs.rados.committer.lease the next job on its"
              + " destination, or `radosfs gc`, takes it for dead and ends it. Do not close what"
              + " FileSystem.get returns, as the whole process shares it",
          record);
    }
    driven.clear();
  }

  /** Uses another connection to the records from now on. */
  public void moveTo(ObjectStore index) {
    driven.replaceAll((name, record) -> record.in(index));
  }

  /** Renews each record. One write each; a failure is logged. A job without a record is dropped. */
  public void beat() {
    for (JobRecord record : driven.values()) {
      try {
        if (!record.renew(clock.getAsLong())) {
          driven.remove(record.name(), record);
        }
      } catch (IOException | RuntimeException e) {
        LOG.warn("The job record {} could not be renewed; it is tried again", record, e);
      }
    }
  }
}
