// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import java.io.IOException;
import java.util.Iterator;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * What a committer does about jobs whose drivers may be gone: found by {@link ServiceLoader}, as
 * the connector knows no committer. Thread-safe.
 */
public interface JobUpkeep {

  /** The one on the class path; empty when there is none. */
  static Optional<JobUpkeep> find(ClassLoader classes) {
    Iterator<JobUpkeep> found = ServiceLoader.load(JobUpkeep.class, classes).iterator();
    return found.hasNext() ? Optional.of(found.next()) : Optional.empty();
  }

  /**
   * Reads a job's record. One read for each {@value JobRecord#PAGE} manifests or files, at least
   * one.
   */
  JobDescription describe(JobSupport fs, RegisteredJob job) throws IOException;

  /** What {@link #recover} made of a job. */
  enum Outcome {
    /** Its last heartbeat is recent: nothing was changed. */
    ALIVE,
    /**
     * It is registered, not committed, and has no record, as while it is set up, and if it was
     * aborted then: nothing was changed.
     */
    UNRECORDED,
    /** It has ended since: nothing was left to do. */
    GONE,
    /** Nothing of it is visible, nor ever will be. */
    ABORTED,
    /** All of it is visible. */
    COMMITTED
  }

  /**
   * How a recovery ended.
   *
   * @param rest whether the record stays, for what a process of the job may yet write, until it was
   *     without a heartbeat for as long again; or because a manifest cannot be read
   */
  record Recovered(Outcome outcome, boolean rest) {}

  /**
   * Brings a job that seems dead to its end: forward where its commit is decided, else back, and
   * removes what it left over. First it is fenced: a driver or task of it that is alive after all
   * can change nothing more, and gets a {@link JobEndedException} that says so.
   *
   * <p>May be repeated, by anyone, at any time.
   *
   * @param before only a job whose last heartbeat was at this time or earlier, in milliseconds
   *     since the epoch; {@link Long#MAX_VALUE} for any
   */
  Recovered recover(JobSupport fs, RegisteredJob job, long before) throws IOException;
}
