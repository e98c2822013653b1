// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.works;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class WorkSideTest {

  @Test
  void eachWritesWithItsOwnCommitterBelowAFolderOfItsOwn() {
    WorkSide rados = WorkSide.rados(URI.create("rados://pool/bench"), "spark");
    WorkSide disk = WorkSide.disk(Path.of("/disk"), "spark");

    assertThat(rados.root()).hasToString("rados://pool/bench/spark");
    assertThat(rados.protocol()).startsWith("io.radosfs.");
    assertThat(disk.root()).hasToString("file:/disk/spark");
    assertThat(disk.protocol()).startsWith("org.apache.spark.");
    assertThat(rados.title()).isNotEqualTo(disk.title());
  }
}
