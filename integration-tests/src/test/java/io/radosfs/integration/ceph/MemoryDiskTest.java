// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.ceph;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryDiskTest {

  @ParameterizedTest
  @CsvSource({
    "6.18.44-fc, 20, true",
    "6.6.0, 8, true",
    "7.0, 8, true",
    "6.5.13, 20, false",
    "5.15.0-91-generic, 64, false",
    "6.18.44, 7, false",
    "unknown, 64, false"
  })
  void isUsedWhereTheKernelAllowsItAndMemoryIsLeft(String kernel, int gib, boolean used) {
    String meminfo =
        "MemTotal:       67108864 kB\nMemAvailable:   "
            + ((long) gib << 20)
            + " kB\nBuffers: 1 kB\n";
    assertThat(MemoryDisk.options(kernel, meminfo).isPresent()).isEqualTo(used);
  }
}
