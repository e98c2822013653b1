// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.commons.text.StringEscapeUtils;

/** A report of one run or several as one HTML page that needs no other file. */
final class Page {

  private static final String STYLE =
      """
body { font: 15px/1.5 sans-serif; color: #222; max-width: 68rem; margin: 2rem auto; padding: 0 1rem }
h1, h2 { line-height: 1.2 }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #ddd; vertical-align: top }
td.number, th.number { text-align: right; white-space: nowrap }
td.repeats { color: #666; font-size: 12px }
.met { color: #17692f; white-space: nowrap }
.missed { color: #a51d24; font-weight: bold; white-space: nowrap }
img { max-width: 100%; display: block; margin: 1rem 0 }
code { background: #f3f3f3; padding: .1rem .3rem }
""";

  private Page() {}

  /** One run, with its plots. */
  record Run(Measurement measurement, List<Plot> plots) {}

  /** A page of one run, or of several, with what tells them apart. */
  static String of(List<Run> runs) {
    StringBuilder page = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n");
    page.append("<meta charset=\"utf-8\">\n<title>radosfs: benchmark</title>\n");
    page.append("<style>\n").append(STYLE).append("</style>\n</head>\n<body>\n");
    page.append("<h1>radosfs: benchmark</h1>\n");
    if (runs.size() == 1) {
      run(page, runs.get(0), "h2");
    } else {
      overview(page, runs.stream().map(Run::measurement).toList());
      for (int i = 0; i < runs.size(); i++) {
        int number = i + 1;
        page.append("<h2 id=\"run-").append(number).append("\">Run ").append(number);
        page.append("</h2>\n");
        run(page, runs.get(i), "h3");
      }
    }
    return page.append("</body>\n</html>\n").toString();
  }

  private static void overview(StringBuilder page, List<Measurement> runs) {
    page.append("<table>\n");
    cells(page, "th", List.of("run", "command", "started", "took", "commit", "machine", "figures"));
    for (int i = 0; i < runs.size(); i++) {
      Measurement run = runs.get(i);
      int number = i + 1;
      page.append("<tr><td><a href=\"#run-").append(number).append("\">").append(number);
      page.append("</a></td>");
      for (String text :
          List.of(
              run.command(),
              run.started().toString(),
              TimeLeft.text(run.took()),
              run.environment().commit(),
              run.environment().machineInShort(),
              outcome(run))) {
        page.append("<td>").append(escaped(text)).append("</td>");
      }
      page.append("</tr>\n");
    }
    page.append("</table>\n");
  }

  /** What was measured in it, and how. */
  private static void run(StringBuilder page, Run run, String heading) {
    Measurement report = run.measurement();
    page.append("<p>Started ").append(escaped(report.started().toString())).append(", took ");
    page.append(escaped(TimeLeft.text(report.took()))).append(", by <code>");
    page.append(escaped(report.command())).append("</code>.</p>\n");
    page.append("<p>").append(escaped(outcome(report))).append("</p>\n");
    if (!report.failures().isEmpty()) {
      heading(page, heading, "What failed");
      page.append("<table>\n");
      cells(page, "th", List.of("part", "work", "message"));
      for (FailedWork failure : report.failures()) {
        cells(page, "td", List.of(failure.part(), failure.work(), failure.message()));
      }
      page.append("</table>\n");
    }
    facts(page, heading, "Versions", report.environment().versions());
    facts(page, heading, "Machine", report.environment().machine());
    List<Figure> figures = inTables(report);
    for (String part : figures.stream().map(Figure::part).distinct().toList()) {
      heading(page, heading, part);
      table(page, figures.stream().filter(one -> one.part().equals(part)).toList());
    }
    report.findings().forEach(findings -> words(page, heading, findings));
    if (!run.plots().isEmpty()) {
      heading(page, heading, "Plots");
      page.append("<p>Medians, and what was sampled.</p>\n");
      run.plots().forEach(plot -> image(page, plot));
    }
  }

  /** Without samples. */
  private static List<Figure> inTables(Measurement run) {
    return run.figures().stream().filter(figure -> !figure.isSample()).toList();
  }

  private static String outcome(Measurement run) {
    int failed = run.failures().size();
    return goals(inTables(run)) + (failed > 0 ? " Failed works: " + failed + "." : "");
  }

  private static void heading(StringBuilder page, String heading, String text) {
    page.append('<').append(heading).append('>').append(escaped(text));
    page.append("</").append(heading).append(">\n");
  }

  private static String goals(List<Figure> figures) {
    long withGoal = figures.stream().filter(figure -> figure.goal().isPresent()).count();
    long met = figures.stream().filter(figure -> figure.met().orElse(false)).count();
    return String.format(
        Locale.ROOT,
        "%d figures, %d with a goal: %d met, %d missed.",
        figures.size(),
        withGoal,
        met,
        withGoal - met);
  }

  private static void facts(
      StringBuilder page, String heading, String title, Map<String, String> facts) {
    heading(page, heading, title);
    page.append("<table>\n");
    facts.forEach(
        (name, value) -> {
          page.append("<tr><th>").append(escaped(name)).append("</th><td>");
          page.append(escaped(value)).append("</td></tr>\n");
        });
    page.append("</table>\n");
  }

  private static void table(StringBuilder page, List<Figure> figures) {
    page.append("<table>\n<tr><th>figure</th><th class=\"number\">median</th>");
    page.append("<th class=\"number\">range</th><th class=\"number\">spread</th>");
    page.append("<th class=\"number\">goal</th><th></th><th>repeats</th></tr>\n");
    for (Figure figure : figures) {
      page.append("<tr><td>").append(escaped(figure.name())).append("</td>");
      number(page, Texts.median(figure));
      number(page, Texts.range(figure));
      number(page, String.format(Locale.ROOT, "%.0f %%", 100 * figure.spread()));
      number(page, Texts.goal(figure));
      String style = figure.met().orElse(true) ? "met" : "missed";
      page.append("<td class=\"").append(style).append("\">").append(Texts.met(figure));
      page.append("</td><td class=\"repeats\">");
      page.append(figure.repeats().stream().map(Texts::number).collect(Collectors.joining(" ")));
      page.append("</td></tr>\n");
    }
    page.append("</table>\n");
  }

  private static void words(StringBuilder page, String heading, Findings findings) {
    heading(page, heading, findings.part() + ": " + findings.title());
    page.append("<table>\n");
    cells(page, "th", findings.columns());
    findings.rows().forEach(row -> cells(page, "td", row));
    page.append("</table>\n");
  }

  private static void cells(StringBuilder page, String tag, List<String> texts) {
    page.append("<tr>");
    for (String text : texts) {
      page.append('<').append(tag).append('>').append(escaped(text));
      page.append("</").append(tag).append('>');
    }
    page.append("</tr>\n");
  }

  private static void number(StringBuilder page, String text) {
    page.append("<td class=\"number\">").append(escaped(text)).append("</td>");
  }

  /** As an image, so that what one plot defines by a name is not another's. */
  private static void image(StringBuilder page, Plot plot) {
    byte[] svg = plot.svg().getBytes(StandardCharsets.UTF_8);
    page.append("<img alt=\"").append(escaped(plot.title()));
    page.append("\" src=\"data:image/svg+xml;base64,");
    page.append(Base64.getEncoder().encodeToString(svg)).append("\">\n");
  }

  private static String escaped(String text) {
    return StringEscapeUtils.escapeHtml4(text);
  }
}
