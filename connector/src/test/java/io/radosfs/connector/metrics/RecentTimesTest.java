// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.store.LatencyHistogram;
import io.radosfs.connector.store.RecordedTimes;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentTimesTest {

  private final LatencyHistogram histogram = new LatencyHistogram();
  private final AtomicLong now = new AtomicLong();
  private final RecentTimes recent = new RecentTimes(histogram, now::get);

  private void record(int times, Duration took) {
    RecordedTimes.record(histogram, times, took);
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void nothingTookNoTime() {
    assertThat(recent.quantile(0.5)).isZero();
    assertThat(recent.quantile(1)).isZero();
  }

  @Test
  void quantiles() {
    record(98, Duration.ofNanos(4_000));
    record(1, Duration.ofMillis(1));
    record(1, Duration.ofMillis(20));
    assertThat(recent.quantile(0.5)).isEqualTo(4);
    assertThat(recent.quantile(0.99)).isBetween(1_000L, 1_125L);
    assertThat(recent.quantile(1)).isBetween(20_000L, 22_500L);
  }

  @Test
  void whatIsOlderThanAMinuteIsForgottenWhereSomebodyReads() {
    record(1, Duration.ofSeconds(1));
    for (int i = 0; i < 7; i++) {
      assertThat(recent.quantile(1)).as("after %s steps", i).isGreaterThan(900_000);
      pass(Duration.ofSeconds(10));
    }
    pass(Duration.ofSeconds(5));
    record(1, Duration.ofNanos(5_000));
    assertThat(recent.quantile(1)).isEqualTo(5);
  }

  @Test
  void whatNobodyHasReadIsThereWhenSomebodyDoes() {
    record(1, Duration.ofSeconds(1));
    pass(Duration.ofHours(1));
    assertThat(recent.quantile(1)).isGreaterThan(900_000);
    pass(Duration.ofMinutes(1));
    assertThat(recent.quantile(1)).isZero();
  }
}
