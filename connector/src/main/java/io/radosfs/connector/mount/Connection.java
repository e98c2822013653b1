// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.config.Settings;
import io.radosfs.connector.data.PoolClaims;
import io.radosfs.connector.data.StreamStatistics;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Superblock;
import io.radosfs.connector.store.Cluster;
import io.radosfs.connector.store.CountingObjectStore;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.RadosStatistic;
import io.radosfs.connector.superblock.Superblocks;
import io.radosfs.connector.uri.Authority;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;

/**
 * One connection to the cluster, with the settings, pools and superblock of the file system there.
 * It counts every operation that is sent. Thread-safe.
 *
 * @param statistics counts of RADOS operations and bytes
 */
record Connection(
    Authority authority,
    Settings settings,
    Cluster cluster,
    Stores stores,
    Superblock superblock,
    IOStatisticsStore statistics)
    implements Closeable {

  /** How the superblock is found or made. */
  @FunctionalInterface
  private interface Source {
    Superblock from(Superblocks superblocks, Stores stores) throws IOException;
  }

  /** See {@link Mount#open}. */
  static Connection open(Authority authority, Configuration conf) throws IOException {
    Settings settings = new Settings(conf, authority.pool());
    Superblock initial = superblock(settings, Optional.empty());
    return open(
        authority,
        settings,
        newStatistics(),
        (superblocks, stores) -> superblocks.findOrMake(initial));
  }

  /** See {@link Mount#openExisting}. */
  static Connection openExisting(Authority authority, Configuration conf) throws IOException {
    return open(
        authority,
        new Settings(conf, authority.pool()),
        newStatistics(),
        (superblocks, stores) ->
            superblocks
                .find()
                .orElseThrow(
                    () ->
                        new LayoutException(
                            authority
                                + " holds no file system yet: it is made on first use, or by"
                                + " `radosfs format "
                                + authority
                                + "`")));
  }

  /** See {@link Mount#format}. */
  static Connection format(Authority authority, Configuration conf, Optional<String> dataPool)
      throws IOException {
    Settings settings = new Settings(conf, authority.pool());
    Superblock wanted = superblock(settings, dataPool);
    return open(
        authority,
        settings,
        newStatistics(),
        (superblocks, stores) -> {
          if (dataPool.isPresent()) {
            // Before anything is written, as this finds out whether the pool is missing.
            stores.setDataPool(dataPool.get());
            ObjectStore data = stores.data();
            if (superblocks.find().isEmpty()) {
              new PoolClaims(authority.pool()).claim(data);
            }
          }
          return superblocks.format(wanted);
        });
  }

  /** Opens another connection to the same file system, with the same statistics. */
  Connection openAnew() throws IOException {
    return open(
        authority,
        settings,
        statistics,
        (superblocks, stores) ->
            superblocks
                .find()
                .orElseThrow(
                    () ->
                        new LayoutException(
                            authority + " has lost its superblock, the object '//superblock'")));
  }

  private static Connection open(
      Authority authority, Settings settings, IOStatisticsStore statistics, Source source)
      throws IOException {
    Cluster cluster = factory(settings).connect(settings);
    Stores stores =
        new Stores(
            cluster,
            authority,
            settings.get(Options.CEPH_USER),
            store -> new CountingObjectStore(store, statistics));
    boolean opened = false;
    try {
      Superblock superblock =
          source.from(new Superblocks(stores.index(), authority.toString()), stores);
      superblock.dataPool().ifPresent(stores::setDataPool);
      ObjectStore unused = stores.data(); // so that a data pool that is gone is found out now
      Connection connection =
          new Connection(authority, settings, cluster, stores, superblock, statistics);
      opened = true;
      return connection;
    } finally {
      if (!opened) {
        close(stores, cluster);
      }
    }
  }

  private static ClusterFactory factory(Settings settings) throws IOException {
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

  /** The superblock of a new file system. */
  private static Superblock superblock(Settings settings, Optional<String> dataPool) {
    return new Superblock(
        dataPool, Math.toIntExact(settings.get(Options.OBJECT_SIZE)), System.currentTimeMillis());
  }

  private static IOStatisticsStore newStatistics() {
    return StreamStatistics.gathering(RadosStatistic.symbols());
  }

  /** Whether the cluster has blocklisted this connection, so that nothing works by it any more. */
  boolean isCutOff() {
    return cluster.isBlocklisted();
  }

  /** Closes the pools, then the cluster. */
  @Override
  public void close() throws IOException {
    close(stores, cluster);
  }

  private static void close(Stores stores, Cluster cluster) throws IOException {
    try (cluster;
        stores) {
      // Closed in the reverse order, whatever fails.
    }
  }
}
