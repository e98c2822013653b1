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
import org.junit.jupiter.api.Test;

/** URIs as people write them. */
class UrisTest {

  private final Configuration conf =
      SimulatedConnections.configuration(SimulatedCluster.withPools("p"));

  private FileSystem open() throws IOException {
    return FileSystem.newInstance(URI.create("rados://p/"), conf);
  }

  /** Hadoop's tools would look in the home directory. */
  @Test
  void aUriWithoutASlashIsTheRoot() throws IOException {
    try (FileSystem fs = open()) {
      Path bare = new Path("rados://p");
      fs.create(new Path("/f")).close();
      assertThat(fs.listStatus(bare)).hasSize(1);
      assertThat(fs.globStatus(bare)).hasSize(1);
      assertThat(fs.globStatus(bare)[0].getPath()).isEqualTo(new Path("rados://p/"));
      assertThat(fs.getFileStatus(bare).isDirectory()).isTrue();
      assertThat(fs.makeQualified(bare)).isEqualTo(new Path("rados://p/"));
      assertThat(fs.exists(new Path("f"))).as("in the home directory").isFalse();
      fs.create(new Path(bare, "g")).close();
      assertThat(fs.listStatus(bare)).hasSize(2);
    }
    assertThatThrownBy(() -> FileSystem.newInstance(URI.create("rados://pool:6789/"), conf))
        .hasMessageContaining("No port belongs into the URI: the monitors' addresses are in");
  }

  @Test
  void theSchemeIsWrittenInLowerCase() {
    assertThatThrownBy(() -> FileSystem.newInstance(URI.create("RADOS://p/"), conf))
        .hasMessage("RADOS://p/: write the scheme in lower case, rados://");
  }
}
