// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Test;

/** A file system counts the changes that it tried again, as {@code rados_retried}. */
class RetriedChangesTest {

  private static final String COUNTER = "rados_retried";
  private static final Path FILE = new Path("/d/f");

  private final SimulatedCluster cluster = SimulatedCluster.withPools("p");
  private final Configuration conf = SimulatedConnections.configuration(cluster);

  private RadosFileSystem fileSystem(String user) throws IOException {
    Configuration own = new Configuration(conf);
    own.set("fs.rados.ceph.user", user);
    return (RadosFileSystem) FileSystem.get(URI.create("rados://p/"), own);
  }

  @Test
  void aChangeThatAnotherClientDisturbsIsCountedOnce() throws IOException {
    try (RadosFileSystem fs = fileSystem("client.a");
        RadosFileSystem other = fileSystem("client.b")) {
      fs.create(FILE).close();
      long ofMaking = fs.getIOStatistics().counters().get(COUNTER);
      assertThat(fs.rename(FILE, new Path("/d/g"))).isTrue();
      assertThat(fs.getIOStatistics().counters()).containsEntry(COUNTER, ofMaking);

      AtomicBoolean disturbed = new AtomicBoolean();
      FaultPlan unused =
          cluster
              .client("client.a")
              .faults()
              .before(
                  op -> {
                    if (op.write() && disturbed.compareAndSet(false, true)) {
                      other.setPermission(new Path("/d/g"), new FsPermission("600"));
                    }
                  });
      assertThat(fs.rename(new Path("/d/g"), FILE)).isTrue();
      assertThat(fs.getFileStatus(FILE).getPermission()).isEqualTo(new FsPermission("600"));
      assertThat(fs.getIOStatistics().counters()).containsEntry(COUNTER, ofMaking + 1);
    }
  }
}
