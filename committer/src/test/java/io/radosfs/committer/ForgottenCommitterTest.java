// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.junit.jupiter.api.Test;

/** Jobs with Hadoop's own committer. */
class ForgottenCommitterTest {

  private static final Path OUT = new Path("rados://p/out");

  private final Configuration conf =
      SimulatedConnections.configuration(SimulatedCluster.withPools("p"));

  /** A job has a copy of the settings. */
  private JobContext job() {
    return new JobContextImpl(conf, new JobID("20261123", 1));
  }

  @Test
  void worksAllTheSame() throws IOException {
    new FileOutputCommitter(OUT, job()).setupJob(job());
    new FileOutputCommitter(OUT, job()).commitJob(job());
    assertThat(OUT.getFileSystem(conf).exists(new Path(OUT, "_SUCCESS"))).isTrue();
  }

  @Test
  void failsInItsSetUpWhereOneWantsThat() {
    conf.set("fs.rados.committer.require", "reject");
    assertThatThrownBy(() -> new FileOutputCommitter(OUT, job()).setupJob(job()))
        .isInstanceOf(PathIOException.class)
        .hasMessageContaining("fs.rados.committer.require is 'reject'");
  }

  @Test
  void radosfssOwnIsNotMeant() throws IOException {
    conf.set("fs.rados.committer.require", "reject");
    RadosOutputCommitter own = new RadosOutputCommitter(OUT, job());
    own.setupJob(job());
    own.commitJob(job());
  }
}
