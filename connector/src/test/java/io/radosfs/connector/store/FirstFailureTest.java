package io.radosfs.connector.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
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

  @Test
  void oneFailureOfSeveralIsNotSuppressedByItself() {
    IllegalStateException same = new IllegalStateException("same");
    failure.add(same);
    failure.add(same);
    assertThat(catchThrowable(failure::rethrow)).isSameAs(same);
    assertThat(same.getSuppressed()).isEmpty();
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
