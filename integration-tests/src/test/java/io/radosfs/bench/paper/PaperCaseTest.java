// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.bench.paper.PaperCase.Buffer;
import io.radosfs.bench.paper.PaperCase.Committer;
import io.radosfs.bench.paper.PaperCase.Format;
import io.radosfs.bench.report.Point;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class PaperCaseTest {

  private static List<Point> points(int copies, Buffer buffer, Format format, int mib) {
    return PaperCase.of(copies, buffer, format, mib).stream().map(PaperCase::speed).toList();
  }

  private static Set<String> plots(List<Point> points) {
    return points.stream().map(Point::plot).collect(Collectors.toSet());
  }

  @Test
  void aPlotIsTitledByWhatItShowsAndHasALineForEachCommitter() {
    List<Point> points = points(1, Buffer.DEFAULT, Format.PARQUET, 16);
    PaperCase first = PaperCase.of(1, Buffer.DEFAULT, Format.PARQUET, 16).get(0);

    assertThat(plots(points))
        .containsExactly(
            "paper: MiB of text a second of one task that writes Parquet, default buffer,"
                + " pool size 1");
    assertThat(first.share().plot())
        .isEqualTo(
            "paper: share of rados bench of one task that writes Parquet, default buffer,"
                + " pool size 1");
    assertThat(points)
        .extracting(Point::series)
        .containsExactly(
            "FileOutputCommitter v1", "FileOutputCommitter v2", "manifest committer", "radosfs");
  }

  @Test
  void sizesShareAPlotAndFormatsPoolsAndBuffersDoNot() {
    Set<String> plots = plots(points(1, Buffer.DEFAULT, Format.ORC, 16));

    assertThat(plots(points(1, Buffer.DEFAULT, Format.ORC, 64))).isEqualTo(plots);
    assertThat(plots(points(3, Buffer.DEFAULT, Format.ORC, 16))).doesNotContainAnyElementsOf(plots);
    assertThat(plots(points(1, Buffer.SMALL, Format.ORC, 16))).doesNotContainAnyElementsOf(plots);
    assertThat(plots(points(1, Buffer.DEFAULT, Format.TEXT, 16)))
        .doesNotContainAnyElementsOf(plots);
  }

  /** Else a job would be committed by what the one before it has set. */
  @Test
  void eachCommitterSetsTheSameKeysToSomethingOfItsOwn() {
    Set<String> keys = Committer.V1.settings().keySet();

    assertThat(Committer.values())
        .allSatisfy(committer -> assertThat(committer.settings().keySet()).isEqualTo(keys));
    assertThat(List.of(Committer.values()).stream().map(Committer::settings).distinct())
        .hasSize(Committer.values().length);
  }

  @Test
  void namesAreOfOneCaseEach() {
    List<PaperCase> cases = PaperCase.of(3, Buffer.LARGE, Format.JSON, 1024);
    List<String> names = cases.stream().map(PaperCase::name).toList();

    assertThat(names)
        .doesNotHaveDuplicates()
        .contains("JSON, 1,024 MiB, radosfs, buffer of 4 MiB, pool size 3");
    assertThat(cases)
        .extracting(PaperCase::nameOfAll)
        .containsOnly("JSON, 1,024 MiB, buffer of 4 MiB, pool size 3");
  }

  @Test
  void aLineWithItsEndHas128Bytes() {
    assertThat(PaperData.line(7L).getBytes(StandardCharsets.UTF_8)).hasSize(127);
    assertThat(PaperData.line(7L)).isNotEqualTo(PaperData.line(8L));
  }
}
