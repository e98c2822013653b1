// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/** Figures as CSV, a line each, for spreadsheets. */
final class FiguresCsv {

  static final CSVFormat FORMAT =
      CSVFormat.RFC4180
          .builder()
          .setHeader(
              "part", "figure", "unit", "median", "min", "max", "spread", "goal", "met", "repeats")
          .get();

  private FiguresCsv() {}

  static String of(List<Figure> figures) throws IOException {
    StringBuilder text = new StringBuilder();
    try (CSVPrinter printer = new CSVPrinter(text, FORMAT)) {
      for (Figure figure : figures) {
        printer.printRecord(
            figure.part(),
            figure.name(),
            figure.isRatio() ? "ratio" : figure.unit(),
            figure.median(),
            figure.min(),
            figure.max(),
            figure.spread(),
            Texts.goal(figure),
            figure.met().map(met -> met ? "yes" : "no").orElse(""),
            figure.repeats().stream().map(String::valueOf).collect(Collectors.joining(" ")));
      }
    }
    return text.toString();
  }
}
