// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import java.util.concurrent.CompletableFuture;

/** A failure that comes when no memory is left to tell of it. */
final class UntellableFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  @Override
  public String toString() {
    throw new OutOfMemoryError("Java heap space");
  }

  /**
   * Has another thread, as that of librados, answer that an operation has failed in this way.
   *
   * @param turn when the operation is sent
   * @param dependents how many want to know of the answer, which comes when all are there
   */
  static CompletableFuture<Void> after(CompletableFuture<Void> turn, int dependents) {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    var unused = turn.thenRun(() -> tell(answer, dependents));
    return answer;
  }

  private static void tell(CompletableFuture<Void> answer, int dependents) {
    new Thread(
            () -> {
              while (answer.getNumberOfDependents() < dependents) {
                Thread.onSpinWait();
              }
              try {
                answer.completeExceptionally(new UntellableFailure());
              } catch (OutOfMemoryError e) {
                // From those that depend on the answer: it was told to them.
              }
            })
        .start();
  }
}
