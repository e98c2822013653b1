// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench;

import io.radosfs.bench.report.Figure;
import java.util.List;

/** One part of the benchmark. */
@FunctionalInterface
interface BenchPart {

  /** Measures, and removes what was written for that. */
  List<Figure> run() throws Exception;
}
