// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.FailedWork;
import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Findings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run has measured so far, and what failed. It is reported after each work, so that a run
 * that breaks off loses no more than the work under way, and one that fails only that work.
 */
final class BenchResults {

  /** Reports what there is, in the place of what it reported before. */
  @FunctionalInterface
  interface Reporter {
    void report(BenchResults soFar) throws IOException;
  }

  private record Title(String part, String title) {}

  private final PrintStream out;
  private final Reporter reporter;
  private final Map<String, List<Figure>> figures = new LinkedHashMap<>();
  private final Map<Title, Findings> findings = new LinkedHashMap<>();
  private final List<FailedWork> failures = new ArrayList<>();
  private String part = "";

  /**
   * Nothing yet.
   *
   * @param out where failures are told at once
   */
  BenchResults(PrintStream out, Reporter reporter) {
    this.out = out;
    this.reporter = reporter;
  }

  /** What is told from now on is of that part. */
  void begin(String name) {
    part = name;
  }

  /** All that the part has measured so far, in the place of what it told before. */
  void measured(List<Figure> soFar) throws IOException {
    figures.put(part, List.copyOf(soFar));
    reporter.report(this);
  }

  /** A table, in the place of one of the same title. */
  void found(Findings table) throws IOException {
    findings.put(new Title(table.part(), table.title()), table);
    reporter.report(this);
  }

  /**
   * Does some work of the part. Where it fails, that is told, and the run goes on.
   *
   * @return whether it succeeded
   */
  boolean attempt(String work, Costs.Work doing) throws IOException, InterruptedException {
    try {
      doing.run();
      return true;
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      FailedWork failure = new FailedWork(part, work, Outcomes.reason(e));
      failures.add(failure);
      out.printf("[%s] FAILED: %s: %s%n", part, work, failure.message());
      e.printStackTrace(out);
      reporter.report(this);
      return false;
    }
  }

  List<Figure> figures() {
    return figures.values().stream().flatMap(List::stream).toList();
  }

  List<Findings> findings() {
    return List.copyOf(findings.values());
  }

  List<FailedWork> failures() {
    return List.copyOf(failures);
  }
}
