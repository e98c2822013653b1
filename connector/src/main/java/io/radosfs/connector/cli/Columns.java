// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** A table with a header row and aligned columns. */
final class Columns {

  private final List<Object[]> rows = new ArrayList<>();

  Columns(Object... heads) {
    rows.add(heads);
  }

  void row(Object... values) {
    rows.add(values);
  }

  void print(PrintWriter out) {
    int[] widths = new int[rows.get(0).length];
    for (Object[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].toString().length());
      }
    }
    for (Object[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        String value = row[i].toString();
        line.append(value).append(" ".repeat(widths[i] - value.length() + 2));
      }
      out.println(line.toString().stripTrailing());
    }
    out.flush();
  }
}
