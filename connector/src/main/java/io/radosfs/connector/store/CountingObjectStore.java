// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;

/**
 * Counts a store's operations, bytes and omap entries: see {@link RadosStatistic}. An operation is
 * counted when it is sent. Its bytes and entries are counted when it is answered, before the caller
 * has the answer.
 *
 * <p>Not counted: commands to monitors; and listings of names, as librados decides how many
 * operations a listing takes.
 */
public final class CountingObjectStore extends ForwardingObjectStore implements IOStatisticsSource {

  private final IOStatisticsStore statistics;

  /**
   * @param statistics has counters for {@link RadosStatistic#symbols()}; may be shared by stores
   */
  public CountingObjectStore(ObjectStore store, IOStatisticsStore statistics) {
    super(store);
    this.statistics = statistics;
  }

  @Override
  public IOStatistics getIOStatistics() {
    return statistics;
  }

  @Override
  public void write(String object, WriteOp op) throws IOException {
    sent(op);
    try {
      super.write(object, op);
    } catch (IOException e) {
      failed(e);
      throw e;
    }
    answered(op);
  }

  @Override
  public CompletableFuture<Void> writeAsync(String object, WriteOp op) {
    sent(op);
    return counted(super.writeAsync(object, op), answer -> answered(op));
  }

  @Override
  public CompletableFuture<Void> writeAsync(
      String object, WriteOp op, CompletableFuture<Void> turn) {
    CompletableFuture<Void> counted = turn.thenRun(() -> sent(op));
    return counted(super.writeAsync(object, op, counted), answer -> answered(op));
  }

  @Override
  public ReadResult read(String object, ReadOp op) throws IOException {
    sent(op);
    ReadResult result;
    try {
      result = super.read(object, op);
    } catch (IOException e) {
      failed(e);
      throw e;
    }
    answered(op, result);
    return result;
  }

  @Override
  public CompletableFuture<ReadResult> readAsync(String object, ReadOp op) {
    sent(op);
    return counted(super.readAsync(object, op), result -> answered(op, result));
  }

  private <T> CompletableFuture<T> counted(CompletableFuture<T> operation, Consumer<T> answer) {
    return lookedAt(
        operation,
        answer,
        failure -> {
          failed(failure);
          return failure;
        });
  }

  private void sent(WriteOp op) {
    boolean data = op.steps().stream().anyMatch(WriteOp.WriteFull.class::isInstance);
    add(RadosStatistic.OP_WRITE, 1);
    add(data ? RadosStatistic.DATA_WRITE : RadosStatistic.INDEX_WRITE, 1);
  }

  private void sent(ReadOp op) {
    boolean data =
        op.steps().stream()
            .anyMatch(step -> step instanceof ReadOp.Data || step instanceof ReadOp.Crc32c);
    add(RadosStatistic.OP_READ, 1);
    add(data ? RadosStatistic.DATA_READ : RadosStatistic.INDEX_READ, 1);
  }

  private void answered(WriteOp op) {
    for (WriteOp.Step step : op.steps()) {
      if (step instanceof WriteOp.WriteFull full) {
        add(RadosStatistic.BYTES_WRITTEN, full.data().remaining());
      } else if (step instanceof WriteOp.SetOmap set) {
        add(RadosStatistic.OMAP_KEYS_WRITTEN, set.entries().size());
        add(RadosStatistic.OMAP_BYTES_WRITTEN, bytes(set.entries()));
      } else if (step instanceof WriteOp.RemoveOmapKeys remove) {
        add(RadosStatistic.OMAP_KEYS_REMOVED, remove.keys().size());
      }
    }
  }

  private void answered(ReadOp op, ReadResult result) {
    for (int i = 0; i < op.steps().size(); i++) {
      if (op.steps().get(i) instanceof ReadOp.Data) {
        add(RadosStatistic.BYTES_READ, result.bytes(i));
      } else if (result.steps().get(i) instanceof ReadResult.Omap omap) {
        add(RadosStatistic.OMAP_KEYS_READ, omap.entries().size());
        add(RadosStatistic.OMAP_BYTES_READ, omap.entries().length());
      }
    }
  }

  private void failed(Throwable failure) {
    boolean refused =
        failure instanceof StoreException e
            && switch (e.kind()) {
              case NOT_FOUND, EXISTS, GUARD_FAILED -> true;
              default -> false;
            };
    add(refused ? RadosStatistic.OP_REFUSED : RadosStatistic.OP_FAILED, 1);
  }

  private void add(RadosStatistic statistic, long count) {
    statistics.incrementCounter(statistic.symbol(), count);
  }

  private static long bytes(Map<String, byte[]> entries) {
    long total = 0;
    for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
      total += utf8Length(entry.getKey()) + entry.getValue().length;
    }
    return total;
  }

  private static long utf8Length(String text) {
    long length = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      // A surrogate is half of a character of four bytes.
      length += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return length;
  }
}
