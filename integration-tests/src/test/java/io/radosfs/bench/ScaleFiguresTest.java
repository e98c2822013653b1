// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.bench.report.Environment;
import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Findings;
import io.radosfs.bench.report.Measurement;
import io.radosfs.bench.report.ReportDirectory;
import io.radosfs.bench.scale.JobCost;
import io.radosfs.bench.scale.JobGrid;
import io.radosfs.bench.scale.JobSize;
import io.radosfs.bench.scale.ObjectLoad;
import io.radosfs.bench.scale.Rates;
import io.radosfs.bench.scale.ScaleFindings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code scale} makes of made-up counts and rates. */
@Tag("slow")
final class ScaleFiguresTest {

  private final JobMeasurements jobs = new JobMeasurements(JobGrid.inShort(), "1 OSD");
  private final ObjectMeasurements objects = new ObjectMeasurements("1 OSD");

  @TempDir Path directory;

  @BeforeEach
  void measure() {
    for (int round = 0; round < 2; round++) {
      for (JobSize size : JobGrid.inShort().sizes()) {
        jobs.add(size, cost(size));
      }
      for (ObjectLoad load : ObjectLoad.values()) {
        for (int writers : List.of(1, 4, 16, 64)) {
          double rate = (load.together() ? 1_000 : 2_000) - (writers == 64 ? 100 : 0);
          objects.add(load, writers, new ObjectMeasurements.Result(rate, 0.5, 0.25));
        }
      }
    }
  }

  private static JobCost cost(JobSize size) {
    int operations = 30 + 3 * size.files() + 2 * size.partitions() + 2 * size.tasks();
    return new JobCost(
        operations,
        operations,
        2L * size.files() + 2L * size.tasks(),
        16_384L * size.files() + 2_000,
        900L * size.files() + 5_000,
        4 + size.partitions() + size.shards(),
        size.files() / 500.0,
        0.01 + 1e-5 * size.files(),
        1e-4 * operations,
        2e-4 * operations);
  }

  private List<Figure> figures() {
    List<Figure> figures = new ArrayList<>(jobs.figures());
    figures.addAll(objects.figures());
    return figures;
  }

  private Figure figure(String name) {
    return figures().stream()
        .filter(figure -> figure.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private ScaleFindings findings() {
    return new ScaleFindings(
        "1 OSD, 1 copy",
        jobs.points(),
        jobs.models(),
        objects.rates(),
        new Rates(objects.ofOneObject(), jobs.clientCpu(), jobs.osdCpu()),
        objects.saturation(2));
  }

  @Test
  void theModelIsHeldAgainstItsPoints() {
    Figure deviation = figure("largest deviation of the model, operations at the OSDs");

    assertThat(deviation.median()).isLessThan(1e-6);
    assertThat(deviation.met()).contains(true);
    assertThat(figure("largest deviation of the model, seconds of commitJob").goal()).isEmpty();
    assertThat(figure("by the model, one file more").median()).isBetween(2.999, 3.001);
    assertThat(figure("OSDs' processors, an operation").median()).isBetween(199.9, 200.1);
  }

  @Test
  void aSizeHasItsCountBesideTheModels() {
    Figure counted = figure("operations at the OSDs, 1,600 files");

    assertThat(counted.repeats()).containsExactly(30 + 4_800 + 80.0, 30 + 4_800 + 80.0);
    assertThat(counted.point().orElseThrow().x()).isEqualTo(1_600);
    assertThat(figure("by the model, operations at the OSDs, 1,600 files").median())
        .isBetween(counted.median() - 0.01, counted.median() + 0.01);
    assertThat(figure("files written by tasks, 4 executors").median()).isEqualTo(500);
  }

  @Test
  void oneObjectIsHeldAgainstMany() {
    assertThat(
            figure("omap writes, one object, to omap writes, an object a writer, 64 writers")
                .median())
        .isBetween(0.47, 0.48);
    assertThat(objects.ofOneObject()).as("by the number of writers that is best").isEqualTo(1_000);
    assertThat(objects.saturation(2).writers()).isEqualTo(64);
  }

  @Test
  void theFindingsAreComputed() {
    Findings limits = findings().limits();
    String all = limits.rows().toString();

    assertThat(limits.rows().get(0).get(1)).isEqualTo("one placement group");
    assertThat(all).contains("A job of 1,000,000 files, 1,000 partitions, 10,000 tasks");
    // 30 + 3 files + 2 partitions + 2 tasks.
    assertThat(all).contains("3,022,030 operations");
    assertThat(all).contains("From 495 files/s of one job on");
    assertThat(all).contains("1,600 files");
    assertThat(findings().formulas().rows().get(0))
        .containsExactly(
            "operations at the OSDs",
            "30.00 + 3.00 × files + 2.00 × partitions + 2.00 × tasks",
            "0.0 %");
  }

  /** Names that are not told apart would end a report, after all was measured. */
  @Test
  void aReportIsWritten() throws Exception {
    Environment environment = new Environment(Map.of("Ceph", "16.2"), Map.of("cores", "2"));
    Measurement measurement =
        new Measurement(
            Instant.parse("2026-11-27T00:00:00Z"),
            Duration.ofMinutes(3),
            "scripts/bench scale",
            environment,
            figures(),
            List.of(findings().formulas(), findings().limits()),
            List.of());

    new ReportDirectory(directory).write(measurement);

    assertThat(Files.readString(directory.resolve("index.html")))
        .contains("What saturates first", "largest deviation of the model");
    assertThat(directory.resolve("plots/scale-operations-at-the-osds-by-files.svg")).exists();
    assertThat(figures()).extracting(Figure::name).doesNotHaveDuplicates();
  }
}
