// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import java.util.List;

/**
 * A table of what was found by trying, in words: what no figure says.
 *
 * @param part of the benchmark
 * @param columns their heads; the first column names what was tried
 * @param rows as many cells each as there are columns
 */
public record Findings(String part, String title, List<String> columns, List<List<String>> rows) {

  public Findings {
    columns = List.copyOf(columns);
    rows = rows.stream().map(List::copyOf).toList();
    for (List<String> row : rows) {
      if (row.size() != columns.size()) {
        throw new IllegalArgumentException(
            title + ": " + row.size() + " cells in " + columns.size() + " columns: " + row);
      }
    }
  }
}
