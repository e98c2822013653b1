// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.config.Settings;
import io.radosfs.connector.data.RetainedData;
import io.radosfs.connector.layout.Superblock;
import io.radosfs.connector.retry.Pauses;
import io.radosfs.connector.retry.Retries;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.store.RadosStatistic;
import io.radosfs.connector.transaction.DirectoryLoop;
import io.radosfs.connector.transaction.Retention;
import io.radosfs.connector.transaction.shard.Sharding;
import java.io.IOException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;

/**
 * Makes the {@link Wiring} of a file system on a cluster: where it is kept, how it is worked on and
 * within which limits is what the connection's superblock, pools and settings say. No RADOS
 * operation.
 */
final class ConnectionWiring {

  private static final FsPermission ROOT_PERMISSION = new FsPermission((short) 0755);

  private ConnectionWiring() {}

  /**
   * Returns the wiring of what is connected.
   *
   * @param loop how work on several directories is run
   * @param later when retained data is collected
   * @throws IllegalArgumentException for a setting that cannot be read
   */
  static Wiring of(Connection connection, DirectoryLoop loop, RetainedData.Later later)
      throws IOException {
    return new Wiring(
        place(connection), means(connection, loop, later), limits(connection.settings()));
  }

  private static Wiring.Place place(Connection connection) throws IOException {
    Stores stores = connection.stores();
    Superblock superblock = connection.superblock();
    return new Wiring.Place(
        stores.index(),
        connection.authority().pool(),
        stores,
        stores.dataPool(),
        superblock.objectSize(),
        Identity.ofProcess(connection.settings())
            .attributes(ROOT_PERMISSION)
            .withModified(superblock.created()));
  }

  private static Wiring.Means means(
      Connection connection, DirectoryLoop loop, RetainedData.Later later) {
    IOStatisticsStore statistics = connection.statistics();
    return new Wiring.Means(
        System::currentTimeMillis,
        new Retries(
            Pauses.real(), () -> statistics.incrementCounter(RadosStatistic.RETRIED.symbol())),
        loop,
        later);
  }

  private static Wiring.Limits limits(Settings settings) {
    return new Wiring.Limits(
        settings.get(Options.TRANSACTION_WAIT),
        new Sharding(
            settings.get(Options.DIRECTORY_THRESHOLD), settings.get(Options.DIRECTORY_SHARDS)),
        new Retention(settings.get(Options.REPLACED_RETENTION), System::currentTimeMillis),
        BatchLimit.DEFAULT,
        settings.get(Options.WRITE_WINDOW));
  }
}
