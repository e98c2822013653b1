// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ProcessMemoryTest {

  private static final String MEMINFO =
      """
      MemTotal:       24586536 kB
      SwapCached:           12 kB
      Cached:          1048576 kB
      HugePages_Total:       0
      """;

  private final ProcessMemory memory = new ProcessMemory(() -> 17);

  @Test
  void aFieldIsInBytes() {
    assertThat(ProcessMemory.field(MEMINFO, "Cached")).isEqualTo(1L << 30);
    assertThat(ProcessMemory.field("Name:\tjava\nVmRSS:\t  3 kB\n", "VmRSS")).isEqualTo(3072);
  }

  @Test
  void aFieldThatIsMissingIsNamed() {
    assertThatThrownBy(() -> ProcessMemory.field(MEMINFO, "VmRSS"))
        .hasMessageContaining("no line of VmRSS in kB: MemTotal");
    assertThatThrownBy(() -> ProcessMemory.field(MEMINFO, "HugePages_Total"))
        .hasMessageContaining("no line of HugePages_Total");
  }

  @Test
  void thisProcessHasMemoryOfEachKind() {
    Map<MemoryKind, Long> bytes = memory.get();

    assertThat(bytes).containsOnlyKeys(MemoryKind.values());
    assertThat(bytes.get(MemoryKind.HEAP)).isPositive();
    assertThat(bytes.get(MemoryKind.RESIDENT)).isGreaterThan(10 << 20);
    assertThat(bytes.get(MemoryKind.PAGE_CACHE)).isPositive();
    assertThat(bytes.get(MemoryKind.SPARK_OFF_HEAP)).isEqualTo(17);
    assertThat(bytes.get(MemoryKind.STREAM_BUFFERS)).isNotNegative();
  }

  @Test
  void directBuffersAreCounted() {
    int size = 8 << 20;
    ByteBuffer buffer = ByteBuffer.allocateDirect(size);

    assertThat(memory.get().get(MemoryKind.DIRECT_BUFFERS)).isGreaterThanOrEqualTo(size);
    assertThat(buffer.capacity()).isEqualTo(size);
  }
}
