// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Keeps at most so many operations under way. Further operations are prepared and wait. The thread
 * that brings the answer of an operation starts the next one, in order, so the cluster is not idle
 * until the filler of the next buffer learns of the answer.
 *
 * <p>Thread-safe. No call waits, except as long as starting an operation does.
 */
final class OperationWindow {

  private final int most;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private int underWay;

  /** A prepared operation: completing its turn starts it. */
  private record Waiting(CompletableFuture<Void> turn, CompletableFuture<Void> answer) {}

  OperationWindow(int most) {
    this.most = most;
  }

  /**
   * Starts an operation now or later.
   *
   * @param operation prepares the operation at once. It starts when the given future completes, and
   *     never if that future is cancelled
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

  /** Cancels the turns of all operations that have not started: they never will. */
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
