// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.bench.paper.PrintedSpeeds;
import io.radosfs.bench.report.Findings;
import io.radosfs.bench.works.Turns;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PaperBenchTest {

  @Test
  void anotherGoesFirstInEachRound() {
    assertThat(Turns.of(List.of("a", "b", "c"), 0)).containsExactly("a", "b", "c");
    assertThat(Turns.of(List.of("a", "b", "c"), 4)).containsExactly("b", "c", "a");
    assertThat(Turns.of(List.of(), 4)).isEmpty();
  }

  @Test
  void largeSizesHaveFewRoundsAndTheSmallestAloneAWarmUp() {
    PaperBench.Extent extent = PaperBench.Extent.whole();

    assertThat(extent.mib().stream().map(mib -> PaperBench.Extent.rounds(mib, 9)))
        .containsExactly(5, 5, 5, 3, 2, 1);
    assertThat(extent.mib().stream().map(mib -> PaperBench.Extent.rounds(mib, 2)))
        .containsExactly(2, 2, 2, 2, 2, 1);
    assertThat(extent.mib().stream().filter(extent::warmsUp)).containsExactly(1);
    assertThat(new PaperBench.Extent(List.of(1, 4)).units(2)).isEqualTo(3 * 21 + 2 * 24);
  }

  @Test
  void whatIsNotKnownOfThePapersFiguresIsTold() throws IOException {
    PrintedSpeeds printed = PrintedSpeeds.read();

    Findings table = PaperBench.figuresOfThePaper(printed);

    assertThat(table.title()).isEqualTo("the paper's figures 5 to 14");
    assertThat(table.rows().get(0).get(1)).startsWith("not known");
    assertThat(table.rows().get(1).get(1)).startsWith("not known");
    assertThat(table.rows().get(2).get(1)).startsWith("8 points").endsWith(printed.source());
  }
}
