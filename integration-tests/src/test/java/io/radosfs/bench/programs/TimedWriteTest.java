// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.bench.works.WorkSide;
import org.junit.jupiter.api.Test;

final class TimedWriteTest {

  @Test
  void whatIsPrintedIsRead() {
    TimedWrite write = new TimedWrite(WorkSide.DISK, 2_500_000_000L);

    assertThat(TimedWrite.of(write.line())).contains(write);
    assertThat(write.seconds()).isEqualTo(2.5);
  }

  @Test
  void otherLinesAreOfSomebodyElse() {
    assertThat(TimedWrite.of("")).isEmpty();
    assertThat(TimedWrite.of("WARN took 3 ns: rados://")).isEmpty();
  }
}
