// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.publish;

import io.radosfs.bench.report.FailedWork;
import io.radosfs.bench.report.Findings;
import io.radosfs.bench.report.Measurement;
import java.util.List;
import java.util.regex.Pattern;

/** A run without the folders of the machine that it ran on, which tell others nothing. */
final class WithoutPaths {

  /** Below the folders that people and programs work in; a path of a pool has none of them. */
  private static final Pattern PATH =
      Pattern.compile(
          "(?:file:/*(?=/)|(?<![\\w:/.]))/(?:root|home|tmp|var|work|mnt|srv|data|opt)/[^\\s'\",;)]*");

  private static final Pattern OPTION =
      Pattern.compile("(--(?:report|ceph-conf|local-dir))([ =])(?:'[^']*'|\\S+)");

  private WithoutPaths() {}

  static Measurement of(Measurement run) {
    return new Measurement(
        run.started(),
        run.took(),
        text(OPTION.matcher(run.command()).replaceAll("$1$2PATH")),
        run.environment(),
        run.figures(),
        run.findings().stream().map(WithoutPaths::of).toList(),
        run.failures().stream().map(WithoutPaths::of).toList());
  }

  private static Findings of(Findings table) {
    List<List<String>> rows =
        table.rows().stream().map(row -> row.stream().map(WithoutPaths::text).toList()).toList();
    return new Findings(table.part(), table.title(), table.columns(), rows);
  }

  private static FailedWork of(FailedWork failure) {
    return new FailedWork(failure.part(), text(failure.work()), text(failure.message()));
  }

  private static String text(String text) {
    return PATH.matcher(text).replaceAll("PATH");
  }
}
