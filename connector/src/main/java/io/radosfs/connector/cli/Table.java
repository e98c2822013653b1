// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** A table of names and values. */
final class Table {

  private record Row(String name, Object value) {}

  private final List<Row> rows = new ArrayList<>();

  void row(String name, Object value) {
    rows.add(new Row(name, value));
  }

  void print(PrintWriter out) {
    int width = rows.stream().mapToInt(row -> row.name().length()).max().orElse(0);
    for (Row row : rows) {
      out.println(row.name() + " ".repeat(width - row.name().length() + 2) + row.value());
    }
    out.flush();
  }
}
