// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.CommitterOptions;
import io.radosfs.connector.config.Options;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

/** With the settings of a pool alone, as its Ceph user may have rights nowhere else. */
class AccessCheckTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta", "my.pool");
  private final Configuration conf =
      SimulatedConnections.configure(new Configuration(false), cluster);

  private AccessCheck check() {
    return AccessCheck.of(conf, new SparkConf(false)).orElseThrow();
  }

  @Test
  void aNamedFileSystemIsReachedAsItsOwnUser() throws IOException {
    conf.set("fs.rados.pool.meta.ceph.user", "client.mine");
    conf.set(CommitterOptions.PLUGIN_CHECK.key(), "rados://meta/");
    assertThat(check().run()).hasSize(2).first().asString().startsWith("client.mine on cluster");
  }

  @Test
  void withoutANamedOneThePoolsWithAUserAreReached() throws IOException {
    conf.set("fs.rados.pool.meta.ceph.user", "client.mine");
    conf.set("fs.rados.pool.my.pool.ceph.user", "client.other");
    conf.set("fs.rados.pool.unused.object.size", "1M");
    assertThat(check().pools()).containsExactly("meta", "my.pool");
    assertThat(check().run())
        .hasSize(2)
        .anyMatch(words -> words.startsWith("client.mine on cluster"))
        .anyMatch(words -> words.startsWith("client.other on cluster"));
  }

  @Test
  void aUserForAllPoolsIsTried() throws IOException {
    conf.set("fs.rados.pool.meta.ceph.user", "client.mine");
    conf.set(Options.CEPH_USER.key(), "client.all");
    assertThat(check().run()).hasSize(1).first().asString().startsWith("client.all on cluster");
  }

  @Test
  void withoutAnyUserCephsOwnDefaultIsTried() throws IOException {
    assertThat(check().run()).hasSize(1).first().asString().startsWith("client.admin on cluster");
  }
}
