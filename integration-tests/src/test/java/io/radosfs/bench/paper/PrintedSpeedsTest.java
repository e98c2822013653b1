// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.bench.paper.PaperCase.Buffer;
import io.radosfs.bench.paper.PaperCase.Format;
import io.radosfs.bench.report.Point;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PrintedSpeedsTest {

  private static final List<Integer> SIZES = List.of(16, 64);

  private final PrintedSpeeds printed;

  PrintedSpeedsTest() throws IOException {
    printed = PrintedSpeeds.read();
  }

  private List<PrintedSpeed> of(Format format) {
    return printed.of(1, Buffer.DEFAULT, format, SIZES);
  }

  @Test
  void eachIsInThePlotOfWhatIsMeasuredUnderTheSameSettings() {
    Point point = of(Format.JSON).get(0).point();

    assertThat(point.plot()).isEqualTo(PaperCase.speedPlot(1, Buffer.DEFAULT, Format.JSON));
    assertThat(point.x()).isEqualTo(64);
    assertThat(of(Format.JSON).get(0).mibASecond()).isEqualTo(64 / 13.7);
  }

  @Test
  void eachSaysThatItIsPrintedAndHasALineOfItsOwn() {
    assertThat(printed.source()).contains("table of peers");
    assertThat(printed.all())
        .hasSize(8)
        .allSatisfy(one -> assertThat(one.name()).endsWith("printed, not measured here"))
        .allSatisfy(
            one -> assertThat(one.point().series()).contains(one.who(), "not measured here"));
    assertThat(of(Format.TEXT))
        .extracting(one -> one.point().series())
        .hasSize(2)
        .doesNotHaveDuplicates();
  }

  @Test
  void nothingIsPrintedOfOtherSettings() {
    assertThat(of(Format.RDD_TEXT)).isEmpty();
    assertThat(printed.of(3, Buffer.DEFAULT, Format.JSON, SIZES)).isEmpty();
    assertThat(printed.of(1, Buffer.LARGE, Format.JSON, SIZES)).isEmpty();
    assertThat(printed.of(1, Buffer.DEFAULT, Format.JSON, List.of(1, 16))).isEmpty();
  }
}
