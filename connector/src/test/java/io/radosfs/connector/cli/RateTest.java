// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RateTest {

  private static long seconds(long number) {
    return TimeUnit.SECONDS.toNanos(number);
  }

  @Test
  void isTheGrowthSinceTheLastLook() {
    Rate rate = new Rate(0);
    assertThat(rate.look(seconds(1), 100, 5)).isEmpty();
    assertThat(rate.look(seconds(3), 300, 5).orElseThrow()).containsExactly(100, 0);
    assertThat(rate.look(seconds(4), 300, 6).orElseThrow()).containsExactly(0, 1);
    assertThat(rate.look(seconds(4), 900, 9)).as("at the same time").isEmpty();
  }

  @Test
  void isAveragedOverTheWindow() {
    Rate rate = new Rate(seconds(10));
    assertThat(rate.look(seconds(0), 0)).isEmpty();
    assertThat(rate.look(seconds(5), 500).orElseThrow()).containsExactly(100);
    assertThat(rate.look(seconds(10), 500).orElseThrow()).containsExactly(50);
    assertThat(rate.look(seconds(15), 500).orElseThrow()).containsExactly(0);
    assertThat(rate.look(seconds(40), 800).orElseThrow()).as("a long pause").containsExactly(12);
  }

  @Test
  void whatShrinksDoesNotGrow() {
    Rate rate = new Rate(0);
    assertThat(rate.look(seconds(1), 100)).isEmpty();
    assertThat(rate.look(seconds(2), 50).orElseThrow()).containsExactly(0);
  }
}
