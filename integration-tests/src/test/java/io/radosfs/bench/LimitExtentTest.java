// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class LimitExtentTest {

  private static final long MIB = 1 << 20;

  private final LimitBench.Extent extent =
      new LimitBench.Extent(List.of(1, 16), List.of(1, 8), List.of(1, 10), List.of(1, 4), 64, 32);

  @Test
  void smallObjectsAreNoMoreThanTheirGreatestNumber() {
    assertThat(extent.bytes(1, 8)).isEqualTo(32 * MIB);
  }

  @Test
  void largeObjectsAreNoMoreThanTheBytes() {
    assertThat(extent.bytes(16, 1)).isEqualTo(64 * MIB);
  }

  @Test
  void thereIsAnObjectForEachOperationUnderWay() {
    assertThat(extent.bytes(16, 8)).isEqualTo(8 * 16 * MIB);
  }

  @Test
  void aRoundIsTheSumOfWhatIsMeasured() {
    assertThat(extent.benchMibOfARound()).isEqualTo(32 + 32 + 64 + 128);
    assertThat(extent.streamMibOfARound()).isEqualTo(11 + 4 * 11);
  }
}
