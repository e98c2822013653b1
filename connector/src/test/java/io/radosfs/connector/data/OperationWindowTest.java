// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OperationWindowTest {

  private final List<CompletableFuture<Void>> ready = new ArrayList<>();
  private final List<CompletableFuture<Void>> started = new ArrayList<>();
  private final OperationWindow window = new OperationWindow(2);

  private CompletableFuture<Void> start() {
    return window.start(
        turn -> {
          CompletableFuture<Void> operation = new CompletableFuture<>();
          ready.add(operation);
          return turn.thenCompose(
              now -> {
                started.add(operation);
                return operation;
              });
        });
  }

  @Test
  void startsNoMoreThanTheWindowAndTheNextOnEachAnswer() {
    List<CompletableFuture<Void>> answers = List.of(start(), start(), start(), start());
    assertThat(started).hasSize(2);
    assertThat(ready).as("made ready before their turn").hasSize(4);

    started.get(1).complete(null);
    assertThat(answers.get(1)).isCompleted();
    assertThat(started).hasSize(3);

    started.get(0).completeExceptionally(new IllegalStateException("no"));
    assertThat(answers.get(0)).isCompletedExceptionally();
    assertThat(started).hasSize(4);

    started.get(2).complete(null);
    started.get(3).complete(null);
    assertThat(answers).allMatch(CompletableFuture::isDone);

    start();
    start();
    start();
    assertThat(started).as("two of three once all were answered").hasSize(6);
  }

  @Test
  void anOperationThatCannotBeStartedFailsAndMakesRoomForTheNext() {
    start();
    start();
    CompletableFuture<Void> failing =
        window.start(
            turn ->
                turn.thenRun(
                    () -> {
                      throw new IllegalArgumentException("cannot be encoded");
                    }));
    CompletableFuture<Void> failedBefore =
        window.start(turn -> CompletableFuture.failedFuture(new IllegalStateException("early")));
    CompletableFuture<Void> last = start();

    started.get(0).complete(null);

    assertThatThrownBy(failing::join).hasMessageContaining("cannot be encoded");
    assertThatThrownBy(failedBefore::join).hasMessageContaining("early");
    assertThat(started).hasSize(3);
    started.get(2).complete(null);
    assertThat(last).isCompleted();
  }

  @Test
  void whatWaitsCanBeCancelledAndIsNeverStarted() {
    CompletableFuture<Void> first = start();
    start();
    CompletableFuture<Void> waiting = start();

    window.cancelWaiting();

    assertThatThrownBy(waiting::join).hasRootCauseInstanceOf(CancellationException.class);
    started.get(0).complete(null);
    started.get(1).complete(null);
    assertThat(first).isCompleted();
    assertThat(started).hasSize(2);
  }
}
