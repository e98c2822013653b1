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
 * Counts a store's operations, bytes and omap entries: see {@link RadosStatistic}; and takes their
 * times: see {@link OperationTimes}. An operation is counted when it is sent. Its bytes, entries
 * and time are counted when it is answered, before the caller has the answer.
 *
 * <p>Not counted: commands to monitors; and listings of names, as librados decides how many
 * operations a listing takes.
 */
public final class CountingObjectStore extends ForwardingObjectStore implements IOStatisticsSource {

  private final IOStatisticsStore statistics;
  private final OperationTimes times;

  /**
   * @param statistics has counters for {@link RadosStatistic#symbols()}; may be shared by stores
   * @param times may be shared by stores
   */
  public CountingObjectStore(
      ObjectStore store, IOStatisticsStore statistics, OperationTimes times) {
    super(store);
    this.statistics = statistics;
    this.times = times;
  }

  @Override
  public IOStatistics getIOStatistics() {
    return statistics;
  }

  @Override
  public void write(String object, WriteOp op) throws IOException {
    OperationKind kind = OperationKind.of(op);
    long begun = sent(kind);
    try {
      super.write(object, op);
    } catch (IOException e) {
      failed(e);
      throw e;
    } finally {
      times.end(kind, begun);
    }
    answered(op);
  }

  @Override
  public CompletableFuture<Void> writeAsync(String object, WriteOp op) {
    OperationKind kind = OperationKind.of(op);
    long begun = sent(kind);
    return counted(super.writeAsync(object, op), kind, begun, answer -> answered(op));
  }

  @Override
  public CompletableFuture<Void> writeAsync(
      String object, WriteOp op, CompletableFuture<Void> turn) {
    Turn sent = new Turn(OperationKind.of(op));
    CompletableFuture<Void> counted = turn.thenRun(sent);
    return lookedAt(
        super.writeAsync(object, op, counted),
        answer -> {
          sent.end();
          answered(op);
        },
        failure -> {
          sent.end();
          if (sent.isSent) {
            failed(failure);
          }
          return failure;
        });
  }

  @Override
  public ReadResult read(String object, ReadOp op) throws IOException {
    OperationKind kind = OperationKind.of(op);
    long begun = sent(kind);
    ReadResult result;
    try {
      result = super.read(object, op);
    } catch (IOException e) {
      failed(e);
      throw e;
    } finally {
      times.end(kind, begun);
    }
    answered(op, result);
    return result;
  }

  @Override
  public CompletableFuture<ReadResult> readAsync(String object, ReadOp op) {
    OperationKind kind = OperationKind.of(op);
    long begun = sent(kind);
    return counted(super.readAsync(object, op), kind, begun, result -> answered(op, result));
  }

  private <T> CompletableFuture<T> counted(
      CompletableFuture<T> operation, OperationKind kind, long begun, Consumer<T> answer) {
    return lookedAt(
        operation,
        result -> {
          times.end(kind, begun);
          answer.accept(result);
        },
        failure -> {
          times.end(kind, begun);
          failed(failure);
          return failure;
        });
  }

  /** Counts an operation when its turn comes, which may be never. */
  private final class Turn implements Runnable {
    private final OperationKind kind;
    private long begun;
    private boolean isSent;

    private Turn(OperationKind kind) {
      this.kind = kind;
    }

    @Override
    public void run() {
      begun = sent(kind);
      isSent = true;
    }

    private void end() {
      if (isSent) {
        times.end(kind, begun);
      }
    }
  }

  private long sent(OperationKind kind) {
    add(kind.all(), 1);
    add(kind.own(), 1);
    return times.begin();
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
    if (!(failure instanceof StoreException e)) {
      add(RadosStatistic.OP_FAILED, 1);
      return;
    }
    switch (e.kind()) {
      case GUARD_FAILED -> {
        add(RadosStatistic.OP_REFUSED, 1);
        add(RadosStatistic.OP_CONFLICT, 1);
      }
      case NOT_FOUND, EXISTS -> add(RadosStatistic.OP_REFUSED, 1);
      default -> add(RadosStatistic.OP_FAILED, 1);
    }
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
