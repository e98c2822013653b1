// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.bench.report.FailedWork;
import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Findings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class BenchResultsTest {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final List<List<String>> reported = new ArrayList<>();
  private final BenchResults results =
      new BenchResults(
          new PrintStream(printed, true, StandardCharsets.UTF_8),
          soFar -> reported.add(soFar.figures().stream().map(Figure::name).toList()));

  private static Figure figure(String name) {
    return new Figure("part", name, "s", List.of(1.0), Optional.empty(), Optional.empty());
  }

  private static void fail() throws IOException {
    throw new IOException("a job failed", new IOException("the gateway is gone"));
  }

  @Test
  void eachWorkIsReportedWithThoseBefore() throws Exception {
    results.begin("first");
    results.measured(List.of(figure("a")));
    results.measured(List.of(figure("a"), figure("b")));
    results.begin("second");
    results.measured(List.of(figure("c")));

    assertThat(reported).containsExactly(List.of("a"), List.of("a", "b"), List.of("a", "b", "c"));
  }

  @Test
  void workThatFailsIsToldAndTheRestGoesOn() throws Exception {
    results.begin("peers");
    results.measured(List.of(figure("a")));
    boolean failed = results.attempt("10 files, S3A", BenchResultsTest::fail);
    boolean succeeded =
        results.attempt("20 files", () -> results.measured(List.of(figure("a"), figure("b"))));

    assertThat(failed).isFalse();
    assertThat(succeeded).isTrue();
    assertThat(results.failures())
        .containsExactly(
            new FailedWork("peers", "10 files, S3A", "IOException: the gateway is gone"));
    assertThat(reported).containsExactly(List.of("a"), List.of("a"), List.of("a", "b"));
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .startsWith("[peers] FAILED: 10 files, S3A: IOException: the gateway is gone\n")
        .contains("BenchResultsTest.fail");
  }

  @Test
  void anInterruptEndsTheRun() {
    assertThatThrownBy(
            () ->
                results.attempt(
                    "any",
                    () -> {
                      throw new InterruptedException("stop");
                    }))
        .isInstanceOf(InterruptedException.class);
    assertThat(results.failures()).isEmpty();
  }

  @Test
  void aTableReplacesOneOfItsTitle() throws Exception {
    Findings one = new Findings("readers", "sights", List.of("peer"), List.of(List.of("a")));
    Findings two =
        new Findings("readers", "sights", List.of("peer"), List.of(List.of("a"), List.of("b")));
    Findings other = new Findings("peers", "sights", List.of("peer"), List.of());
    results.found(one);
    results.found(other);
    results.found(two);

    assertThat(results.findings()).containsExactly(two, other);
    assertThat(reported).hasSize(3);
  }
}
