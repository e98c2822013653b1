// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.util.Arrays;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;

/**
 * The counters of RADOS operations and bytes, as Hadoop's IOStatistics name them. A data operation
 * reads or writes the data of objects, or has an OSD read it for a checksum; every other operation
 * is an index operation.
 */
public enum RadosStatistic {
  OP_READ("rados_op_read", "read operations sent"),
  OP_WRITE("rados_op_write", "write operations sent"),
  DATA_READ("rados_data_read", "read operations sent that read data"),
  DATA_WRITE("rados_data_write", "write operations sent that write data"),
  INDEX_READ("rados_index_read", "read operations sent that read no data"),
  INDEX_WRITE("rados_index_write", "write operations sent that write no data"),
  OP_REFUSED(
      "rados_op_refused",
      "operations answered by NOT_FOUND, EXISTS or GUARD_FAILED, as protocols expect at times"),
  OP_CONFLICT(
      "rados_op_conflict",
      "of these, those answered by GUARD_FAILED: another client had changed what they rest on"),
  OP_FAILED("rados_op_failed", "operations that failed in any other way, unanswered ones too"),
  RETRIED(
      "rados_retried", "changes tried again, as others had changed what they rest on meanwhile"),
  BYTES_READ("rados_bytes_read", "bytes of data read"),
  BYTES_WRITTEN("rados_bytes_written", "bytes of data written, as far as RADOS confirmed it"),
  OMAP_KEYS_READ("rados_omap_keys_read", "omap entries read"),
  OMAP_KEYS_WRITTEN("rados_omap_keys_written", "omap entries set, as far as RADOS confirmed it"),
  OMAP_KEYS_REMOVED(
      "rados_omap_keys_removed", "omap keys asked to be removed, as far as RADOS confirmed it"),
  OMAP_BYTES_READ("rados_omap_bytes_read", "bytes of keys and values of omap entries read"),
  OMAP_BYTES_WRITTEN(
      "rados_omap_bytes_written",
      "bytes of keys and values of omap entries set, as far as RADOS confirmed it");

  private final String symbol;
  private final String description;

  RadosStatistic(String symbol, String description) {
    this.symbol = symbol;
    this.description = description;
  }

  /** The counter's name in IOStatistics. */
  public String symbol() {
    return symbol;
  }

  public String description() {
    return description;
  }

  /** Whether it counts bytes. */
  public boolean isOfBytes() {
    return symbol.contains("_bytes_");
  }

  /** Returns counters for all of them, at zero. */
  public static IOStatisticsStore newStore() {
    return IOStatisticsBinding.iostatisticsStore().withCounters(symbols()).build();
  }

  /** The names of all counters, for a statistics store that has other counters too. */
  public static String[] symbols() {
    return Arrays.stream(values()).map(RadosStatistic::symbol).toArray(String[]::new);
  }
}
