// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedClient.Access;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.uri.Authority;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Ceph user without the rights to the pool of the data, or with too few. */
class AccessTest {

  private static final URI URI_OF_FS = URI.create("rados://team@meta/");

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta", "bulk");
  private final Configuration conf = SimulatedConnections.configuration(cluster);
  private SimulatedClient limited;

  @BeforeEach
  void format() throws IOException {
    conf.set(Options.OBJECT_SIZE.key(), "1K");
    Mount.format(Authority.of(URI_OF_FS), conf, Optional.of("bulk")).close();
    try (FileSystem fs = FileSystem.get(URI_OF_FS, conf);
        FSDataOutputStream out = fs.create(new Path("/d/f"))) {
      out.write(new byte[5000]);
    }
    conf.set(Options.CEPH_USER.key(), "client.limited");
    limited = cluster.client("client.limited");
  }

  private static void assertDenied(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("client.limited")
        .hasMessageContaining("pool 'bulk', namespace 'team'")
        .hasMessageContaining(
            "osd 'allow rw pool=meta namespace=team, allow rw pool=bulk namespace=team'");
  }

  @Test
  void writingStripesAndClosingSayWhichPool() throws IOException {
    limited.setAccess("bulk", Access.READ_ONLY);
    try (FileSystem fs = FileSystem.get(URI_OF_FS, conf)) {
      FSDataOutputStream small = fs.create(new Path("/d/small"));
      small.write('x');
      assertDenied(small::close);
      FSDataOutputStream large = fs.create(new Path("/d/large"));
      assertDenied(
          () -> {
            for (int i = 0; i < 100; i++) {
              large.write(new byte[1000]);
            }
          });
      assertDenied(large::close);
      assertThat(fs.listStatus(new Path("/d"))).hasSize(1);
    }
  }

  @Test
  void readingSaysWhichPool() throws IOException {
    limited.setAccess("bulk", Access.NONE);
    try (FileSystem fs = FileSystem.get(URI_OF_FS, conf);
        var in = fs.open(new Path("/d/f"))) {
      assertDenied(in::read);
      assertDenied(() -> in.readFully(100, new byte[10]));
    }
  }

  @Test
  void deletingKeepsTheDataListedForThoseWhoMay() throws IOException {
    limited.setAccess("bulk", Access.READ_ONLY);
    try (FileSystem fs = FileSystem.get(URI_OF_FS, conf)) {
      assertThat(fs.delete(new Path("/d/f"), false)).isTrue();
      assertThat(fs.exists(new Path("/d/f"))).isFalse();
    }
    assertThat(cluster.objects("bulk", "team"))
        .as("five stripes, and the pool's consent")
        .hasSize(6)
        .containsKey("//data-of/meta");
    assertThat(cluster.objects("meta", "team").get("d/").omap().keySet())
        .as("I4: what is left can be found")
        .anyMatch(key -> key.startsWith("x/"));
  }
}
