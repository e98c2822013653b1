// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A report as JSON, for programs: an object for one run, and for several an object with a list of
 * them. {@link ReportReader} reads it again.
 */
public final class ReportJson {

  /** The unit of a ratio. */
  static final String RATIO = "ratio";

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private ReportJson() {}

  /** Of one run or several. */
  public static String of(List<Measurement> runs) throws IOException {
    ObjectNode root = JSON.createObjectNode();
    if (runs.size() == 1) {
      put(root, runs.get(0));
    } else {
      ArrayNode several = root.putArray("runs");
      runs.forEach(run -> put(several.addObject(), run));
    }
    return JSON.writeValueAsString(root) + "\n";
  }

  private static void put(ObjectNode root, Measurement report) {
    root.put("started", report.started().toString());
    root.put("seconds", report.took().toMillis() / 1e3);
    root.put("command", report.command());
    putAll(root.putObject("versions"), report.environment().versions());
    putAll(root.putObject("machine"), report.environment().machine());
    ArrayNode figures = root.putArray("figures");
    report.figures().forEach(figure -> put(figures.addObject(), figure));
    ArrayNode findings = root.putArray("findings");
    report.findings().forEach(one -> put(findings.addObject(), one));
    ArrayNode failures = root.putArray("failures");
    for (FailedWork failure : report.failures()) {
      failures
          .addObject()
          .put("part", failure.part())
          .put("work", failure.work())
          .put("message", failure.message());
    }
  }

  private static void putAll(ObjectNode object, Map<String, String> values) {
    values.forEach(object::put);
  }

  /** A row is an object of the columns' names. */
  private static void put(ObjectNode object, Findings findings) {
    object.put("part", findings.part());
    object.put("title", findings.title());
    ArrayNode columns = object.putArray("columns");
    findings.columns().forEach(columns::add);
    ArrayNode rows = object.putArray("rows");
    for (List<String> cells : findings.rows()) {
      ObjectNode row = rows.addObject();
      for (int i = 0; i < cells.size(); i++) {
        row.put(findings.columns().get(i), cells.get(i));
      }
    }
  }

  private static void put(ObjectNode object, Figure figure) {
    object.put("part", figure.part());
    object.put("name", figure.name());
    object.put("unit", figure.isRatio() ? RATIO : figure.unit());
    object.put("median", figure.median());
    object.put("min", figure.min());
    object.put("max", figure.max());
    object.put("spread", figure.spread());
    ArrayNode repeats = object.putArray("repeats");
    figure.repeats().forEach(repeats::add);
    figure
        .goal()
        .ifPresent(
            goal ->
                object
                    .putObject("goal")
                    .put("bound", goal.bound().sign())
                    .put("limit", goal.limit())
                    .put("met", goal.metBy(figure.median())));
    figure
        .point()
        .ifPresent(
            point ->
                object
                    .putObject("point")
                    .put("plot", point.plot())
                    .put("series", point.series())
                    .put("axis", point.axis())
                    .put("x", point.x()));
  }
}
