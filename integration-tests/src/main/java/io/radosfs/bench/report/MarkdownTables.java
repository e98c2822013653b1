// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Runs, figures and findings as tables in Markdown, for a page of the repository. Of a part with
 * many figures they have those with a goal: CSV has all.
 */
public final class MarkdownTables {

  /** A part that has more of them shows those with a goal. */
  static final int FIGURES_OF_A_PART = 24;

  private MarkdownTables() {}

  /** All of them, of runs that are numbered from 1. */
  public static String of(List<Measurement> runs) {
    StringBuilder text = new StringBuilder();
    runs(text, runs);
    figures(text, runs);
    for (int i = 0; i < runs.size(); i++) {
      for (Findings table : runs.get(i).findings()) {
        if (!table.rows().isEmpty()) {
          title(text, table.part() + ": " + table.title() + " (run " + (i + 1) + ")");
          table(text, table.columns(), table.rows());
        }
      }
    }
    failures(text, runs);
    return text.toString();
  }

  private static void runs(StringBuilder text, List<Measurement> runs) {
    List<List<String>> rows = new ArrayList<>();
    for (Measurement run : runs) {
      List<Figure> withGoal =
          run.figures().stream().filter(figure -> figure.goal().isPresent()).toList();
      long met = withGoal.stream().filter(figure -> figure.met().orElse(false)).count();
      rows.add(
          List.of(
              Integer.toString(rows.size() + 1),
              "`" + run.command() + "`",
              run.started().toString().substring(0, "2026-11-27".length()),
              TimeLeft.text(run.took()),
              run.environment().commit(),
              run.environment().machineInShort(),
              String.format(Locale.ROOT, "%d of %d", met, withGoal.size())));
    }
    List<String> columns =
        List.of("run", "command", "day", "took", "commit", "machine", "goals met");
    table(text, columns, rows);
  }

  private static void figures(StringBuilder text, List<Measurement> runs) {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      List<Figure> all =
          runs.get(i).figures().stream().filter(figure -> !figure.isSample()).toList();
      for (String part : all.stream().map(Figure::part).distinct().toList()) {
        for (Figure figure : shown(all.stream().filter(one -> one.part().equals(part)).toList())) {
          rows.add(row(figure, i + 1));
        }
      }
    }
    List<String> columns = List.of("run", "part", "figure", "median", "range", "goal", "");
    table(text, columns, rows);
  }

  private static List<Figure> shown(List<Figure> ofAPart) {
    return ofAPart.size() <= FIGURES_OF_A_PART
        ? ofAPart
        : ofAPart.stream().filter(figure -> figure.goal().isPresent()).toList();
  }

  private static List<String> row(Figure figure, int run) {
    return List.of(
        Integer.toString(run),
        figure.part(),
        figure.name(),
        Texts.median(figure),
        Texts.range(figure),
        Texts.goal(figure),
        Texts.met(figure));
  }

  private static void failures(StringBuilder text, List<Measurement> runs) {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      for (FailedWork failure : runs.get(i).failures()) {
        rows.add(
            List.of(Integer.toString(i + 1), failure.part(), failure.work(), failure.message()));
      }
    }
    if (!rows.isEmpty()) {
      title(text, "What failed");
      table(text, List.of("run", "part", "work", "message"), rows);
    }
  }

  private static void title(StringBuilder text, String title) {
    text.append("**").append(cell(title)).append("**\n\n");
  }

  /** Ends with an empty line. */
  private static void table(StringBuilder text, List<String> columns, List<List<String>> rows) {
    line(text, columns);
    line(text, columns.stream().map(column -> "---").toList());
    rows.forEach(row -> line(text, row));
    text.append('\n');
  }

  private static void line(StringBuilder text, List<String> cells) {
    text.append(
        cells.stream().map(MarkdownTables::cell).collect(Collectors.joining(" | ", "| ", " |")));
    text.append('\n');
  }

  /** In one line, and nothing in it ends the cell or is taken for HTML or a link. */
  private static String cell(String text) {
    return text.replaceAll("\\s+", " ")
        .replace("|", "\\|")
        .replace("<", "&lt;")
        .replace("*", "\\*")
        .replace("](", "] (");
  }
}
