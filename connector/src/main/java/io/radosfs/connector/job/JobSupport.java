// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.operations.Namespace;
import io.radosfs.connector.retry.Retries;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.transaction.Transactions;
import java.io.IOException;

/** What a committer gets from a file system. Thread-safe; not to be used once that is closed. */
public interface JobSupport {

  /** A Hadoop file system that takes part in jobs. */
  interface Provider {
    /** Not null. */
    JobSupport jobs() throws IOException;
  }

  /** The record of a job that writes to this directory. Costs nothing. */
  JobRecord record(FsPath destination, String jobId);

  /** The transactions by which jobs are registered, committed and aborted. */
  Transactions transactions();

  /** What one operation takes at most. */
  BatchLimit batchLimit();

  /** How changes are tried again that others were faster with. */
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
   * Milliseconds since the epoch: for people, and for those that look for dead jobs. Decides
   * nothing else.
   */
  long now();

  /** Which records say now and then that their jobs, driven from here, are alive. */
  JobHeartbeats heartbeats();
}
