// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import io.radosfs.connector.explorer.DocumentedFailure;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.transaction.TransactionAbortedException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.PathIOException;

/**
 * What drivers and tasks may be told though nothing goes wrong. The committer's {@code
 * troubleshooting.md} has their messages.
 */
final class JobFailures {

  /** Others may end any job, or void any attempt, also {@code radosfs gc}. */
  private static final DocumentedFailure ENDED = new DocumentedFailure(JobEndedException.class, "");

  static final List<DocumentedFailure> OF_SETUP =
      List.of(
          ENDED,
          new DocumentedFailure(
              IOException.class, "and fs.rados.committer.overwrite-conflict is fail"));

  static final List<DocumentedFailure> OF_WRITING = List.of(ENDED);

  /** Two processes may be one attempt, here. */
  static final List<DocumentedFailure> OF_TASK_COMMIT =
      List.of(
          ENDED,
          new DocumentedFailure(IOException.class, "was never closed, or its close failed"),
          new DocumentedFailure(IOException.class, " twice"));

  static final List<DocumentedFailure> OF_COMMIT =
      List.of(
          ENDED,
          new DocumentedFailure(
              TransactionAbortedException.class, "was aborted before it could commit"),
          new DocumentedFailure(IOException.class, "which was reported as committed, is not in"),
          new DocumentedFailure(IOException.class, " have both written "),
          // A directory outside the destination was removed just then; a second commit makes it.
          new DocumentedFailure(PathIOException.class, "since it was looked at; try again"));

  private JobFailures() {}
}
