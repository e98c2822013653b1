// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.fasterxml.jackson.databind.JsonNode;
import io.radosfs.connector.store.ObjectStore.PoolUsage;
import io.radosfs.connector.store.PoolTraffic;
import java.io.IOException;

/**
 * Usage and quota of a pool, from the monitors' {@code df detail}.
 *
 * <p>{@code rados_ioctx_pool_stat} is no alternative: it counts the bytes of all replicas, rounded
 * up to what the disks allocate. It also has two versions with structures of different sizes, and
 * the linker decides which of them a look-up by name finds.
 */
final class PoolStats {

  private final MonitorCommands monitors;

  PoolStats(MonitorCommands monitors) {
    this.monitors = monitors;
  }

  /** The numbers of one pool. */
  PoolUsage of(String name, long id) throws IOException {
    JsonNode df = monitors.ask(MonitorCommands.command("df").put("detail", "detail"));
    long available = df.path("stats").path("total_avail_bytes").asLong();
    for (JsonNode pool : df.path("pools")) {
      if (pool.path("id").asLong() == id) {
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
    return withoutNumbers(name, available);
  }

  /**
   * A pool that {@code df} leaves out, with its quota too: it is some seconds old, and the manager
   * has told nothing of it yet. Then {@code osd pool get-quota} knows no such pool either.
   */
  private PoolUsage withoutNumbers(String name, long available) throws IOException {
    JsonNode pools = monitors.ask(MonitorCommands.command("osd pool ls").put("detail", "detail"));
    for (JsonNode pool : pools) {
      if (pool.path("pool_name").asText().equals(name)) {
        return PoolUsage.of(
            0,
            0,
            available,
            pool.path("quota_max_bytes").asLong(),
            pool.path("quota_max_objects").asLong(),
            PoolTraffic.NONE);
      }
    }
    throw new IOException("the monitors tell nothing of pool " + name + ": it may be removed");
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
