// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import io.radosfs.committer.spark.RadosCommitProtocol;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage;
import scala.collection.Seq;

/** The commit protocol, whose commitJob stands still after so many writes. */
public final class StoppingCommitProtocol extends RadosCommitProtocol {

  /** How many, as a system property. */
  static final String WRITES = "radosfs.test.stopAfterWrites";

  private static final long serialVersionUID = 1L;

  public StoppingCommitProtocol(String jobId, String path, boolean dynamicPartitionOverwrite) {
    super(jobId, path, dynamicPartitionOverwrite);
  }

  @Override
  public void commitJob(JobContext context, Seq<TaskCommitMessage> commits) {
    StoppingWrites.arm(Integer.getInteger(WRITES));
    super.commitJob(context, commits);
    HookedConnections.unhook();
  }
}
