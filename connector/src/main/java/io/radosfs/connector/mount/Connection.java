// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.config.Settings;
import io.radosfs.connector.config.UnknownSettings;
import io.radosfs.connector.data.PoolConsent;
import io.radosfs.connector.data.StreamStatistics;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Superblock;
import io.radosfs.connector.metrics.ProcessMetrics;
import io.radosfs.connector.store.Cluster;
import io.radosfs.connector.store.CountingObjectStore;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.RadosStatistic;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.superblock.FirstUse;
import io.radosfs.connector.superblock.Superblocks;
import io.radosfs.connector.superblock.Vacancy;
import io.radosfs.connector.uri.Authority;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
    FirstUse firstUse,
    IOStatisticsStore statistics)
    implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  /** How the superblock is found, assumed or made. */
  @FunctionalInterface
  private interface Source {
    FirstUse from(Superblocks superblocks, Vacancy vacancy, Stores stores) throws IOException;
  }

  /** See {@link Mount#open}. */
  static Connection open(Authority authority, Configuration conf) throws IOException {
    Settings settings = new Settings(conf, authority.pool());
    tellOfSettings(authority, conf, settings);
    return openReading(authority, settings, newStatistics(), found(authority, settings));
  }

  private static void tellOfSettings(Authority authority, Configuration conf, Settings settings) {
    for (String sentence : new UnknownSettings(conf, authority.pool()).ofConnector()) {
      LOG.warn("{}: {}", authority, sentence);
    }
    if (!settings.isSet(Options.CEPH_USER)) {
      LOG.warn(
          "{}: no Ceph user is set ({}): connecting as {}, who may do everything in the cluster",
          authority,
          Options.CEPH_USER.key(),
          Options.CEPH_USER.defaultText());
    }
  }

  /** Finds the superblock, or assumes one; see {@link FirstUse#find}. */
  private static Source found(Authority authority, Settings settings) {
    Superblock initial = superblock(settings, Optional.empty());
    return (superblocks, vacancy, stores) ->
        FirstUse.find(superblocks, vacancy, initial, authority.toString());
  }

  /** See {@link Mount#openExisting}. */
  static Connection openExisting(Authority authority, Configuration conf) throws IOException {
    return openReading(
        authority,
        new Settings(conf, authority.pool()),
        newStatistics(),
        (superblocks, vacancy, stores) -> {
          Optional<Superblock> found = superblocks.find();
          if (found.isEmpty()) {
            vacancy.requireOwnPool();
            throw new LayoutException(
                authority
                    + " holds no file system yet: the first write makes it, or `radosfs format "
                    + authority
                    + "`. Objects that are there are not radosfs's");
          }
          return FirstUse.stored(superblocks, vacancy, found.get(), authority.toString());
        });
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
        (superblocks, vacancy, stores) -> {
          boolean isNew = superblocks.find().isEmpty();
          if (isNew) {
            vacancy.requireOwnPool();
          }
          if (dataPool.isPresent()) {
            // Before anything is written, as this finds out whether the pool is missing.
            stores.setDataPool(dataPool.get());
            ObjectStore data = stores.data();
            if (isNew) {
              new Vacancy(data, authority.toString()).requireOwnPool();
              new PoolConsent(authority.pool()).askFor(data);
            }
          }
          return FirstUse.stored(
              superblocks, vacancy, superblocks.format(wanted), authority.toString());
        });
  }

  /**
   * Opens another connection to the same file system, with the same statistics. If the pool of the
   * index is gone, it is whatever is in the one that has its name now.
   */
  Connection openAnew() throws IOException {
    if (!firstUse.isStored() || stores.isIndexGone()) {
      return open(authority, settings, statistics, found(authority, settings));
    }
    return open(
        authority,
        settings,
        statistics,
        (superblocks, vacancy, stores) ->
            FirstUse.stored(
                superblocks,
                vacancy,
                superblocks
                    .find()
                    .orElseThrow(
                        () ->
                            new LayoutException(
                                authority + " has lost its superblock, the object '//superblock'")),
                authority.toString()));
  }

  /**
   * Opens by a source that only reads. A connection that others have, too, may have been
   * blocklisted without anyone noticing. Then it is opened by another one, once: nothing was begun
   * by the first that could still take effect.
   */
  private static Connection openReading(
      Authority authority, Settings settings, IOStatisticsStore statistics, Source source)
      throws IOException {
    try {
      return open(authority, settings, statistics, source);
    } catch (StoreException e) {
      if (!e.is(Kind.BLOCKLISTED)) {
        throw e;
      }
      LOG.info("{}: opened by another connection: {}", authority, e.getMessage());
      return open(authority, settings, statistics, source);
    }
  }

  private static Connection open(
      Authority authority, Settings settings, IOStatisticsStore statistics, Source source)
      throws IOException {
    Cluster cluster = ClusterFactory.of(settings).connect(settings);
    Stores stores =
        new Stores(
            cluster,
            authority,
            settings.get(Options.CEPH_USER),
            store -> new CountingObjectStore(store, statistics, ProcessMetrics.get().times()));
    boolean opened = false;
    try {
      cluster.clientId().ifPresent(ProcessMetrics.get()::connectedAs);
      ObjectStore index = stores.superblockStore();
      FirstUse firstUse =
          source.from(
              new Superblocks(index, authority.toString()),
              new Vacancy(index, authority.toString()),
              stores);
      stores.setBeforeWrite(firstUse::beforeWrite);
      firstUse.superblock().dataPool().ifPresent(stores::setDataPool);
      ObjectStore unused = stores.data(); // so that a data pool that is gone is found out now
      Connection connection =
          new Connection(authority, settings, cluster, stores, firstUse, statistics);
      opened = true;
      return connection;
    } finally {
      if (!opened) {
        close(stores, cluster);
      }
    }
  }

  /** What all clients of the file system agree on. */
  Superblock superblock() {
    return firstUse.superblock();
  }

  /** The superblock of a new file system. */
  private static Superblock superblock(Settings settings, Optional<String> dataPool) {
    return new Superblock(
        dataPool, Math.toIntExact(settings.get(Options.OBJECT_SIZE)), System.currentTimeMillis());
  }

  private static IOStatisticsStore newStatistics() {
    return StreamStatistics.gathering(RadosStatistic.symbols());
  }

  /**
   * Whether nothing works by it any more, or not in each pool: the cluster has blocklisted it, or a
   * pool was deleted or renamed.
   */
  boolean isCutOff() {
    return isBlocklisted() || stores.isAnyGone();
  }

  boolean isBlocklisted() {
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
