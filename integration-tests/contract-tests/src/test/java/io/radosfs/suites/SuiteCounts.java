// SPDX-License-Identifier: Apache-2.0
package io.radosfs.suites;

import io.radosfs.rows.SharedRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Prints at the end how many cases of each of Hadoop's suites passed, failed and were skipped, and
 * adds it to {@code target/suites-on-<cluster>.md}, as rows of the table in README.md, in the place
 * of what an earlier run said of the same suites. A suite that is skipped whole counts as one case.
 * Tests of other packages of this module are our own, and no rows.
 *
 * <p>Two JVMs share the suites; to each of them, each suite is a test plan of its own.
 */
public final class SuiteCounts implements TestExecutionListener {

  /** Of one suite, until now. */
  private record Count(int passed, int failed, int skipped) {
    Count plus(Count other) {
      return new Count(passed + other.passed, failed + other.failed, skipped + other.skipped);
    }

    String row(String suite) {
      int cases = passed + failed + skipped;
      String text = "| %s | %d | %d | %d |".formatted(suite, cases, passed, skipped);
      return failed == 0 ? text : text + " " + failed + " FAILED |";
    }
  }

  private static final String PACKAGE = SuiteCounts.class.getPackageName() + ".";
  private static final Count PASSED = new Count(1, 0, 0);
  private static final Count FAILED = new Count(0, 1, 0);
  private static final Count SKIPPED = new Count(0, 0, 1);

  private final TreeMap<String, Count> counts = new TreeMap<>();

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    add(test, SKIPPED);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    switch (result.getStatus()) {
      case SUCCESSFUL -> {
        if (test.isTest()) {
          add(test, PASSED);
        }
      }
      case ABORTED -> add(test, SKIPPED);
      case FAILED -> add(test, FAILED);
    }
  }

  private synchronized void add(TestIdentifier test, Count count) {
    String type = type(test);
    if (type.startsWith(PACKAGE)) {
      counts.merge(type.substring(PACKAGE.length()).replace("Suites$", " "), count, Count::plus);
    }
  }

  private static String type(TestIdentifier test) {
    TestSource source = test.getSource().orElse(null);
    if (source instanceof MethodSource method) {
      return method.getClassName();
    }
    if (source instanceof ClassSource container) {
      return container.getClassName();
    }
    return PACKAGE + test.getDisplayName();
  }

  @Override
  @SuppressWarnings("SystemOut") // where surefire takes the build's output from
  public synchronized void testPlanExecutionFinished(TestPlan plan) {
    if (counts.isEmpty()) {
      return;
    }
    SortedMap<String, String> rows = new TreeMap<>();
    counts.forEach((suite, count) -> rows.put(suite, count.row(suite)));
    counts.clear();
    System.out.printf(
        "%n| suite on %s | cases | passed | skipped |%n%s%n",
        SuitePool.name(), String.join(System.lineSeparator(), rows.values()));
    try {
      new SharedRows(Path.of("target").resolve(fileName())).add(rows);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String fileName() {
    return "suites-on-" + SuitePool.name() + ".md";
  }
}
