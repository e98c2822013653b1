// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import io.radosfs.connector.config.Settings;
import io.radosfs.connector.mount.ClusterFactory;
import io.radosfs.connector.mount.LibradosConnections;
import io.radosfs.connector.store.Cluster;
import io.radosfs.integration.ceph.CephCluster;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Connects to a real cluster, and knows by which addresses this process does: named by {@code
 * fs.rados.cluster.factory}.
 */
public final class WatchedConnections implements ClusterFactory {

  private static final Set<String> ADDRESSES = ConcurrentHashMap.newKeySet();

  /** Of those that are shared, nobody may have noticed it yet. */
  private static final Set<String> BLOCKLISTED = ConcurrentHashMap.newKeySet();

  /** Blocklists all that the process has connected by so far, through this. */
  static void blocklist(CephCluster ceph) {
    for (String address : Set.copyOf(ADDRESSES)) {
      ADDRESSES.remove(address);
      BLOCKLISTED.add(address);
      ceph.ceph("osd", "blocklist", "add", address);
    }
  }

  /** How many connections there are that were not blocklisted. */
  static int count() {
    return ADDRESSES.size();
  }

  @Override
  public Cluster connect(Settings settings) throws IOException {
    Cluster cluster = new LibradosConnections().connect(settings);
    String address = cluster.address();
    if (!BLOCKLISTED.contains(address)) {
      ADDRESSES.add(address);
    }
    return cluster;
  }
}
