// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ShuffleListenerTest {

  private final ShuffleListener listener = new ShuffleListener();

  @Test
  void aTaskCountsForTheQueryThatRanWhenItWasLaunched() {
    listener.add(900, new ShuffleBytes(1, 1, 1, 1));
    listener.begin("9", 1_000);
    listener.begin("13", 2_000);
    // They are told late, and in any order.
    listener.add(2_000, new ShuffleBytes(20, 0, 0, 0));
    listener.add(1_000, new ShuffleBytes(1, 2, 3, 4));
    listener.add(1_999, new ShuffleBytes(10, 20, 30, 40));
    listener.add(900, new ShuffleBytes(1, 1, 1, 1));

    assertThat(listener.of("9")).isEqualTo(new ShuffleBytes(11, 22, 33, 44));
    assertThat(listener.of("13")).isEqualTo(new ShuffleBytes(20, 0, 0, 0));
  }

  @Test
  void aQueryWithoutTasksShufflesNothing() {
    listener.begin("9", 1_000);

    assertThat(listener.of("9")).isEqualTo(ShuffleBytes.NONE);
  }
}
