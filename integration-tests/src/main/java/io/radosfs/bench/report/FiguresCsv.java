// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/** Figures as CSV, a line each, for spreadsheets; with what tells of its run, without samples. */
public final class FiguresCsv {

  static final CSVFormat FORMAT =
      CSVFormat.RFC4180
          .builder()
          .setHeader(
              "part", "figure", "unit", "median", "min", "max", "spread", "goal", "met", "repeats",
              "run", "started", "commit", "machine", "command")
          .get();

  private FiguresCsv() {}

  /** Of all runs, which are numbered from 1. */
  public static String of(List<Measurement> runs) throws IOException {
    StringBuilder text = new StringBuilder();
    try (CSVPrinter printer = new CSVPrinter(text, FORMAT)) {
      for (int i = 0; i < runs.size(); i++) {
        for (Figure figure : runs.get(i).figures()) {
          if (!figure.isSample()) {
            print(printer, figure, i + 1, runs.get(i));
          }
        }
      }
    }
    return text.toString();
  }

  private static void print(CSVPrinter printer, Figure figure, int number, Measurement run)
      throws IOException {
    printer.printRecord(
        figure.part(),
        figure.name(),
        figure.isRatio() ? ReportJson.RATIO : figure.unit(),
        figure.median(),
        figure.min(),
        figure.max(),
        figure.spread(),
        Texts.goal(figure),
        figure.met().map(met -> met ? "yes" : "no").orElse(""),
        figure.repeats().stream().map(String::valueOf).collect(Collectors.joining(" ")),
        number,
        run.started(),
        run.environment().commit(),
        run.environment().machineInShort(),
        run.command());
  }
}
