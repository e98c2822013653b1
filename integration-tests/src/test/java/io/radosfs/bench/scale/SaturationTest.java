// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.bench.scale.Saturation.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SaturationTest {

  @ParameterizedTest
  @CsvSource({
    "1000, 2000, 0.2, 0.3, PLACEMENT_GROUP",
    "1000, 2000, 0.9, 0.9, PLACEMENT_GROUP",
    "1000, 1100, 1.1, 0.7, CLIENTS",
    "1000, 1100, 0.7, 1.1, OSDS",
    "1000, 1100, 0.2, 0.3, ANSWERS",
    "1000, 900, 0.2, 0.3, ANSWERS",
  })
  void theFirstLimitIsTold(double one, double many, double clients, double osds, Limit first) {
    assertThat(new Saturation(64, one, many, clients, osds, 2).first()).isEqualTo(first);
  }

  @Test
  void itsTextHasWhatItIsToldFrom() {
    assertThat(new Saturation(64, 1_000, 2_000, 0.2, 0.3, 2).text())
        .contains("64 writers", "1,000", "2,000", "0.20", "0.30", "of 2 cores");
  }
}
