// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import java.io.IOException;
import java.util.Iterator;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A committer's recovery of jobs whose drivers may be gone. It is found by {@link ServiceLoader},
 * as the connector does not know the committer. Thread-safe.
 */
public interface JobUpkeep {

  /** Returns the one on the class path; empty if there is none. */
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
     * It is registered, not committed, and has no record: it is being set up, or was aborted
     * meanwhile. Nothing was changed.
     */
    UNRECORDED,
    /** It has ended since: nothing was left to do. */
    GONE,
    /** Nothing of it is visible, nor ever will be. */
    ABORTED,
    /** All of it is visible. */
    COMMITTED;

    /** Whether the job may be alive, and goes on. */
    public boolean isLeftAlone() {
      return this == ALIVE || this == UNRECORDED;
    }
  }

  /**
   * Since when a job must have been silent. That it is ended says nothing of its processes: one
   * that lives goes on until it is told.
   *
   * @param lastHeartbeat only a job is ended whose last heartbeat was then or earlier, in
   *     milliseconds since the epoch; {@link Long#MAX_VALUE} for any
   * @param end no process of a job is left that was ended then or earlier, and has had no heartbeat
   *     since: then its record is removed too
   */
  record Silence(long lastHeartbeat, long end) {

    /** Of a job that is dead. */
    public static Silence since(long before) {
      return new Silence(before, before);
    }

    /** The same for a job that may be alive, and is to be ended whatever its last heartbeat. */
    public Silence orAlive() {
      return new Silence(Long.MAX_VALUE, end);
    }
  }

  /**
   * How a recovery ended.
   *
   * @param rest whether the record stays: until it has had no heartbeat for as long again, as
   *     processes of the job may still write; or because a manifest cannot be read
   * @param lastHeartbeat of a job that it has made seem alive; else 0
   */
  record Recovered(Outcome outcome, boolean rest, long lastHeartbeat) {

    public Recovered(Outcome outcome, boolean rest) {
      this(outcome, rest, 0);
    }
  }

  /**
   * Ends a job that seems dead: rolls it forward if its commit is decided, else back, and removes
   * what it left over. The job is fenced first: if its driver or a task is alive after all, it can
   * change nothing more and gets a {@link JobEndedException}.
   *
   * <p>May be repeated, by anyone, at any time.
   *
   * @param silence recovers only a job that has been silent for so long
   */
  Recovered recover(JobSupport fs, RegisteredJob job, Silence silence) throws IOException;
}
