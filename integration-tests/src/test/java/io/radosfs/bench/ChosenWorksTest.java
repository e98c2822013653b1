// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.bench.SparkBench.Planned;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ChosenWorksTest {

  private final List<Planned> all =
      List.of(planned("512 MiB in 16 files"), planned("64 MiB as JSON"), planned("64 MiB as ORC"));

  private static Planned planned(String name) {
    return new Planned(name, 1, () -> {});
  }

  private List<String> names(String only) {
    return Planned.chosen(all, only).stream().map(Planned::name).toList();
  }

  @Test
  void allIfNothingIsSaid() {
    assertThat(Planned.chosen(all, null)).isEqualTo(all);
  }

  @Test
  void thoseThatHaveTheTextInTheirNames() {
    assertThat(names("json")).containsExactly("64 MiB as JSON");
    assertThat(names("64 MiB")).containsExactly("64 MiB as JSON", "64 MiB as ORC");
  }

  /** Else a run of nothing would look like one that met its goals. */
  @Test
  void aTextThatNoNameHasIsRefusedWithTheNames() {
    assertThatThrownBy(() -> names("avro"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("avro")
        .hasMessageContaining("64 MiB as ORC");
  }
}
