// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads what {@link ReportJson} wrote, of today's releases and earlier ones. */
public final class ReportReader {

  private static final ObjectMapper JSON = new ObjectMapper();

  private ReportReader() {}

  /**
   * The runs of some reports, each run once, in the order in which they are found.
   *
   * @param reports each a report's directory, or its JSON
   */
  public static List<Measurement> runs(List<Path> reports) throws IOException {
    List<Measurement> runs = new ArrayList<>();
    for (Path report : reports) {
      Path file = Files.isDirectory(report) ? report.resolve(ReportDirectory.JSON) : report;
      JsonNode root = JSON.readTree(file.toFile());
      try {
        if (root.has("runs")) {
          root.get("runs").forEach(run -> runs.add(run(run)));
        } else {
          runs.add(run(root));
        }
      } catch (IllegalArgumentException | DateTimeException e) {
        throw new IOException(file + " is no report of scripts/bench: " + e.getMessage(), e);
      }
    }
    // A report of several may be read beside one of those that it was made of.
    return runs.stream().distinct().toList();
  }

  private static Measurement run(JsonNode run) {
    return new Measurement(
        Instant.parse(text(run, "started")),
        Duration.ofMillis(Math.round(needed(run, "seconds").asDouble() * 1e3)),
        text(run, "command"),
        new Environment(texts(needed(run, "versions")), texts(needed(run, "machine"))),
        elements(needed(run, "figures")).map(ReportReader::figure).toList(),
        elements(run.path("findings")).flatMap(table -> findings(table).stream()).toList(),
        // Before failures were told, a run that had one had no report.
        elements(run.path("failures")).map(ReportReader::failure).toList());
  }

  private static Figure figure(JsonNode figure) {
    String unit = text(figure, "unit");
    return new Figure(
        text(figure, "part"),
        text(figure, "name"),
        unit.equals(ReportJson.RATIO) ? "" : unit,
        elements(needed(figure, "repeats")).map(JsonNode::asDouble).toList(),
        Optional.ofNullable(figure.get("goal")).map(ReportReader::goal),
        Optional.ofNullable(figure.get("point")).map(ReportReader::point));
  }

  private static Goal goal(JsonNode goal) {
    String sign = text(goal, "bound");
    Goal.Bound bound =
        Stream.of(Goal.Bound.values())
            .filter(one -> one.sign().equals(sign))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no goal has the bound " + sign));
    return new Goal(bound, needed(goal, "limit").asDouble());
  }

  private static Point point(JsonNode point) {
    return new Point(
        text(point, "plot"),
        text(point, "series"),
        text(point, "axis"),
        needed(point, "x").asDouble());
  }

  /** Nothing of a table without rows, where it does not tell its columns: earlier ones did not. */
  private static Optional<Findings> findings(JsonNode table) {
    List<JsonNode> rows = elements(needed(table, "rows")).toList();
    List<String> columns = elements(table.path("columns")).map(JsonNode::asText).toList();
    if (columns.isEmpty() && rows.isEmpty()) {
      return Optional.empty();
    }
    List<String> names = columns.isEmpty() ? List.copyOf(texts(rows.get(0)).keySet()) : columns;
    List<List<String>> cells =
        rows.stream().map(row -> names.stream().map(name -> text(row, name)).toList()).toList();
    return Optional.of(new Findings(text(table, "part"), text(table, "title"), names, cells));
  }

  private static FailedWork failure(JsonNode failure) {
    return new FailedWork(text(failure, "part"), text(failure, "work"), text(failure, "message"));
  }

  private static Map<String, String> texts(JsonNode object) {
    Map<String, String> texts = new LinkedHashMap<>();
    object.properties().forEach(field -> texts.put(field.getKey(), field.getValue().asText()));
    return texts;
  }

  private static Stream<JsonNode> elements(JsonNode array) {
    List<JsonNode> elements = new ArrayList<>();
    array.forEach(elements::add);
    return elements.stream();
  }

  private static String text(JsonNode object, String field) {
    return needed(object, field).asText();
  }

  private static JsonNode needed(JsonNode object, String field) {
    JsonNode value = object.get(field);
    if (value == null) {
      throw new IllegalArgumentException("it has no " + field);
    }
    return value;
  }
}
