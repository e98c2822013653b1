// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import io.radosfs.committer.manifest.Overwrite;
import io.radosfs.committer.stages.CommitJobStage;
import io.radosfs.committer.stages.CommitTaskStage;
import io.radosfs.committer.stages.Job;
import io.radosfs.committer.stages.JobLease;
import io.radosfs.committer.stages.OverwriteConflict;
import io.radosfs.committer.stages.RequireEmpty;
import io.radosfs.committer.stages.Selection;
import io.radosfs.committer.stages.SetupJobStage;
import io.radosfs.connector.RadosFileSystem;
import io.radosfs.connector.cli.Radosfs;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Jobs on {@link #OUT} in a simulated pool, and the command line beside them. */
final class CommandLineJobs implements Closeable {

  static final Path OUT = new Path("rados://meta/sales/out");

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");
  private final Configuration conf = SimulatedConnections.configuration(cluster);
  private final FileSystem fs;
  private final Destination destination;

  CommandLineJobs() throws IOException {
    fs = FileSystem.newInstance(OUT.toUri(), conf);
    destination = new Destination(OUT, ((RadosFileSystem) fs).jobs());
  }

  SimulatedCluster cluster() {
    return cluster;
  }

  FileSystem fs() {
    return fs;
  }

  Destination destination() {
    return destination;
  }

  /** Runs {@code radosfs} in place of all that the writers have got before. */
  int run(StringWriter out, StringWriter err, String... args) {
    out.getBuffer().setLength(0);
    return run(new PrintWriter(out), err, args);
  }

  /** The same, without the first. */
  int run(PrintWriter out, StringWriter err, String... args) {
    List<String> all = new ArrayList<>(Arrays.asList(args));
    for (String key : new String[] {"fs.rados.cluster.factory", "fs.rados.ceph.conf"}) {
      all.add("-D" + key + "=" + conf.get(key));
    }
    err.getBuffer().setLength(0);
    return Radosfs.run(out, new PrintWriter(err), all.toArray(new String[0]));
  }

  Job setUp(String id) throws IOException {
    Job job = destination.job(id);
    SetupJobStage.run(
        job,
        Destination.info(id, "uuid-" + id, "JobUUID", "spark"),
        RequireEmpty.NOTHING,
        OverwriteConflict.WAIT,
        JobLease.NONE);
    return job;
  }

  /** A file of the first attempt of a task, which is not committed yet. */
  FSDataOutputStream create(Job job, int task, String name) throws IOException {
    return fs.create(destination.workPath(job.id(), new TaskAttempt("m" + task, "0"), name));
  }

  /** A task with one file, committed. */
  void write(Job job, int task, String name, int bytes) throws IOException {
    try (FSDataOutputStream file = create(job, task, name)) {
      file.write(new byte[bytes]);
    }
    var unused = CommitTaskStage.run(job, new TaskAttempt("m" + task, "0"), 1);
  }

  static void commit(Job job) throws IOException {
    var unused =
        CommitJobStage.run(
            job, new CommitJobStage.Request(Selection.LAST_OF_EACH_TASK, Overwrite.NOTHING, true));
  }

  @Override
  public void close() throws IOException {
    fs.close();
  }
}
