package io.radosfs.connector.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.store.simulation.VirtualPauses;
import java.io.FileNotFoundException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The loop ends, in one of four ways. */
class RetriesTest {

  private final AtomicInteger counted = new AtomicInteger();
  private final List<Duration> paused = new ArrayList<>();
  private final Retries retries =
      new Retries(
          new Pauses() {
            private final Pauses virtual = new VirtualPauses();

            @Override
            public long nanoTime() {
              return virtual.nanoTime();
            }

            @Override
            public void pause(Duration longest) throws InterruptedIOException {
              paused.add(longest);
              virtual.pause(longest);
            }
          },
          counted::incrementAndGet);

  @Test
  void whatSucceedsAtOnceCostsNothing() throws Exception {
    assertThat(retries.run("a change", () -> Optional.of("done"))).isEqualTo("done");
    assertThat(counted).hasValue(0);
    assertThat(paused).isEmpty();
  }

  @Test
  void theSecondAttemptComesAtOnceAndLaterOnesAfterGrowingPauses() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    retries.until("a change", () -> attempts.incrementAndGet() == 9);
    assertThat(counted).hasValue(8);
    assertThat(paused.stream().map(Duration::toMillis))
        .containsExactly(2L, 4L, 8L, 16L, 32L, 50L, 50L);
  }

  @Test
  void itIsGivenUpAfterABound() {
    AtomicInteger attempts = new AtomicInteger();
    assertThatThrownBy(
            () ->
                retries.until(
                    "rename of /a to /b",
                    () -> {
                      attempts.incrementAndGet();
                      return false;
                    }))
        .isInstanceOf(ContentionException.class)
        .hasMessageMatching(
            "rename of /a to /b was given up after 200 attempts in \\d{4} ms, as others keep"
                + " changing what it rests on; try again");
    assertThat(attempts).hasValue(Retries.MOST);
    assertThat(counted).hasValue(Retries.MOST - 1);
  }

  @Test
  void aFailureIsNotTriedAgain() {
    assertThatThrownBy(
            () ->
                retries.until(
                    "a change",
                    () -> {
                      throw new FileNotFoundException("no /a");
                    }))
        .isInstanceOf(FileNotFoundException.class);
    assertThat(counted).hasValue(0);
  }

  @Test
  void anInterruptEndsItAndStays() {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> retries.until("a change", () -> false))
          .isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      boolean unused = Thread.interrupted();
    }
  }

  @Test
  void theMachinesClockWaitsAndAnswersInterrupts() throws Exception {
    Pauses real = Pauses.real();
    long before = real.nanoTime();
    real.pause(Duration.ofMillis(4));
    assertThat(real.nanoTime() - before).isGreaterThanOrEqualTo(Duration.ofMillis(2).toNanos());
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> real.pause(Duration.ofMinutes(5)))
          .isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      boolean unused = Thread.interrupted();
    }
  }
}
