// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.store.simulation.VirtualPauses;
import java.io.FileNotFoundException;
import java.io.IOException;
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

  /** An attempt of which nobody knows what became. */
  private static final class Open extends IOException implements OpenAttempt {
    private static final long serialVersionUID = 1L;

    @Override
    public IOException endedBy(IOException later) {
      return new IOException("unknown", later);
    }
  }

  @Test
  void anOpenAttemptIsOneMoreReasonToLook() throws Exception {
    List<Boolean> told = new ArrayList<>();
    String made =
        retries.run(
            "a change",
            mayBeMade -> {
              told.add(mayBeMade);
              if (told.size() == 1) {
                throw new Open();
              }
              return told.size() == 2 ? Optional.empty() : Optional.of("done");
            });
    assertThat(made).isEqualTo("done");
    assertThat(told).containsExactly(false, true, true);
    assertThat(counted).hasValue(2);
  }

  @Test
  void afterAnOpenAttemptNoFailureIsDefinite() {
    AtomicInteger attempts = new AtomicInteger();
    assertThatThrownBy(
            () ->
                retries.until(
                    "a change",
                    () -> {
                      switch (attempts.incrementAndGet()) {
                        case 1 -> throw new Open();
                        case 2 -> {
                          return false;
                        }
                        default -> throw new FileNotFoundException("no /a");
                      }
                    }))
        .hasMessage("unknown")
        .hasCauseInstanceOf(FileNotFoundException.class);
  }

  @Test
  void norIsContentionAfterOne() {
    assertThatThrownBy(
            () ->
                retries.until(
                    "a change",
                    () -> {
                      throw new Open();
                    }))
        .hasMessage("unknown")
        .hasCauseInstanceOf(ContentionException.class);
    assertThat(counted).hasValue(Retries.MOST - 1);
  }

  /** What a loop within has ended with is no open attempt of the one around it. */
  @Test
  void aLoopWithinAnotherEndsIt() {
    AtomicInteger attempts = new AtomicInteger();
    assertThatThrownBy(
            () ->
                retries.until(
                    "a change",
                    () -> {
                      attempts.incrementAndGet();
                      retries.until(
                          "a part of it",
                          () -> {
                            throw new Open();
                          });
                      return true;
                    }))
        .hasMessage("unknown");
    assertThat(attempts).hasValue(1);
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
