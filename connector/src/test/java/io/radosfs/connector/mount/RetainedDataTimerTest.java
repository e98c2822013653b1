// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RetainedDataTimerTest {

  private static final long BOUND_SECONDS = 20;

  private final LinkedBlockingQueue<Long> collected = new LinkedBlockingQueue<>();

  private Long next() throws InterruptedException {
    return collected.poll(BOUND_SECONDS, TimeUnit.SECONDS);
  }

  /** The clock jumps to the time that is waited for, so that nothing waits. */
  @Test
  void collectsWhatIsThereAndThenWhatIsDue() throws InterruptedException {
    AtomicLong clock = new AtomicLong(1_000);
    try (RetainedDataTimer timer = new RetainedDataTimer(clock::get, "test")) {
      timer.at(
          5_000,
          now -> {
            collected.add(now);
            clock.compareAndSet(1_000, 5_000);
          });
      assertThat(next()).as("what others left, at once").isEqualTo(1_000);
      assertThat(next()).as("its own, when it is due").isEqualTo(5_000);
      clock.set(9_000);
      timer.at(9_000, collected::add);
      assertThat(next()).isEqualTo(9_000);
    }
    assertThat(collected).isEmpty();
  }

  @Test
  void oneRunServesAllThatIsDueByThen() throws InterruptedException {
    AtomicLong clock = new AtomicLong(1_000);
    try (RetainedDataTimer timer = new RetainedDataTimer(clock::get, "test")) {
      timer.at(
          2_000,
          now -> {
            timer.at(3_000, collected::add);
            timer.at(4_000, collected::add);
            collected.add(now);
            clock.addAndGet(3_000);
          });
      assertThat(next()).isEqualTo(1_000);
      assertThat(next()).isEqualTo(4_000);
    }
  }

  /** Another client has a longer retention, or a clock that is years ahead. */
  @Test
  void whatIsDueMuchLaterDoesNotHoldUpTheRest() throws InterruptedException {
    AtomicLong clock = new AtomicLong(1_000);
    try (RetainedDataTimer timer = new RetainedDataTimer(clock::get, "test")) {
      timer.at(1_000_000_000, collected::add);
      assertThat(next()).isEqualTo(1_000);
      clock.set(2_000);
      timer.at(2_000, collected::add);
      assertThat(next()).isEqualTo(2_000);
      List<Long> pending = timer.pending();
      assertThat(pending.get(pending.size() - 1)).isBetween(1_000_000_000L, 1_062_500_000L);
    }
  }

  /** As of a process that replaces a file each millisecond. */
  @Test
  void fewTimesAreRemembered() {
    AtomicLong clock = new AtomicLong(1_000_000);
    try (RetainedDataTimer timer = new RetainedDataTimer(clock::get, "test")) {
      for (int i = 0; i < 300_000; i++) {
        timer.at(clock.incrementAndGet() + 300_000, now -> {});
      }
      assertThat(timer.pending()).hasSizeLessThan(50);
    }
  }

  @Test
  void nothingRunsOnceItIsClosed() {
    RetainedDataTimer timer = new RetainedDataTimer(() -> 1_000, "test");
    timer.close();
    timer.at(0, collected::add);
    assertThat(collected).isEmpty();
  }

  @Test
  void aThreadIsThereOnlyWhileSomethingIsWaitedFor() {
    try (RetainedDataTimer timer = new RetainedDataTimer(() -> 1_000, "radosfs idle timer")) {
      assertThat(timer).isNotNull();
      assertThat(Thread.getAllStackTraces().keySet())
          .noneMatch(thread -> thread.getName().equals("radosfs idle timer"));
    }
  }
}
