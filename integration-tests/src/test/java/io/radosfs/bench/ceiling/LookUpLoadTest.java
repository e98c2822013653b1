// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.ceiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.bench.ceiling.LookUpLoad.LookUp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class LookUpLoadTest {

  private final List<Integer> looked = Collections.synchronizedList(new ArrayList<>());

  @Test
  void eachThreadLooksAtAllFilesInAMixedOrder() throws Exception {
    List<Integer> others = Collections.synchronizedList(new ArrayList<>());

    assertThat(new LookUpLoad(500, 1_000).run(List.of(looked::add, others::add))).isPositive();

    assertThat(looked).hasSize(1_000);
    assertThat(looked.subList(0, 500)).doesNotHaveDuplicates().isNotEqualTo(sorted(looked));
    assertThat(others.subList(0, 500)).doesNotHaveDuplicates();
    assertThat(others.get(0)).as("it begins elsewhere").isNotEqualTo(looked.get(0));
  }

  private static List<Integer> sorted(List<Integer> all) {
    return all.subList(0, 500).stream().sorted().toList();
  }

  /** The others may use what the caller closes then. */
  @Test
  void aFailureIsThrownWhenAllHaveEnded() {
    CountDownLatch failing = new CountDownLatch(1);
    LookUp fails =
        file -> {
          failing.countDown();
          throw new IOException("it is gone");
        };
    LookUp others =
        file -> {
          awaitOf(failing);
          looked.add(file);
        };

    assertThatThrownBy(() -> new LookUpLoad(10, 200).run(List.of(fails, others)))
        .isInstanceOf(IOException.class)
        .hasMessage("a look-up failed: it is gone");
    assertThat(looked).hasSize(200);
  }

  private static void awaitOf(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
