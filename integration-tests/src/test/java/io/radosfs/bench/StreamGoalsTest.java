// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class StreamGoalsTest {

  @Test
  void aPoolOfThreeCopiesLeavesLessToTheClient() {
    assertThat(StreamBench.Goals.of(3)).isEqualTo(new StreamBench.Goals(0.95, 1.0));
  }

  @Test
  void fewerCopiesShowWhatTheClientDoes() {
    assertThat(StreamBench.Goals.of(1)).isEqualTo(new StreamBench.Goals(0.92, 0.95));
    assertThat(StreamBench.Goals.of(2)).isEqualTo(StreamBench.Goals.of(1));
  }
}
