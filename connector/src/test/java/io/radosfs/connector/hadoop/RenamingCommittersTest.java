// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The first step of Hadoop's own committer, see {@code ForgottenCommitterTest}. */
class RenamingCommittersTest {

  private final Configuration conf =
      SimulatedConnections.configuration(SimulatedCluster.withPools("p"));

  private FileSystem open() throws IOException {
    return FileSystem.newInstance(URI.create("rados://p/"), conf);
  }

  private String logged(String... directories) throws IOException {
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(RenamingCommitters.class));
    try (FileSystem fs = open()) {
      for (String directory : directories) {
        assertThat(fs.mkdirs(new Path(directory))).isTrue();
      }
      return log.getOutput();
    } finally {
      log.stopCapturing();
    }
  }

  @Test
  void isToldOnceWithTheSettings() throws IOException {
    assertThat(logged("/out/_temporary/0", "/out/_temporary/0", "/other/_temporary/1"))
        .containsOnlyOnce("a job writes with a committer that renames each file")
        .contains("/out/_temporary/0: ")
        .contains(
            "spark.plugins = io.radosfs.RadosPlugin",
            "spark.sql.sources.commitProtocolClass ="
                + " io.radosfs.committer.spark.RadosCommitProtocol")
        .contains(
            "mapreduce.outputcommitter.factory.scheme.rados ="
                + " io.radosfs.committer.RadosCommitterFactory")
        .contains("fs.rados.committer.require");
    assertThat(logged("/out/_temporary/manifest_job_1/0")).contains("renames each file");
  }

  @Test
  void otherDirectoriesAreNotMeant() throws IOException {
    assertThat(
            logged(
                "/out/_temporary",
                "/out/_temporary/0/_temporary/attempt_1/x",
                "/out/0",
                "/out/_temporary/0/task_1",
                "/out/_temporary/_x"))
        .isEmpty();
    conf.set("fs.rados.committer.require", "off");
    assertThat(logged("/out/_temporary/0")).isEmpty();
  }

  @Test
  void isRefusedWhereOneWantsThat() throws IOException {
    conf.set("fs.rados.pool.p.committer.require", "reject");
    try (FileSystem fs = open()) {
      assertThatThrownBy(() -> fs.mkdirs(new Path("/out/_temporary/0")))
          .isInstanceOf(PathIOException.class)
          .hasMessageContaining("/out/_temporary/0")
          .hasMessageContaining("fs.rados.committer.require is 'reject'")
          .hasMessageContaining("spark.sql.sources.commitProtocolClass");
      assertThat(fs.mkdirs(new Path("/out/x"))).isTrue();
    }
  }
}
