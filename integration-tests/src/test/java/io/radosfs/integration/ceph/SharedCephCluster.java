// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.ceph;

import java.nio.file.Path;
import org.testcontainers.DockerClientFactory;

/** Chooses, starts and keeps the one cluster of a test run. */
final class SharedCephCluster {

  private static final Object LOCK = new Object();
  private static CephCluster cluster;
  private static String failure;

  private SharedCephCluster() {}

  static CephCluster get() {
    synchronized (LOCK) {
      if (failure != null) {
        // A start that failed once takes its time to fail again, in each of the test classes.
        throw new IllegalStateException(failure);
      }
      if (cluster == null) {
        try {
          cluster = start();
        } catch (RuntimeException e) {
          failure = e.getMessage();
          throw new IllegalStateException(failure, e);
        }
        // For a JVM that ends before its tests have; otherwise StopsClusterAtEnd was there before.
        Runtime.getRuntime()
            .addShutdownHook(new Thread(SharedCephCluster::stop, "stop the Ceph cluster"));
      }
      return cluster;
    }
  }

  /** Stops the cluster, if one was started; whoever asks next gets a new one. */
  static void stop() {
    synchronized (LOCK) {
      CephCluster started = cluster;
      cluster = null;
      if (started != null) {
        started.close();
      }
    }
  }

  private static CephCluster start() {
    String conf = System.getProperty(CephCluster.CONF_PROPERTY, "");
    if (!conf.isBlank()) {
      return GivenCephCluster.open(Path.of(conf), System.getProperty("ceph.user", "admin"));
    }
    if (!DockerClientFactory.instance().isDockerAvailable()) {
      throw new IllegalStateException(
          "The integration tests need a real Ceph, and no Docker daemon answers to run one in a container."
              + " Either run scripts/test, which installs and starts Docker,"
              + " or give a cluster to test on: mvn verify -Dceph.conf=PATH"
              + " (scripts/ceph-dev up --osds 3 starts one and prints its conf).");
    }
    return ContainerCephCluster.start(
        Integer.getInteger("ceph.osds", CephCluster.OSDS_FOR_ERASURE_CODING));
  }
}
