// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Goal;
import io.radosfs.bench.works.WorkSide;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SideTimesTest {

  private static List<Figure> told(SideTimes times) {
    Figures figures = new Figures("part");
    times.tell(figures, "work", 1.1);
    return figures.list();
  }

  @Test
  void theRatioIsOfTheSameRoundWhicheverSideWasFirst() {
    SideTimes times = new SideTimes(false);
    times.add(WorkSide.DISK, 2);
    times.add(WorkSide.RADOS, 3);
    times.add(WorkSide.RADOS, 8);
    times.add(WorkSide.DISK, 4);

    List<Figure> figures = told(times);

    assertThat(figures)
        .extracting(Figure::name)
        .containsExactly("work, local disk", "work, rados://", "work, to local disk");
    assertThat(figures.get(2).repeats()).containsExactly(1.5, 2.0);
    assertThat(figures.get(2).isRatio()).isTrue();
    assertThat(figures.get(2).goal()).contains(Goal.atMost(1.1));
  }

  @Test
  void aWarmUpAndARoundOfOneSideDoNotCount() {
    SideTimes times = new SideTimes(true);
    times.add(WorkSide.DISK, 9);
    times.add(WorkSide.RADOS, 90);
    assertThat(times.isEmpty()).isTrue();
    times.add(WorkSide.RADOS, 3);
    assertThat(times.isEmpty()).isTrue();
    times.add(WorkSide.DISK, 2);
    times.add(WorkSide.DISK, 7);

    assertThat(told(times).get(2).repeats()).containsExactly(1.5);
  }

  @Test
  void aSideIsMeasuredOnceARound() {
    SideTimes times = new SideTimes(false);
    times.add(WorkSide.DISK, 2);

    assertThatThrownBy(() -> times.add(WorkSide.DISK, 2)).hasMessageContaining("local disk");
    assertThatThrownBy(() -> times.add("S3A", 2)).hasMessageContaining("S3A");
  }

  @Test
  void secondsOfWhatHasNoRatioHaveAGoalOnRadosAlone() {
    SideTimes times = new SideTimes(false);
    times.add(WorkSide.DISK, 2);
    times.add(WorkSide.RADOS, 3);
    Figures figures = new Figures("part");
    times.tellSeconds(figures, "commitJob", 1);

    assertThat(figures.list()).hasSize(2);
    assertThat(figures.list().get(0).goal()).isEmpty();
    assertThat(figures.list().get(1).goal()).contains(Goal.atMost(1));
    assertThat(figures.list().get(1).unit()).isEqualTo("s");
  }
}
