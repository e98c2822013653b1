// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.config.Settings;
import io.radosfs.connector.store.Cluster;
import java.io.IOException;

/**
 * Connects to a cluster; {@link io.radosfs.connector.config.Options#CLUSTER_FACTORY} names the
 * class. Each mount makes a new one, by its public constructor without parameters.
 */
public interface ClusterFactory {

  /**
   * Connects.
   *
   * @return a connection that the caller closes
   * @throws IOException that says what to do about it
   */
  Cluster connect(Settings settings) throws IOException;
}
