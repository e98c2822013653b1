// SPDX-License-Identifier: Apache-2.0
package io.radosfs.demo;

import io.radosfs.workbench.Counters;
import io.radosfs.workbench.OsdCounters;
import io.radosfs.workbench.WriteMetrics;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the demo shows in the end. */
final class DemoReport {

  private static final int OBJECTS_SHOWN = 20;
  private static final int ANSWER_LINES_SHOWN = 4;

  private final PrintStream out;

  DemoReport(PrintStream out) {
    this.out = out;
  }

  void writes(List<TableWrite.Result> results) {
    heading("Writes");
    String row = "%-34s %9s %6s %10s %9s %10s%n";
    out.printf(row, "", "rows", "files", "size", "job", "commitJob");
    for (TableWrite.Result result : results) {
      WriteMetrics.Write spark = result.spark();
      out.printf(
          row,
          result.write().title(),
          String.format(Locale.ROOT, "%,d", spark.rows()),
          spark.files(),
          bytes(spark.bytes()),
          String.format(Locale.ROOT, "%.2f s", result.jobMillis() / 1e3),
          spark.commitJobMillis() + " ms");
    }
    if (results.stream().anyMatch(result -> !result.counters().byName().isEmpty())) {
      operations(results);
    }
  }

  private void operations(List<TableWrite.Result> results) {
    heading("RADOS operations of each write, as the file system counts them");
    String row = "%-34s %11s %14s %12s %11s %10s%n";
    out.printf(row, "", "data writes", "bytes", "index writes", "index reads", "data reads");
    for (TableWrite.Result result : results) {
      Counters counters = result.counters();
      out.printf(
          row,
          result.write().title(),
          counters.get("rados_data_write"),
          String.format(Locale.ROOT, "%,d", counters.get("rados_bytes_written")),
          counters.get("rados_index_write"),
          counters.get("rados_index_read"),
          counters.get("rados_data_read"));
    }
  }

  void answers(Map<Query, List<String>> answers) {
    heading("Answers, equal from the generator, from Parquet and from ORC");
    answers.forEach(
        (query, lines) -> {
          out.printf("%s%n", query.title());
          lines.stream().limit(ANSWER_LINES_SHOWN).forEach(line -> out.printf("  %s%n", line));
        });
  }

  void success(TableWrite.Result result) throws IOException {
    if (result.report().isPresent()) {
      heading("_SUCCESS of " + result.write().title());
      out.println(result.report().get().text());
    }
  }

  void objects(ObjectCheck check, OsdCounters written) {
    heading("Objects, as rados ls shows them");
    check.objects().stream().limit(OBJECTS_SHOWN).forEach(out::println);
    int more = check.objects().size() - OBJECTS_SHOWN;
    if (more > 0) {
      out.printf("… and %d more%n", more);
    }
    heading("Bytes");
    out.printf(
        Locale.ROOT,
        "%,d files hold %,d bytes. The OSDs counted %,d write operations with %,d bytes: %.4f times"
            + " the files.%n",
        check.files().size(),
        check.bytes(),
        written.writes(),
        written.bytesWritten(),
        (double) written.bytesWritten() / check.bytes());
    out.printf(
        "%d data objects, each under the name of its file; no other data objects below %s%n",
        check.data().size(), check.prefix());
    if (!check.earlier().isEmpty()) {
      out.printf(
          "But %d that were there before, as %s: of files replaced a moment ago, or left by a"
              + " process that was killed. `scripts/radosfs gc` removes them once they are old"
              + " enough.%n",
          check.earlier().size(), check.earlier().first());
    }
  }

  private void heading(String text) {
    out.printf("%n%s%n%s%n", text, "─".repeat(text.length()));
  }

  private static String bytes(long count) {
    return String.format(Locale.ROOT, "%.1f MiB", count / (double) (1 << 20));
  }
}
