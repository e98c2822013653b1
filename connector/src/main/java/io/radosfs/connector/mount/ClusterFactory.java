// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.config.Settings;
import io.radosfs.connector.store.Cluster;
import io.radosfs.connector.store.librados.LocalNeed;
import java.io.IOException;
import java.util.Optional;

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

  /**
   * What this machine has that connecting needs, for people; no message to the cluster. Empty if
   * this way of connecting does not need it.
   *
   * @throws IOException that says what is missing, and what to do
   */
  default Optional<String> find(LocalNeed need, Settings settings) throws IOException {
    return Optional.empty();
  }

  /** Makes the one that the settings name. */
  static ClusterFactory of(Settings settings) throws IOException {
    String name = settings.get(Options.CLUSTER_FACTORY);
    try {
      return Class.forName(name, true, settings.classLoader())
          .asSubclass(ClusterFactory.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new IOException(
          Options.CLUSTER_FACTORY.key() + " names no usable ClusterFactory: " + name, e);
    }
  }
}
