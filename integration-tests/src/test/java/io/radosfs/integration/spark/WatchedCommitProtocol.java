// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.workbench.OsdCounters;
import io.radosfs.workbench.SparkSessions;
import java.io.Serializable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.spark.internal.io.FileCommitProtocol;
import org.apache.spark.internal.io.FileNameSpec;
import scala.Option;
import scala.collection.Seq;

/** The commit protocol, with what the OSDs were asked to do during commitJob. */
public final class WatchedCommitProtocol extends FileCommitProtocol implements Serializable {

  private static final long serialVersionUID = 1L;

  private static OsdCounters ofCommitJob;

  @SuppressWarnings("serial") // as serializable as it says
  private final FileCommitProtocol watched;

  public WatchedCommitProtocol(String jobId, String path, boolean dynamicPartitionOverwrite) {
    this.watched =
        FileCommitProtocol.instantiate(
            SparkSessions.PROTOCOL, jobId, path, dynamicPartitionOverwrite);
  }

  /** What the last commitJob asked of the OSDs. */
  static OsdCounters ofCommitJob() {
    return ofCommitJob;
  }

  @Override
  public void commitJob(JobContext job, Seq<TaskCommitMessage> messages) {
    OsdWatch watch = new OsdWatch(CephCluster.shared());
    watched.commitJob(job, messages);
    ofCommitJob = watch.counted();
  }

  @Override
  public void setupJob(JobContext job) {
    watched.setupJob(job);
  }

  @Override
  public void abortJob(JobContext job) {
    watched.abortJob(job);
  }

  @Override
  public void setupTask(TaskAttemptContext task) {
    watched.setupTask(task);
  }

  @Override
  @SuppressWarnings("deprecation") // abstract all the same
  public String newTaskTempFile(TaskAttemptContext task, Option<String> directory, String suffix) {
    return watched.newTaskTempFile(task, directory, suffix);
  }

  @Override
  public String newTaskTempFile(
      TaskAttemptContext task, Option<String> directory, FileNameSpec name) {
    return watched.newTaskTempFile(task, directory, name);
  }

  @Override
  @SuppressWarnings("deprecation") // abstract all the same
  public String newTaskTempFileAbsPath(TaskAttemptContext task, String directory, String suffix) {
    return watched.newTaskTempFileAbsPath(task, directory, suffix);
  }

  @Override
  public String newTaskTempFileAbsPath(
      TaskAttemptContext task, String directory, FileNameSpec name) {
    return watched.newTaskTempFileAbsPath(task, directory, name);
  }

  @Override
  public TaskCommitMessage commitTask(TaskAttemptContext task) {
    return watched.commitTask(task);
  }

  @Override
  public void abortTask(TaskAttemptContext task) {
    watched.abortTask(task);
  }

  @Override
  public boolean deleteWithJob(FileSystem fileSystem, Path path, boolean recursive) {
    return watched.deleteWithJob(fileSystem, path, recursive);
  }

  @Override
  public void onTaskCommit(TaskCommitMessage message) {
    watched.onTaskCommit(message);
  }
}
