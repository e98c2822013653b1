package io.radosfs.connector.store;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;

/**
 * Counts a store's operations, bytes and omap entries: see {@link RadosStatistic}. An operation is
 * counted when it is sent, what it moved when its answer is there, before the caller has it.
 */
public final class CountingObjectStore implements ObjectStore, IOStatisticsSource {

  private final ObjectStore store;
  private final IOStatisticsStore statistics;

  /**
   * @param statistics has counters for {@link RadosStatistic#symbols()}; may be shared by stores
   */
  public CountingObjectStore(ObjectStore store, IOStatisticsStore statistics) {
    this.store = store;
    this.statistics = statistics;
  }

  @Override
  public String pool() {
    return store.pool();
  }

  @Override
  public String namespace() {
    return store.namespace();
  }

  @Override
  public IOStatistics getIOStatistics() {
    return statistics;
  }

  @Override
  public void write(String object, WriteOp op) throws IOException {
    sent(op);
    try {
      store.write(object, op);
    } catch (IOException e) {
      failed(e);
      throw e;
    }
    answered(op);
  }

  @Override
  public CompletableFuture<Void> writeAsync(String object, WriteOp op) {
    sent(op);
    return counted(store.writeAsync(object, op), answer -> answered(op));
  }

  @Override
  public CompletableFuture<Void> writeAsync(
      String object, WriteOp op, CompletableFuture<Void> turn) {
    CompletableFuture<Void> counted = turn.thenRun(() -> sent(op));
    return counted(store.writeAsync(object, op, counted), answer -> answered(op));
  }

  @Override
  public ReadResult read(String object, ReadOp op) throws IOException {
    sent(op);
    ReadResult result;
    try {
      result = store.read(object, op);
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
    return counted(store.readAsync(object, op), result -> answered(op, result));
  }

  /** Not counted: it is answered by a monitor, not by an OSD. */
  @Override
  public PoolPlacement placement() {
    return store.placement();
  }

  @Override
  public PoolUsage usage() throws IOException {
    return store.usage();
  }

  /** Not counted: how many operations it takes is between librados and the OSDs. */
  @Override
  public void list(NameReader names) throws IOException {
    store.list(names);
  }

  @Override
  public void close() throws IOException {
    store.close();
  }

  private interface Answer<T> {
    void count(T result);
  }

  /** A future of its own, so that its failure is the StoreException and not one wrapped around. */
  private <T> CompletableFuture<T> counted(CompletableFuture<T> operation, Answer<T> answer) {
    CompletableFuture<T> counted = new CompletableFuture<>();
    operation.whenComplete(
        (result, failure) -> {
          if (failure == null) {
            answer.count(result);
            counted.complete(result);
          } else {
            Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null
                    ? failure.getCause()
                    : failure;
            failed(cause);
            counted.completeExceptionally(cause);
          }
        });
    return counted;
  }

  private void sent(WriteOp op) {
    boolean data = op.steps().stream().anyMatch(WriteOp.WriteFull.class::isInstance);
    add(RadosStatistic.OP_WRITE, 1);
    add(data ? RadosStatistic.DATA_WRITE : RadosStatistic.INDEX_WRITE, 1);
  }

  private void sent(ReadOp op) {
    boolean data = op.steps().stream().anyMatch(ReadOp.Data.class::isInstance);
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
