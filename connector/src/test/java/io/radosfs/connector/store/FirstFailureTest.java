// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FirstFailureTest {

  private final FirstFailure failure = new FirstFailure();

  @Test
  void theFirstIsThrownWithAllOthers() throws IOException {
    IOException first = new IOException("first");
    IOException second = new IOException("second");
    RuntimeException third = new IllegalStateException("third");
    failure.attempt(() -> {});
    failure.rethrow();
    for (Exception e : new Exception[] {first, second, third}) {
      failure.attempt(
          () -> {
            if (e instanceof IOException io) {
              throw io;
            }
            throw (RuntimeException) e;
          });
    }
    assertThat(catchThrowable(failure::rethrow)).isSameAs(first);
    assertThat(first.getSuppressed()).containsExactly(second, third);
  }

  /** Else who is told of the first takes it for all that happened. */
  @Test
  void whatLeavesTheOutcomeOpenComesBeforeWhatDoesNot() {
    IOException definite = new IOException("first");
    IOException open = new OutcomeUnknownException("second", null);
    IOException third = new IOException("third");
    List.of(definite, open, third).forEach(failure::add);
    assertThat(catchThrowable(failure::rethrow)).isSameAs(open);
    assertThat(open.getSuppressed()).containsExactly(definite, third);
  }

  @Test
  void anInterruptStaysFirst() {
    IOException interrupt = new InterruptedIOException("first");
    IOException open = new OutcomeUnknownException("second", null);
    List.of(interrupt, open).forEach(failure::add);
    assertThat(catchThrowable(failure::rethrow)).isSameAs(interrupt);
  }

  @Test
  void oneFailureOfSeveralIsNotSuppressedByItself() {
    IllegalStateException same = new IllegalStateException("same");
    failure.add(same);
    failure.add(same);
    assertThat(catchThrowable(failure::rethrow)).isSameAs(same);
    assertThat(same.getSuppressed()).isEmpty();
  }

  /** Another one's first failure, with what came after it. */
  @Test
  void whatWasWaitedForInFullEndsItAlsoAsASuppressedOne() {
    IOException silent =
        new StoreException(StoreException.Kind.TIMED_OUT, "object", "second").afterWaitingInFull();
    IOException inner = new IOException("first");
    inner.addSuppressed(silent);
    silent.addSuppressed(inner);
    failure.add(new IOException("other"));
    assertThat(failure.isEnd()).isFalse();
    IOException outer = new IOException("outer");
    outer.addSuppressed(inner);
    failure.add(outer);
    assertThat(failure.isEnd()).isTrue();
  }

  /** An overwrite of many partitions whose pool denies removals. */
  @Test
  void ofVeryManyTheFirstAreKeptAndTheOthersCounted() {
    IOException first = new IOException("first");
    failure.add(first);
    for (int k = 1; k < 1000; k++) {
      failure.add(new IOException("failure " + k));
    }
    assertThat(catchThrowable(failure::rethrow)).isSameAs(first);
    assertThat(first.getSuppressed()).hasSize(FirstFailure.MOST_SUPPRESSED + 1);
    assertThat(first.getSuppressed()[0]).hasMessage("failure 1");
    assertThat(first.getSuppressed()[FirstFailure.MOST_SUPPRESSED])
        .hasMessage("and 989 failures more");
  }

  /** Whoever gets the failure must find it. */
  @Test
  void whatEndsItIsKeptHoweverManyThereAre() {
    IOException first = new IOException("first");
    failure.add(first);
    for (int k = 1; k < 100; k++) {
      failure.add(new IOException("failure " + k));
    }
    InterruptedIOException end = new InterruptedIOException("end");
    failure.add(end);
    assertThat(failure.isEnd()).isTrue();
    assertThat(first.getSuppressed()).contains(end);
  }

  @Test
  void anErrorEndsItAtOnce() {
    assertThatThrownBy(
            () ->
                failure.attempt(
                    () -> {
                      throw new AssertionError("dead");
                    }))
        .isInstanceOf(AssertionError.class);
  }
}
