// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Keeps at most so many operations under way. One beyond that waits, ready, for its turn and is
 * started, in order, by the very thread that brings the answer of an earlier one: the cluster is
 * not idle while that answer finds its way to whoever fills the next buffer.
 *
 * <p>Thread-safe. Nobody ever waits in here, but for what starting an operation waits for.
 */
final class OperationWindow {

  private final int most;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private int underWay;

  /** An operation that is ready: completing its turn starts it. */
  private record Waiting(CompletableFuture<Void> turn, CompletableFuture<Void> answer) {}

  OperationWindow(int most) {
    this.most = most;
  }

  /**
   * Starts an operation now or later.
   *
   * @param operation makes it ready, at once; it starts when the future that it is given completes,
   *     and never will when that is cancelled
   * @return its answer, completed in the thread that brings it
   */
  CompletableFuture<Void> start(
      Function<CompletableFuture<Void>, CompletableFuture<Void>> operation) {
    CompletableFuture<Void> turn = new CompletableFuture<>();
    Waiting ready = new Waiting(turn, operation.apply(turn));
    synchronized (this) {
      if (underWay == most) {
        waiting.add(ready);
        return ready.answer();
      }
      underWay++;
    }
    run(ready);
    return ready.answer();
  }

  /** Those not started yet never will be: their turn is cancelled. */
  void cancelWaiting() {
    List<Waiting> cancelled;
    synchronized (this) {
      cancelled = List.copyOf(waiting);
      waiting.clear();
    }
    cancelled.forEach(each -> each.turn().cancel(false));
  }

  private void run(Waiting ready) {
    ready.turn().complete(null);
    ready
        .answer()
        .whenComplete(
            (done, thrown) -> {
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
