// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries.CategorySeriesRenderStyle;
import org.knowm.xchart.HorizontalBarChart;
import org.knowm.xchart.HorizontalBarChartBuilder;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * Draws medians: figures that have a point as lines, a plot for each title; the others as bars, a
 * plot for each part and unit.
 */
final class Plots {

  private static final int WIDTH = 900;
  private static final int LINES_HEIGHT = 420;
  private static final int BAR_HEIGHT = 26;
  private static final int AROUND_BARS = 130;

  /** XChart takes no smaller limit. */
  private static final int LABELS_AT_LEAST = 2;

  private static final String FONT = "DejaVu Sans";

  private Plots() {}

  static List<Plot> of(List<Figure> figures) throws IOException {
    List<Plot> plots = new ArrayList<>();
    List<Figure> points = figures.stream().filter(figure -> figure.point().isPresent()).toList();
    for (var plot : grouped(points, figure -> point(figure).plot()).entrySet()) {
      plots.add(lines(plot.getKey(), plot.getValue()));
    }
    List<Figure> bars = figures.stream().filter(figure -> figure.point().isEmpty()).toList();
    for (var plot : grouped(bars, Plots::titleOfBars).entrySet()) {
      plots.add(bars(plot.getKey(), plot.getValue()));
    }
    return plots;
  }

  private static Map<String, List<Figure>> grouped(
      List<Figure> figures, Function<Figure, String> by) {
    Map<String, List<Figure>> groups = new LinkedHashMap<>();
    for (Figure figure : figures) {
      groups.computeIfAbsent(by.apply(figure), key -> new ArrayList<>()).add(figure);
    }
    return groups;
  }

  private static Point point(Figure figure) {
    return figure.point().orElseThrow();
  }

  private static String titleOfBars(Figure figure) {
    return figure.part() + ", " + (figure.isRatio() ? "ratios" : figure.unit());
  }

  /** The x axis has a place for each x that occurs, as they mostly double from one to the next. */
  private static Plot lines(String title, List<Figure> figures) throws IOException {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(LINES_HEIGHT)
            .title(title)
            .xAxisTitle(point(figures.get(0)).axis())
            .yAxisTitle(figures.get(0).isRatio() ? "ratio" : figures.get(0).unit())
            .build();
    style(chart.getStyler());
    chart.getStyler().setDefaultSeriesRenderStyle(CategorySeriesRenderStyle.Line);
    chart.getStyler().setOverlapped(true);
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    Set<Double> places = new TreeSet<>();
    figures.forEach(figure -> places.add(point(figure).x()));
    List<String> labels = places.stream().map(Plots::label).toList();
    for (var series : grouped(figures, figure -> point(figure).series()).entrySet()) {
      Map<Double, Double> medians = new LinkedHashMap<>();
      series.getValue().forEach(figure -> medians.put(point(figure).x(), figure.median()));
      List<Double> values = new ArrayList<>();
      places.forEach(x -> values.add(medians.get(x)));
      chart.addSeries(series.getKey(), labels, values);
    }
    chart.getStyler().setYAxisMin(0.0);
    return Plot.of(title, chart);
  }

  private static String label(double x) {
    return x == Math.rint(x) ? Long.toString(Math.round(x)) : Double.toString(x);
  }

  private static Plot bars(String title, List<Figure> figures) throws IOException {
    HorizontalBarChart chart =
        new HorizontalBarChartBuilder()
            .width(WIDTH)
            .height(AROUND_BARS + BAR_HEIGHT * figures.size())
            .title(title)
            .xAxisTitle("median")
            .build();
    style(chart.getStyler());
    chart.getStyler().setLegendVisible(false);
    // Else names that are longer than a bar is high are left out.
    chart.getStyler().setXAxisMaxLabelCount(Math.max(LABELS_AT_LEAST, figures.size()));
    chart.getStyler().setLabelsVisible(true);
    chart.getStyler().setXAxisMin(0.0);
    Set<String> names = new LinkedHashSet<>();
    List<Double> medians = new ArrayList<>();
    for (Figure figure : figures) {
      if (!names.add(figure.name())) {
        throw new IllegalArgumentException("two figures are named " + figure.name());
      }
      medians.add(Math.round(figure.median() * 100) / 100.0);
    }
    chart.addSeries("median", medians, List.copyOf(names));
    return Plot.of(title, chart);
  }

  private static void style(AxesChartStyler styler) {
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBackgroundColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    styler.setChartTitleBoxVisible(false);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setChartTitleFont(new Font(FONT, Font.BOLD, 15));
    styler.setLegendFont(new Font(FONT, Font.PLAIN, 12));
    styler.setAxisTitleFont(new Font(FONT, Font.PLAIN, 12));
    styler.setAxisTickLabelsFont(new Font(FONT, Font.PLAIN, 11));
  }
}
