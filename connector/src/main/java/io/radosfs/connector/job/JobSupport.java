// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.retry.Retries;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.transaction.Transactions;
import java.io.Closeable;
import java.io.IOException;

/**
 * What a committer uses of a file system. Thread-safe; not to be used once that is closed, but for
 * {@link #keepOpen}.
 */
public interface JobSupport {

  /** A Hadoop file system that supports jobs. */
  interface Provider {
    /** Never returns null. */
    JobSupport jobs() throws IOException;

    /**
     * The heartbeats of the jobs that this process drives, also where the cluster cannot be asked.
     */
    JobHeartbeats heartbeats();
  }

  /** The record of a job that writes to this directory. Costs nothing. */
  JobRecord record(FsPath destination, String jobId);

  /** The transactions by which jobs are registered, committed and aborted. */
  Transactions transactions();

  /** The maximum that one operation takes. */
  BatchLimit batchLimit();

  /** Retries a change if another client was faster. */
  Retries retries();

  /** The tree of names. */
  Namespace namespace();

  /** The objects of files. */
  FileObjects objects();

  /** Attributes of a new file of the current user, modified now. */
  Attributes newFileAttributes();

  /** Attributes of a new directory of the current user, modified now. */
  Attributes newDirectoryAttributes();

  /**
   * Milliseconds since the epoch: for display, and for the search for dead jobs. Decides nothing
   * else.
   */
  long now();

  /** The heartbeats of the jobs that this process drives. */
  JobHeartbeats heartbeats();

  /**
   * Keeps this usable until the result is closed, also where all that use the file system close it
   * before. Costs nothing.
   *
   * @throws IOException if it is closed already
   */
  Closeable keepOpen() throws IOException;
}
