// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.connector.store.ObjectStore.PoolUsage;
import io.radosfs.connector.store.PoolTraffic;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Usage and quota of a pool, from the monitor's {@code df detail}.
 *
 * <p>{@code rados_ioctx_pool_stat} is no alternative: it counts the bytes of all replicas, rounded
 * up to what the disks allocate. It also has two versions with structures of different sizes, and
 * the linker decides which of them a look-up by name finds.
 */
final class PoolStats {

  static final String COMMAND =
      "{\"prefix\": \"df\", \"detail\": \"detail\", \"format\": \"json\"}";

  private static final ObjectMapper JSON = new ObjectMapper();

  private PoolStats() {}

  /** The numbers of one pool; no use and no quota if the monitor does not know the pool yet. */
  static PoolUsage parse(byte[] df, long poolId) {
    JsonNode root;
    try {
      root = JSON.readTree(df);
    } catch (IOException e) {
      throw new UncheckedIOException("the monitor's answer to df is not JSON", e);
    }
    long available = root.path("stats").path("total_avail_bytes").asLong();
    for (JsonNode pool : root.path("pools")) {
      if (pool.path("id").asLong() == poolId) {
        JsonNode stats = pool.path("stats");
        return PoolUsage.of(
            stats.path("stored").asLong(),
            stats.path("objects").asLong(),
            stats.path("max_avail").asLong(available),
            stats.path("quota_bytes").asLong(),
            stats.path("quota_objects").asLong(),
            traffic(stats));
      }
    }
    return PoolUsage.of(0, 0, available, 0, 0, PoolTraffic.NONE);
  }

  /** Counters of the pool. {@code osd pool stats} has rates, but asks for a capability mgr. */
  private static PoolTraffic traffic(JsonNode stats) {
    return new PoolTraffic(
        stats.path("rd").asLong(),
        stats.path("rd_bytes").asLong(),
        stats.path("wr").asLong(),
        stats.path("wr_bytes").asLong());
  }
}
