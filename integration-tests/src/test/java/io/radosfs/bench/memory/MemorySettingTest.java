// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MemorySettingTest {

  @Test
  void aLargeHeapASmallOneAndTwoSizesOfOffHeapAreCompared() {
    assertThat(MemorySetting.all().stream().map(MemorySetting::title))
        .containsExactly(
            "heap 4 GiB",
            "heap 1 GiB",
            "heap 1 GiB, off-heap 512 MiB",
            "heap 1 GiB, off-heap 2 GiB");
    assertThat(MemorySetting.heaps()).isEqualTo(MemorySetting.all().subList(0, 2));
  }

  @Test
  void sparkIsToldOfOffHeapMemoryWhereThereIsSome() {
    assertThat(new MemorySetting(1024, 0).options()).containsExactly("-Xmx1024m");
    assertThat(new MemorySetting(1024, 512).options())
        .containsExactly(
            "-Xmx1024m", "-Dspark.memory.offHeap.enabled=true", "-Dspark.memory.offHeap.size=512m");
  }
}
