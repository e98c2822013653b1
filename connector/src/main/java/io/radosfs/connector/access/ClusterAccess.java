// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.access;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.config.Settings;
import io.radosfs.connector.mount.CarriedKeys;
import io.radosfs.connector.mount.ClusterFactory;
import io.radosfs.connector.store.Cluster;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;

/** A connection to a cluster as a Ceph user, without a file system. */
public final class ClusterAccess implements Closeable {

  private final String user;
  private final Cluster cluster;

  private ClusterAccess(String user, Cluster cluster) {
    this.user = user;
    this.cluster = cluster;
  }

  /**
   * Connects with the settings of a pool, which needs not be there. File systems with the same
   * settings share the connection.
   *
   * @param pool empty for the settings that name no pool
   * @throws IOException which says what to do: no librados, no ceph.conf, no key or a wrong one, no
   *     monitor
   */
  public static ClusterAccess connect(Configuration conf, String pool) throws IOException {
    Settings settings = new Settings(conf, pool);
    return new ClusterAccess(
        settings.get(Options.CEPH_USER), ClusterFactory.of(settings).connect(settings));
  }

  /**
   * From now on, connections of this process as that Ceph user have this key, where the machine has
   * none. Connections that are open stay as they are.
   */
  public static void carryKey(String user, String key) throws IOException {
    CarriedKeys.carry(user, key);
  }

  /** The Ceph user. */
  public String user() {
    return user;
  }

  /**
   * As whom the cluster knows this connection: {@code client.<n>}, as in the list of operations of
   * an OSD, and the address, as in the blocklist.
   */
  public String client() throws IOException {
    OptionalLong id = cluster.clientId();
    return (id.isPresent() ? "client." + id.getAsLong() + " at " : "") + cluster.address();
  }

  /** The cluster's fsid. */
  public String fsid() throws IOException {
    return cluster.fsid();
  }

  /** The user's key, if this process can see it. It must never be shown or logged. */
  public Optional<String> key() throws IOException {
    return cluster.userKey();
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
