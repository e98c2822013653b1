// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.config.Settings;
import io.radosfs.connector.store.Cluster;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;

/**
 * Connects file systems to a simulation in this process: {@code fs.rados.ceph.conf} names it, and
 * {@code fs.rados.ceph.user} its client.
 */
public final class SimulatedConnections implements ClusterFactory {

  private static final Map<String, SimulatedCluster> CLUSTERS = new ConcurrentHashMap<>();

  /** A configuration whose file systems are in that simulation. */
  public static Configuration configuration(SimulatedCluster cluster) {
    return configure(new Configuration(), cluster);
  }

  /** Sets a configuration so that its file systems are in that simulation. */
  public static Configuration configure(Configuration conf, SimulatedCluster cluster) {
    String name = UUID.randomUUID().toString();
    CLUSTERS.put(name, cluster);
    conf.set(Options.CLUSTER_FACTORY.key(), SimulatedConnections.class.getName());
    conf.set(Options.CEPH_CONF.key(), name);
    conf.set("fs.AbstractFileSystem.rados.impl", "io.radosfs.connector.RadosFs");
    conf.setBoolean("fs.rados.impl.disable.cache", true);
    return conf;
  }

  @Override
  public Cluster connect(Settings settings) throws IOException {
    SimulatedCluster cluster = CLUSTERS.get(settings.get(Options.CEPH_CONF));
    if (cluster == null) {
      throw new IOException("no simulation named " + settings.get(Options.CEPH_CONF));
    }
    return cluster.client(settings.get(Options.CEPH_USER)).connect();
  }
}
