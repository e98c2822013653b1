// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.bench.PaperCase.Buffer;
import io.radosfs.bench.PaperCase.Committer;
import io.radosfs.bench.report.Point;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class PaperCaseTest {

  private static List<Point> points(int copies, Buffer buffer, int mib) {
    return PaperCase.of(copies, buffer, mib).stream().map(one -> one.point("MiB/s")).toList();
  }

  private static Set<String> plots(List<Point> points) {
    return points.stream().map(Point::plot).collect(Collectors.toSet());
  }

  @Test
  void eachFormatHasAPlotWithALineForEachCommitter() {
    List<Point> points = points(1, Buffer.DEFAULT, 16);

    assertThat(points).hasSize(24).doesNotHaveDuplicates();
    assertThat(plots(points))
        .hasSize(6)
        .contains("paper: RDD text, pool size 1, default buffer, MiB/s");
    assertThat(points)
        .filteredOn(point -> point.plot().contains("Parquet"))
        .extracting(Point::series)
        .containsExactly(
            "FileOutputCommitter v1", "FileOutputCommitter v2", "manifest committer", "radosfs");
  }

  @Test
  void sizesShareAPlotAndPoolsAndBuffersDoNot() {
    Set<String> plots = plots(points(1, Buffer.DEFAULT, 16));

    assertThat(plots(points(1, Buffer.DEFAULT, 64))).isEqualTo(plots);
    assertThat(plots(points(3, Buffer.DEFAULT, 16))).doesNotContainAnyElementsOf(plots);
    assertThat(plots(points(1, Buffer.SMALL, 16))).doesNotContainAnyElementsOf(plots);
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
    List<String> names = PaperCase.of(3, Buffer.LARGE, 1024).stream().map(PaperCase::name).toList();

    assertThat(names)
        .doesNotHaveDuplicates()
        .contains("JSON, 1,024 MiB, radosfs, buffer of 4 MiB, pool size 3");
  }

  @Test
  void aLineWithItsEndHas128Bytes() {
    assertThat(PaperData.line(7L).getBytes(StandardCharsets.UTF_8)).hasSize(127);
    assertThat(PaperData.line(7L)).isNotEqualTo(PaperData.line(8L));
  }

  @Test
  void anotherGoesFirstInEachRound() {
    assertThat(PaperBench.turns(List.of("a", "b", "c"), 0)).containsExactly("a", "b", "c");
    assertThat(PaperBench.turns(List.of("a", "b", "c"), 4)).containsExactly("b", "c", "a");
  }
}
