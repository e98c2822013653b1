package io.radosfs.connector.data;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Keeps at most so many operations under way. One beyond that waits for its turn and is started, in
 * order, by the very thread that brings the answer of an earlier one: the cluster is not idle while
 * that answer finds its way to whoever fills the next buffer.
 *
 * <p>Thread-safe. Nobody ever waits in here, but for what starting an operation waits for.
 */
final class OperationWindow {

  private final int most;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private int underWay;

  /** An operation and the promise of its answer. */
  private record Waiting(
      Supplier<CompletableFuture<Void>> operation, CompletableFuture<Void> answer) {}

  OperationWindow(int most) {
    this.most = most;
  }

  /**
   * Starts an operation now or later.
   *
   * @return its answer, also when starting it throws; completed in the thread that brings it
   */
  CompletableFuture<Void> start(Supplier<CompletableFuture<Void>> operation) {
    Waiting started = new Waiting(operation, new CompletableFuture<>());
    synchronized (this) {
      if (underWay == most) {
        waiting.add(started);
        return started.answer();
      }
      underWay++;
    }
    run(started);
    return started.answer();
  }

  /** Those not started yet never will be: their answer is a {@link CancellationException}. */
  void cancelWaiting() {
    List<Waiting> cancelled;
    synchronized (this) {
      cancelled = List.copyOf(waiting);
      waiting.clear();
    }
    cancelled.forEach(each -> each.answer().cancel(false));
  }

  private void run(Waiting started) {
    CompletableFuture<Void> outcome;
    try {
      outcome = started.operation().get();
    } catch (RuntimeException | Error e) {
      outcome = CompletableFuture.failedFuture(e);
    }
    outcome.whenComplete(
        (done, thrown) -> {
          if (thrown == null) {
            started.answer().complete(null);
          } else {
            started.answer().completeExceptionally(thrown);
          }
          Waiting next = next();
          if (next != null) {
            run(next);
          }
        });
  }

  private synchronized Waiting next() {
    Waiting next = waiting.poll();
    if (next == null) {
      underWay--;
    }
    return next;
  }
}
