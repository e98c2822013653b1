// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.works;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Which works there are; nothing is run, so there is no session. */
final class SparkWorksTest {

  private static final List<String> FORMATS =
      List.of(
          "64 MiB as DataFrame text, one task",
          "64 MiB as JSON, one task",
          "64 MiB as ORC, one task",
          "64 MiB as Parquet, one task");

  private final List<SparkWork> whole = SparkWorks.whole(null);
  private final List<SparkWork> inShort = SparkWorks.inShort(null);

  private static SparkWork named(List<SparkWork> works, String name) {
    return works.stream().filter(work -> work.name().equals(name)).findFirst().orElseThrow();
  }

  /** Formats need rows that are cached, and so a session. */
  private static List<WorkStep> stepsWithoutFormats(List<SparkWork> works) {
    return works.stream()
        .filter(work -> !FORMATS.contains(work.name()))
        .flatMap(work -> work.preparation().get().steps().stream())
        .toList();
  }

  @Test
  void eachOfTheGoalsHasItsWork() {
    Map<String, Double> goals = new LinkedHashMap<>();
    stepsWithoutFormats(whole).forEach(step -> goals.put(step.name(), step.toDisk()));

    assertThat(goals)
        .containsExactly(
            entry("512 MiB in 16 files", 1.1),
            entry("1,000 files", 1.0),
            entry("200 partitions", 0.75),
            entry("200 partitions, dynamic overwrite", 0.75),
            entry("10,000 files", 1.0));
    assertThat(whole).extracting(SparkWork::name).containsAll(FORMATS);
    assertThat(WorkGoals.FORMAT).isEqualTo(1.15);
  }

  @Test
  void ofManyFilesTheCommitHasAGoalToo() {
    assertThat(stepsWithoutFormats(whole))
        .filteredOn(step -> step.commitSeconds().isPresent())
        .extracting(WorkStep::name, WorkStep::commitSeconds)
        .containsExactly(tuple("1,000 files", OptionalDouble.of(1)));
  }

  @Test
  void theShortFormLeavesOutWhatTakesMinutes() {
    assertThat(whole).extracting(SparkWork::name).contains("10,000 files");
    assertThat(inShort).extracting(SparkWork::name).doesNotContain("10,000 files");
    assertThat(inShort).extracting(SparkWork::name).containsAll(FORMATS);
    assertThat(inShort.stream().mapToLong(work -> work.secondsOfAll(3)).sum())
        .as("leaves time to build, and for what reads")
        .isLessThan(8 * 60);
  }

  @Test
  void whatTakesLongHasFewerRounds() {
    assertThat(named(whole, "10,000 files").rounds(5)).isEqualTo(1);
    assertThat(named(whole, "1,000 files").rounds(10)).isEqualTo(5);
    assertThat(named(inShort, "1,000 files").rounds(3)).isEqualTo(2);
    assertThat(named(inShort, "200 partitions").rounds(3)).isEqualTo(2);
    assertThat(named(whole, "512 MiB in 16 files").rounds(10)).isEqualTo(10);
    assertThat(whole).allSatisfy(work -> assertThat(work.rounds(1)).isPositive());
  }

  @Test
  void whatIsOverInAnInstantHasMoreRounds() {
    assertThat(FORMATS)
        .allSatisfy(name -> assertThat(named(whole, name).rounds(5)).isEqualTo(25))
        .allSatisfy(name -> assertThat(named(inShort, name).rounds(3)).isEqualTo(15));
  }

  @Test
  void bothSidesAndTheWarmUpAreInTheTime() {
    SparkWork warm = new SparkWork("a", wanted -> Math.min(wanted, 5), true, 3, PreparedWork::new);
    SparkWork cold = new SparkWork("a", wanted -> 1, false, 3, PreparedWork::new);

    assertThat(warm.secondsOfAll(4)).isEqualTo(2 * 3 * 5);
    assertThat(cold.secondsOfAll(4)).isEqualTo(2 * 3);
  }

  @Test
  void whatAWorkNeededIsFreed() {
    boolean[] freed = {false};
    PreparedWork work = new PreparedWork(List.of(), () -> freed[0] = true);
    work.close();

    assertThat(freed[0]).isTrue();
  }
}
