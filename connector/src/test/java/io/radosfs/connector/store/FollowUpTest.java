// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waits of threads that are interrupted. */
class FollowUpTest {

  private static final Duration BOUND = Duration.ofMinutes(1);

  private final List<Duration> waits = new ArrayList<>();

  @AfterEach
  void clear() {
    boolean unused = Thread.interrupted();
  }

  @Test
  void aWaitThatIsNotInterruptedLeavesTheThreadSo() {
    Duration given = FollowUp.evenIfInterrupted(BOUND, left -> left);
    assertThat(given.compareTo(BOUND)).isLessThanOrEqualTo(0);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  /** Else who interrupts it again and again would have it wait for ever. */
  @Test
  void anInterruptedWaitGoesOnForTheRestOfItsBound() {
    Thread.currentThread().interrupt();
    String result =
        FollowUp.evenIfInterrupted(
            BOUND,
            left -> {
              assertThat(Thread.currentThread().isInterrupted()).isFalse();
              waits.add(left);
              Thread.sleep(1);
              if (waits.size() < 4) {
                throw new InterruptedException();
              }
              return "done";
            });
    assertThat(result).isEqualTo("done");
    assertThat(waits).hasSize(4).isSortedAccordingTo(Comparator.reverseOrder());
    assertThat(waits).doesNotHaveDuplicates().allMatch(left -> left.compareTo(BOUND) <= 0);
    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  @Test
  void afterTheBoundItLooksOnceMore() {
    boolean found =
        FollowUp.evenIfInterrupted(
            Duration.ofMillis(5),
            left -> {
              if (!left.isZero()) {
                throw new InterruptedException();
              }
              return true;
            });
    assertThat(found).isTrue();
  }
}
