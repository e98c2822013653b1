// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

/** What a RADOS operation does, for counts and times; see {@link RadosStatistic}. */
public enum OperationKind {
  DATA_READ("data_read", RadosStatistic.OP_READ, RadosStatistic.DATA_READ),
  DATA_WRITE("data_write", RadosStatistic.OP_WRITE, RadosStatistic.DATA_WRITE),
  INDEX_READ("index_read", RadosStatistic.OP_READ, RadosStatistic.INDEX_READ),
  INDEX_WRITE("index_write", RadosStatistic.OP_WRITE, RadosStatistic.INDEX_WRITE);

  private final String symbol;
  private final RadosStatistic all;
  private final RadosStatistic own;

  OperationKind(String symbol, RadosStatistic all, RadosStatistic own) {
    this.symbol = symbol;
    this.all = all;
    this.own = own;
  }

  static OperationKind of(WriteOp op) {
    for (WriteOp.Step step : op.steps()) {
      if (step instanceof WriteOp.WriteFull) {
        return DATA_WRITE;
      }
    }
    return INDEX_WRITE;
  }

  static OperationKind of(ReadOp op) {
    for (ReadOp.Step step : op.steps()) {
      if (step instanceof ReadOp.Data || step instanceof ReadOp.Crc32c) {
        return DATA_READ;
      }
    }
    return INDEX_READ;
  }

  /** The kind's name in the names of metrics. */
  public String symbol() {
    return symbol;
  }

  /** The counter of all reads, or of all writes. */
  RadosStatistic all() {
    return all;
  }

  /** The counter of this kind. */
  RadosStatistic own() {
    return own;
  }
}
