// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * One run of the benchmark.
 *
 * @param command as it was typed
 * @param findings tables of words, beside the figures
 * @param failures what there are no figures of, though there was to be
 */
public record Measurement(
    Instant started,
    Duration took,
    String command,
    Environment environment,
    List<Figure> figures,
    List<Findings> findings,
    List<FailedWork> failures) {

  public Measurement {
    figures = List.copyOf(figures);
    findings = List.copyOf(findings);
    failures = List.copyOf(failures);
  }
}
