// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BatchLimitTest {

  private static final BatchLimit LIMIT = new BatchLimit(3, 10);

  private static List<List<Integer>> cut(Integer... sizes) {
    return LIMIT.cut(List.of(sizes), Integer::longValue);
  }

  @Test
  void whatFitsIsOneBatch() {
    assertThat(cut()).isEmpty();
    assertThat(cut(10)).containsExactly(List.of(10));
    assertThat(cut(3, 3, 4)).containsExactly(List.of(3, 3, 4));
  }

  @Test
  void eitherBoundEndsABatch() {
    assertThat(cut(1, 1, 1, 1)).containsExactly(List.of(1, 1, 1), List.of(1));
    assertThat(cut(5, 6, 4, 1)).containsExactly(List.of(5), List.of(6, 4), List.of(1));
  }

  @Test
  void oneThatIsBeyondItGoesAlone() {
    assertThat(cut(1, 11, 1)).containsExactly(List.of(1), List.of(11), List.of(1));
    assertThat(LIMIT.allows(1, 11)).isTrue();
    assertThat(LIMIT.allows(2, 11)).isFalse();
  }
}
