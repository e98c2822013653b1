// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import io.radosfs.committer.spark.RadosCommitProtocol;
import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.workbench.OsdCounters;
import org.apache.hadoop.mapreduce.JobContext;
import scala.collection.Seq;

/** The commit protocol, with what the OSDs were asked to do during commitJob. */
public final class WatchedCommitProtocol extends RadosCommitProtocol {

  private static final long serialVersionUID = 1L;

  private static OsdCounters ofCommitJob;

  public WatchedCommitProtocol(String jobId, String path, boolean dynamicPartitionOverwrite) {
    super(jobId, path, dynamicPartitionOverwrite);
  }

  /** What the last commitJob asked of the OSDs. */
  static OsdCounters ofCommitJob() {
    return ofCommitJob;
  }

  @Override
  public void commitJob(JobContext job, Seq<TaskCommitMessage> messages) {
    OsdWatch watch = new OsdWatch(CephCluster.shared());
    super.commitJob(job, messages);
    ofCommitJob = watch.counted();
  }
}
