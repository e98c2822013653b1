// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.publish;

import io.radosfs.bench.publish.NewestFigures.Measured;
import io.radosfs.bench.report.Figure;
import io.radosfs.bench.report.Plot;
import io.radosfs.bench.report.Plots;
import io.radosfs.bench.report.Point;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A plot that the repository shows.
 *
 * @param file its name, without what it ends in
 * @param title what it shows
 * @param figures which figures of a report it draws; all have one unit
 * @param needed what a report has to have for it, in words
 * @param lines whether it draws the figures' points, and else bars
 */
public record ChosenPlot(
    String file, String title, Predicate<Figure> figures, String needed, boolean lines) {

  private static final String SVG = ".svg";

  /**
   * A bar for each figure of a part whose name ends so.
   *
   * @param parts of several, the one with the most such figures is drawn, and told: a short run
   *     compares more peers by less work
   */
  static ChosenPlot bars(String file, String title, String end, String... parts) {
    List<String> any = List.of(parts);
    Predicate<Figure> wanted =
        figure -> any.contains(figure.part()) && figure.name().endsWith(end) && !figure.isSample();
    String needed =
        "figures of the part '" + String.join("' or '", any) + "' that end in '" + end + "'";
    return new ChosenPlot(file, title, wanted, needed, false);
  }

  /** The lines of a plot that a report has by this title. */
  static ChosenPlot linesOf(String file, String title, String plot) {
    Predicate<Figure> wanted =
        figure -> figure.point().map(Point::plot).filter(plot::equals).isPresent();
    return new ChosenPlot(file, title, wanted, "the plot '" + plot + "'", true);
  }

  /** What it is called where it is kept. */
  public String fileName() {
    return file + SVG;
  }

  /** Nothing, if no run has measured what it shows. */
  Optional<Plot> draw(NewestFigures of) throws IOException {
    List<Figure> shown = shown(of);
    if (shown.isEmpty()) {
      return Optional.empty();
    }
    List<Plot> plots = Plots.of(shown, shownAs -> shownAs);
    if (plots.size() != 1) {
      throw new IOException(file + " would be " + plots.size() + " plots: of several units");
    }
    return Optional.of(plots.get(0));
  }

  /** The figures that it draws, named as it names them. */
  List<Figure> shown(NewestFigures of) {
    List<Measured> measured = of.that(figures);
    return lines ? renamed(measured, title) : ofOnePart(measured);
  }

  private List<Figure> ofOnePart(List<Measured> measured) {
    Map<String, List<Measured>> byPart =
        measured.stream()
            .collect(
                Collectors.groupingBy(
                    one -> one.figure().part(), LinkedHashMap::new, Collectors.toList()));
    String most = "";
    for (Map.Entry<String, List<Measured>> part : byPart.entrySet()) {
      if (most.isEmpty() || part.getValue().size() > byPart.get(most).size()) {
        most = part.getKey();
      }
    }
    return byPart.isEmpty() ? List.of() : renamed(byPart.get(most), title + workOf(most));
  }

  /** The work, where a part is named by it. */
  private static String workOf(String part) {
    int colon = part.indexOf(": ");
    return colon < 0 ? "" : ", " + part.substring(colon + 2);
  }

  private List<Figure> renamed(List<Measured> measured, String shownAs) {
    boolean clusters = measured.stream().map(Measured::osds).distinct().count() > 1;
    List<Figure> figures = new ArrayList<>();
    for (Measured one : measured) {
      // What is the same to the last bit on each cluster was measured on none of them.
      List<Measured> same =
          measured.stream().filter(other -> other.figure().equals(one.figure())).toList();
      if (same.size() == 1) {
        figures.add(renamed(one, shownAs, clusters));
      } else if (same.get(0).equals(one)) {
        figures.add(renamed(one, shownAs, /* clusters= */ false));
      }
    }
    return figures;
  }

  /** Of one part and one plot, with the size of the cluster where there are several. */
  private Figure renamed(Measured measured, String shownAs, boolean clusters) {
    Figure figure = measured.figure();
    String which = clusters ? ", " + osds(measured.osds()) : "";
    Optional<Point> point =
        lines
            ? figure
                .point()
                .map(one -> new Point(shownAs, with(which, one.series()), one.axis(), one.x()))
            : Optional.empty();
    return new Figure(
        shownAs, figure.name() + which, figure.unit(), figure.repeats(), Optional.empty(), point);
  }

  /** A series that has the size of the cluster in its name already keeps it. */
  private static String with(String which, String series) {
    return (", " + series).endsWith(which) ? series : series + which;
  }

  private static String osds(int count) {
    return count == 1 ? "1 OSD" : count + " OSDs";
  }
}
