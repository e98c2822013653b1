// SPDX-License-Identifier: Apache-2.0
package io.radosfs.suites;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.integration.ceph.CephCluster;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The pool that a run of the suites uses: a simulated one, or with {@code -Dsuites.cluster=ceph}
 * one on a real Ceph. The suites run one after the other and clean up after themselves.
 */
public final class SuitePool {

  private static final boolean ON_CEPH = System.getProperty("suites.cluster", "").equals("ceph");

  private SuitePool() {}

  /** Its name is no host's, as URIs have it: Hadoop's {@code getHost} is null for it. */
  private static final class Simulated {
    static final String POOL = "my_pool";
    static final SimulatedCluster CLUSTER = SimulatedCluster.withPools(POOL);
  }

  private static final class OnCeph {
    static final CephCluster CLUSTER = CephCluster.shared();
    static final String POOL = CLUSTER.createPool();
  }

  /** Of the kind of cluster. */
  static String name() {
    return ON_CEPH ? "ceph" : "simulation";
  }

  public static URI uri() {
    return URI.create("rados://" + (ON_CEPH ? OnCeph.POOL : Simulated.POOL) + "/");
  }

  /** Sets a configuration so that its default file system is in the pool. */
  public static Configuration configure(Configuration conf) {
    if (ON_CEPH) {
      conf.set("fs.rados.ceph.conf", OnCeph.CLUSTER.conf().toString());
      conf.set("fs.rados.ceph.user", OnCeph.CLUSTER.admin().entity());
      conf.set("fs.rados.ceph.keyring", OnCeph.CLUSTER.admin().keyring().toString());
      conf.set("fs.AbstractFileSystem.rados.impl", "io.radosfs.connector.RadosFs");
    } else {
      SimulatedConnections.configure(conf, Simulated.CLUSTER);
    }
    conf.set("fs.defaultFS", uri().toString());
    // So small that the suites' files have many.
    conf.set("fs.rados.object.size", "4K");
    return conf;
  }

  /** Removes all files and directories of the pool. */
  public static void clear(FileSystem pool) throws IOException {
    for (FileStatus each : pool.listStatus(new Path("/"))) {
      pool.delete(each.getPath(), true);
    }
  }
}
