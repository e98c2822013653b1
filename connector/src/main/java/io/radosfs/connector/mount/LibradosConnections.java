// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.config.Settings;
import io.radosfs.connector.store.Cluster;
import io.radosfs.connector.store.ClusterStatus;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.librados.ClusterSettings;
import io.radosfs.connector.store.librados.LibradosCluster;
import io.radosfs.connector.store.librados.LocalNeed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Connects with librados. File systems of the process with the same settings share a connection, as
 * it costs threads and sockets, and a process may open hundreds of pools and namespaces. A
 * connection that the cluster has blocklisted is not shared any more. If no monitor answers,
 * further tries fail at once for some seconds, see {@link RememberedTimeouts}.
 */
public final class LibradosConnections implements ClusterFactory {

  private static final Sharing<ClusterSettings, LibradosCluster> SHARED =
      new Sharing<>(
          new RememberedTimeouts<>(LibradosCluster::connect, System::nanoTime),
          connection -> !connection.isBlocklisted());

  @Override
  public Cluster connect(Settings settings) throws IOException {
    Sharing<ClusterSettings, LibradosCluster>.Share share = SHARED.acquire(translate(settings));
    return new SharedCluster(share);
  }

  @Override
  public Optional<String> find(LocalNeed need, Settings settings) throws IOException {
    return Optional.of(LibradosCluster.find(need, translate(settings)));
  }

  /**
   * @throws IOException if a credential provider cannot be read
   */
  static ClusterSettings translate(Settings settings) throws IOException {
    String user = settings.get(Options.CEPH_USER);
    ClusterSettings.Builder builder =
        ClusterSettings.builder()
            .user(user)
            .keyIfNone(CarriedKeys.find(user))
            .cephOptions(settings.cephOptions())
            .connectTimeout(settings.get(Options.CONNECT_TIMEOUT))
            .operationTimeout(settings.get(Options.OPERATION_TIMEOUT));
    String conf = settings.get(Options.CEPH_CONF);
    if (!conf.isEmpty()) {
      builder.confPath(conf);
    }
    String keyring = settings.get(Options.CEPH_KEYRING);
    if (!keyring.isEmpty()) {
      builder.keyring(keyring);
    }
    String keyfile = settings.get(Options.CEPH_KEYFILE);
    if (!keyfile.isEmpty()) {
      builder.keyFile(keyfile);
    }
    try {
      String secret = settings.get(Options.CEPH_SECRET);
      if (!secret.isEmpty()) {
        builder.key(secret);
      }
    } catch (UncheckedIOException e) {
      throw new IOException(e.getMessage(), e.getCause());
    }
    return builder.build();
  }

  private record SharedCluster(Sharing<ClusterSettings, LibradosCluster>.Share share)
      implements Cluster {

    @Override
    public ObjectStore open(String pool, String namespace) throws IOException {
      return share.value().open(pool, namespace);
    }

    @Override
    public boolean isBlocklisted() {
      return share.value().isBlocklisted();
    }

    @Override
    public String address() throws IOException {
      return share.value().address();
    }

    @Override
    public OptionalLong clientId() throws IOException {
      return share.value().clientId();
    }

    @Override
    public String fsid() throws IOException {
      return share.value().fsid();
    }

    @Override
    public ClusterStatus status() throws IOException {
      return share.value().status();
    }

    @Override
    public Optional<String> userKey() throws IOException {
      return share.value().userKey();
    }

    @Override
    public void close() throws IOException {
      share.close();
    }
  }
}
