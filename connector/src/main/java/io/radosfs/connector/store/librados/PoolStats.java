// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.connector.store.ObjectStore.PoolUsage;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * What a pool holds and may hold, from the monitor's {@code df detail}.
 *
 * <p>Not from {@code rados_ioctx_pool_stat}: its bytes are those of all replicas, rounded up to
 * what the disks allocate, and which of its two versions with structures of two sizes a lookup by
 * name finds depends on the linker.
 */
final class PoolStats {

  static final String COMMAND =
      "{\"prefix\": \"df\", \"detail\": \"detail\", \"format\": \"json\"}";

  private static final ObjectMapper JSON = new ObjectMapper();

  private PoolStats() {}

  /** The numbers of one pool; all 0 when the monitor has not heard of it yet. */
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
            stats.path("quota_objects").asLong());
      }
    }
    return PoolUsage.of(0, 0, available, 0, 0);
  }
}
