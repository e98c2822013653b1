// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyHistogramTest {

  private final LatencyHistogram histogram = new LatencyHistogram();

  /** The longest time of the one range that has something. */
  private long range() {
    long[] counts = histogram.counts();
    int found = -1;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        assertThat(found).isNegative();
        found = i;
      }
    }
    return LatencyHistogram.longest(found);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 7, 8, 9, 15, 16, 17, 100, 1023, 1024, 5_000_000, 2_000_000_000})
  void aTimeIsInARangeOfItsSize(long micros) {
    histogram.record(Duration.ofNanos(micros * 1000 + 999).toNanos());
    assertThat(range()).isBetween(micros, micros + micros / 8);
  }

  @Test
  void rangesFollowEachOther() {
    for (int i = 1; i < histogram.counts().length; i++) {
      assertThat(LatencyHistogram.longest(i)).isGreaterThan(LatencyHistogram.longest(i - 1));
    }
  }

  @Test
  void whatTookHoursIsInTheLast() {
    histogram.record(Duration.ofHours(7).toNanos());
    histogram.record(-1);
    long[] counts = histogram.counts();
    assertThat(counts[counts.length - 1]).isEqualTo(1);
    assertThat(counts[0]).as("a clock that went back").isEqualTo(1);
  }

  @Test
  void countAndSum() {
    histogram.record(1_500);
    histogram.record(1_500);
    histogram.record(2_000);
    assertThat(histogram.count()).isEqualTo(3);
    assertThat(Arrays.stream(histogram.counts()).sum()).isEqualTo(3);
    assertThat(histogram.totalMicros()).isEqualTo(5);
  }
}
