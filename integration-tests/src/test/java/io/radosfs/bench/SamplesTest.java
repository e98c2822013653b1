// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class SamplesTest {

  private static Samples of(double... values) {
    Samples samples = new Samples();
    for (double value : values) {
      samples.add(value);
    }
    return samples;
  }

  @Test
  void aRatioIsOfValuesOfTheSameRound() {
    assertThat(of(10, 40).over(of(5, 80)).values()).containsExactly(2.0, 0.5);
  }

  @Test
  void roundsThatWereNotMeasuredOnBothSidesHaveNoRatio() {
    assertThatThrownBy(() -> of(10, 40).over(of(5))).hasMessageContaining("2 rounds");
  }
}
