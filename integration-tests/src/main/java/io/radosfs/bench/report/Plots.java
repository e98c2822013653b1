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
import java.util.function.UnaryOperator;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries.CategorySeriesRenderStyle;
import org.knowm.xchart.HorizontalBarChart;
import org.knowm.xchart.HorizontalBarChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws medians: figures that have a point as lines, a plot for each title; the others as bars, a
 * plot for each part and unit. Samples are lines over time.
 */
public final class Plots {

  private static final int WIDTH = 900;
  private static final int LINES_HEIGHT = 420;
  private static final int BAR_HEIGHT = 26;
  private static final int AROUND_BARS = 130;

  /** A line's name that is longer is broken at its commas. */
  private static final int NAME_WIDTH = 30;

  /** XChart takes no smaller limit. */
  private static final int LABELS_AT_LEAST = 2;

  private static final String FONT = "DejaVu Sans";

  private Plots() {}

  /**
   * Draws them.
   *
   * @param titled what a title becomes
   */
  public static List<Plot> of(List<Figure> figures, UnaryOperator<String> titled)
      throws IOException {
    List<Plot> plots = new ArrayList<>();
    for (var plot : grouped(points(figures), Plots::title).entrySet()) {
      String title = titled.apply(plot.getKey());
      boolean samples = plot.getValue().get(0).isSample();
      plots.add(samples ? overTime(title, plot.getValue()) : lines(title, plot.getValue()));
    }
    for (var plot : grouped(bars(figures), Plots::title).entrySet()) {
      plots.add(bars(titled.apply(plot.getKey()), plot.getValue()));
    }
    return plots;
  }

  /** Those of the plots that {@link #of} draws. */
  static Set<String> titles(List<Figure> figures) {
    Set<String> titles = new LinkedHashSet<>();
    figures.forEach(figure -> titles.add(title(figure)));
    return titles;
  }

  private static List<Figure> points(List<Figure> figures) {
    return figures.stream().filter(figure -> figure.point().isPresent()).toList();
  }

  private static List<Figure> bars(List<Figure> figures) {
    return figures.stream().filter(figure -> figure.point().isEmpty()).toList();
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

  private static String title(Figure figure) {
    return figure
        .point()
        .map(Point::plot)
        .orElseGet(() -> figure.part() + ", " + (figure.isRatio() ? "ratios" : figure.unit()));
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
      chart.addSeries(series.getKey(), labels, values).setLabel(broken(series.getKey()));
    }
    chart.getStyler().setYAxisMin(0.0);
    return Plot.of(title, chart);
  }

  /** The x axis is time, and each line has points of its own on it. */
  private static Plot overTime(String title, List<Figure> figures) throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(LINES_HEIGHT)
            .title(title)
            .xAxisTitle(point(figures.get(0)).axis())
            .yAxisTitle(figures.get(0).unit())
            .build();
    style(chart.getStyler());
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setYAxisMin(0.0);
    for (var series : grouped(figures, figure -> point(figure).series()).entrySet()) {
      List<Double> seconds = series.getValue().stream().map(one -> point(one).x()).toList();
      List<Double> values = series.getValue().stream().map(Figure::median).toList();
      chart.addSeries(series.getKey(), seconds, values).setMarker(SeriesMarkers.NONE);
    }
    return Plot.of(title, chart);
  }

  /** Else a legend of long names would leave no room for the lines. */
  private static String broken(String name) {
    return name.length() > NAME_WIDTH ? name.replace(", ", ",\n") : name;
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
