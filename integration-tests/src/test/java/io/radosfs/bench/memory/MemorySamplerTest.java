// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class MemorySamplerTest {

  private final AtomicLong asked = new AtomicLong();

  private final Supplier<Map<MemoryKind, Long>> memory =
      () -> Map.of(MemoryKind.HEAP, asked.incrementAndGet());

  @Test
  void thereIsASampleOfTheBeginningAndOneOfTheEnd() {
    MemorySampler sampler = MemorySampler.start(memory, Duration.ofHours(1));
    sampler.close();

    assertThat(sampler.samples()).hasSize(2);
    assertThat(sampler.samples().get(0).bytes()).isEqualTo(Map.of(MemoryKind.HEAP, 1L));
    assertThat(sampler.samples().get(1).bytes()).isEqualTo(Map.of(MemoryKind.HEAP, 2L));
  }

  @Test
  void samplesFollowEachOtherInTime() throws InterruptedException {
    CountDownLatch several = new CountDownLatch(5);
    MemorySampler sampler =
        MemorySampler.start(
            () -> {
              several.countDown();
              return memory.get();
            },
            Duration.ofMillis(1));
    several.await();
    sampler.close();

    assertThat(sampler.samples()).hasSizeGreaterThanOrEqualTo(6);
    assertThat(sampler.samples())
        .isSortedAccordingTo((a, b) -> Double.compare(a.seconds(), b.seconds()));
  }

  @Test
  void nothingIsSampledAfterTheEnd() {
    MemorySampler sampler = MemorySampler.start(memory, Duration.ofNanos(1));
    sampler.close();
    long then = asked.get();

    sampler.close();

    assertThat(asked).hasValue(then);
    assertThat(sampler.samples()).hasSize((int) then);
  }

  @Test
  void whatTheThreadFailedWithIsThrownAtTheEnd() {
    MemorySampler sampler =
        MemorySampler.start(
            () -> {
              throw new IllegalArgumentException("no line of VmRSS");
            },
            Duration.ofHours(1));

    assertThatThrownBy(sampler::close)
        .hasMessageContaining("could not be sampled")
        .hasMessageContaining("no line of VmRSS");
  }

  @Test
  void samplesAreNotToBeHadMeanwhile() {
    CountDownLatch hold = new CountDownLatch(1);
    MemorySampler sampler =
        MemorySampler.start(
            () -> {
              try {
                hold.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              return memory.get();
            },
            Duration.ofHours(1));

    assertThatThrownBy(sampler::samples).hasMessageContaining("still being taken");

    hold.countDown();
    sampler.close();
    assertThat(sampler.samples()).isNotEmpty();
  }
}
