// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.bench.queries.QuerySuite;
import io.radosfs.bench.report.TimeTold;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class BenchPartsTest {

  private static BenchParts partsWithOnly(String only) {
    Path none = Path.of("none");
    return new BenchParts(
        URI.create("rados://pool/bench"),
        none,
        none,
        new Extents(false, null, null, null, false, only),
        none,
        QuerySuite.TPCH,
        none,
        new TimeTold(System.out, System::nanoTime));
  }

  /** A text that is of one part's works is of no other's. */
  @Test
  void worksOfOnePartAreChosenWithoutThoseOfAnother() throws Exception {
    try (BenchParts parts = partsWithOnly("ORC")) {
      assertThat(parts.get("spark")).isNotNull();
    }
  }

  @Test
  void readersComeAfterThePeersUnlessWorksAreChosen() throws Exception {
    try (BenchParts all = partsWithOnly(null);
        BenchParts some = partsWithOnly("partitions")) {
      assertThat(all.of("peers")).containsExactly("peers", "readers");
      assertThat(some.of("peers")).containsExactly("peers");
      assertThat(some.of("spark")).containsExactly("spark");
      assertThatThrownBy(() -> all.get("nothing")).hasMessageContaining("there are [stream, ");
    }
  }
}
