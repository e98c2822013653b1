// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.radosfs.bench.memory.MemoryKind;
import io.radosfs.bench.memory.MemoryRun;
import io.radosfs.bench.memory.MemorySample;
import io.radosfs.bench.memory.MemorySetting;
import io.radosfs.bench.memory.MemorySide;
import io.radosfs.bench.memory.QueryRun;
import io.radosfs.bench.memory.ShuffleBytes;
import io.radosfs.bench.report.Environment;
import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Measurement;
import io.radosfs.bench.report.ReportDirectory;
import io.radosfs.bench.report.TextTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MemoryFiguresTest {

  private static final long MIB = 1 << 20;
  private static final MemorySetting LARGE = new MemorySetting(4096, 0);
  private static final MemorySetting SMALL = new MemorySetting(1024, 512);

  @TempDir Path report;

  private final MemoryFigures figures =
      new MemoryFigures(List.of(LARGE, SMALL), List.of("1", "2", "3"));

  private static MemorySample sample(double seconds, long mib) {
    Map<MemoryKind, Long> bytes = new EnumMap<>(MemoryKind.class);
    for (MemoryKind kind : MemoryKind.values()) {
      bytes.put(kind, 0L);
    }
    bytes.put(MemoryKind.HEAP, mib * MIB);
    return new MemorySample(seconds, bytes);
  }

  /** Nothing spills, and there is no other memory than the heap. */
  private static MemoryRun run(Map<String, Double> seconds, String answer, long heapMib) {
    Map<String, QueryRun> answered = new LinkedHashMap<>();
    seconds.forEach(
        (query, of) ->
            answered.put(
                query,
                new QueryRun(of, 0.5, List.of(answer), new ShuffleBytes(MIB, 2 * MIB, 0, 0))));
    return new MemoryRun(answered, Map.of(), List.of(sample(0, 1), sample(1.5, heapMib)));
  }

  private void add(MemorySetting setting, MemoryRun rados, MemoryRun disk) throws IOException {
    figures.add(setting, Map.of(MemorySide.RADOS, rados, MemorySide.DISK, disk));
  }

  private Figure figure(String name) {
    return figures.list().stream()
        .filter(figure -> figure.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + name + ": " + names()));
  }

  private List<String> names() {
    return figures.list().stream().map(Figure::name).toList();
  }

  private void twoRounds() throws IOException {
    add(LARGE, run(Map.of("1", 1.0, "2", 2.0), "a", 8), run(Map.of("1", 1.0, "2", 1.0), "a", 4));
    // Here the second query is not answered.
    add(SMALL, run(Map.of("1", 3.0), "a", 2), run(Map.of("1", 2.0, "2", 5.0), "a", 2));
    add(LARGE, run(Map.of("1", 2.0, "2", 2.0), "a", 9), run(Map.of("1", 1.0, "2", 1.0), "a", 4));
    add(SMALL, run(Map.of("1", 4.0, "2", 9.0), "a", 3), run(Map.of("1", 4.0, "2", 5.0), "a", 3));
  }

  @Test
  void sumsAreOfWhatEveryRunHasAnswered() throws IOException {
    twoRounds();

    assertThat(figure("1 queries, heap 4 GiB, rados://").repeats()).containsExactly(1.0, 2.0);
    assertThat(figure("1 queries, heap 1 GiB, off-heap 512 MiB, rados:// to local disk").repeats())
        .containsExactly(1.5, 1.0);
    assertThat(figure("1 queries, heap 1 GiB, off-heap 512 MiB, rados://, to heap 4 GiB").repeats())
        .containsExactly(3.0, 2.0);
    assertThat(figure("shuffle, read, heap 4 GiB, rados://").repeats()).containsExactly(2.0, 2.0);
    assertThat(figure("garbage collector meanwhile, heap 4 GiB, local disk").median())
        .isEqualTo(0.5);
    assertThat(figure("heap in use, heap 4 GiB, rados://").repeats()).containsExactly(8.0, 9.0);
  }

  @Test
  void eachQueryHasItsPlaceWhereAllRoundsAnsweredIt() throws IOException {
    twoRounds();

    assertThat(
            figure("query 2, heap 1 GiB, off-heap 512 MiB, local disk").point().orElseThrow().x())
        .isEqualTo(2);
    assertThat(names())
        .doesNotContain("query 2, heap 1 GiB, off-heap 512 MiB, rados://")
        .contains("query 2, shuffled, heap 4 GiB, rados://")
        .noneMatch(name -> name.startsWith("query 3"));
  }

  @Test
  void aSettingThatIsLeftOutHasNoFigures() throws IOException {
    twoRounds();

    figures.leaveOut(SMALL);

    assertThat(figures.has(SMALL)).isFalse();
    assertThat(names())
        .contains("2 queries, heap 4 GiB, rados:// to local disk")
        .noneMatch(name -> name.contains("off-heap 512"));
    figures.leaveOut(LARGE);
    assertThat(names()).isEmpty();
  }

  @Test
  void thereAreFiguresAfterEachSetting() throws IOException {
    MemoryRun run = run(Map.of("1", 1.0), "a", 8);
    assertThat(names()).isEmpty();
    add(LARGE, run, run);
    assertThat(names())
        .contains("1 queries, heap 4 GiB, rados:// to local disk")
        .noneMatch(name -> name.contains("off-heap 512"));
    add(SMALL, run(Map.of("1", 3.0), "a", 2), run);
    String ratio = "1 queries, heap 1 GiB, off-heap 512 MiB, rados://, to heap 4 GiB";
    assertThat(figure(ratio).repeats()).containsExactly(3.0);

    // In the second round another goes first.
    add(SMALL, run(Map.of("1", 4.0), "a", 2), run);

    assertThat(figure(ratio).repeats()).containsExactly(3.0);
    add(LARGE, run, run);
    assertThat(figure(ratio).repeats()).containsExactly(3.0, 4.0);
  }

  @Test
  void anotherAnswerIsRefused() throws IOException {
    MemoryRun a = run(Map.of("1", 1.0), "a", 8);
    add(LARGE, a, a);

    assertThatThrownBy(() -> add(SMALL, run(Map.of("1", 1.0), "b", 8), a))
        .hasMessage(
            "query 1 has other answers on heap 1 GiB, off-heap 512 MiB, rados:// than on"
                + " heap 4 GiB, local disk: [b] and [a]");
  }

  @Test
  void aLineOverTimeHasTheLargestSampleOfEachInterval() {
    List<MemorySample> samples = new ArrayList<>();
    for (int second = 0; second < 180; second++) {
      samples.add(sample(second + 0.001, second % 2 == 0 ? 7 : second));
    }

    Map<Long, Long> line = MemoryFigures.largest(samples, MemoryKind.HEAP);

    assertThat(line).hasSize(60);
    assertThat(line).contains(entry(0L, 7 * MIB), entry(3L, 7 * MIB), entry(177L, 179 * MIB));
    assertThat(MemoryFigures.largest(samples.subList(0, 3), MemoryKind.HEAP)).hasSize(3);
  }

  /** Also where all values of a plot are 0. */
  @Test
  void samplesAreInPlotsAndInNoTable() throws Exception {
    twoRounds();
    Environment environment = new Environment(Map.of(), Map.of());
    new ReportDirectory(report)
        .write(
            new Measurement(
                Instant.EPOCH,
                Duration.ZERO,
                "bench",
                environment,
                figures.list(),
                List.of(),
                List.of()));
    ByteArrayOutputStream table = new ByteArrayOutputStream();
    TextTable.print(figures.list(), new PrintStream(table, true, StandardCharsets.UTF_8));

    String sample = "heap in use, heap 4 GiB, rados://, after 1 s";
    assertThat(names()).contains(sample);
    assertThat(table.toString(StandardCharsets.UTF_8)).doesNotContain(sample);
    assertThat(Files.readString(report.resolve("index.html"))).doesNotContain(sample);
    assertThat(Files.readString(report.resolve("figures.csv"))).doesNotContain(sample);
    assertThat(Files.readString(report.resolve("report.json"))).contains(sample);
    assertThat(report.resolve("plots/memory-over-time-heap-4-gib-rados.svg")).exists();
    assertThat(report.resolve("plots/memory-over-time-heap-4-gib-local-disk.svg")).exists();
    assertThat(report.resolve("plots/page-cache-over-time-heap-4-gib.svg")).exists();
    assertThat(report.resolve("plots/memory-seconds-of-each-query-heap-4-gib.svg")).exists();
    assertThat(report.resolve("plots/memory-peaks-mib.svg")).exists();
  }
}
