// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

/**
 * What clients have read from a pool and written to it since it was made, in all namespaces, as its
 * OSDs have reported it. They report every few seconds ({@code mgr_stats_period}).
 *
 * @param reads operations
 * @param writes operations
 */
public record PoolTraffic(long reads, long bytesRead, long writes, long bytesWritten) {

  /** Of a pool that nobody has used. */
  public static final PoolTraffic NONE = new PoolTraffic(0, 0, 0, 0);
}
