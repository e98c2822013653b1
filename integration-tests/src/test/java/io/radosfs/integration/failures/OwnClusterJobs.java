// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import io.radosfs.integration.ceph.OwnCephCluster;
import io.radosfs.integration.spark.HookedConnections;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Jobs on a cluster of the test's own, of one OSD, to which it may do harm. */
abstract class OwnClusterJobs {

  static OwnCephCluster own;

  private final String timeout;

  String pool;
  JobFiles files;

  /**
   * @param timeout fs.rados.operation.timeout
   */
  OwnClusterJobs(String timeout) {
    this.timeout = timeout;
  }

  @BeforeAll
  static void startCluster() {
    own = OwnCephCluster.start(1);
  }

  @AfterAll
  static void stopCluster() throws IOException {
    HookedConnections.closeAll();
    if (own != null) {
      own.close();
    }
  }

  @BeforeEach
  void createPool() {
    pool = own.ceph().createPool();
    files = new JobFiles(own.ceph(), pool, configuration(timeout));
  }

  /** After what the test does to make the cluster well again. */
  @AfterEach
  void deletePool() {
    own.ceph().deletePool(pool);
  }

  static Configuration configuration(String timeout) {
    Configuration conf = JobFiles.configuration(own.ceph());
    conf.set("fs.rados.cluster.factory", HookedConnections.class.getName());
    conf.set("fs.rados.operation.timeout", timeout);
    return conf;
  }
}
