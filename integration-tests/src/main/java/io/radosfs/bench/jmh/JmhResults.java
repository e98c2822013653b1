// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.jmh;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What one run of JMH has written ({@code -rf json}), in microseconds a call. */
record JmhResults(ArrayNode root) {

  private static final String UNIT = "us/op";
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Where the machine has its files, which tells nothing to others. */
  private static final List<String> OF_THE_MACHINE = List.of("jvm", "jvmArgs");

  /**
   * Reads them.
   *
   * @throws IOException if the file has none, or others
   */
  static JmhResults read(Path file) throws IOException {
    if (!(JSON.readTree(file.toFile()) instanceof ArrayNode root) || root.isEmpty()) {
      throw new IOException(file + " has no results of JMH");
    }
    for (JsonNode one : root) {
      JsonNode metric = one.path("primaryMetric");
      if (!metric.path("scoreUnit").asText().equals(UNIT) || !metric.path("rawData").isArray()) {
        throw new IOException(file + " has a result that is not in " + UNIT + ": " + one);
      }
    }
    return new JmhResults(root);
  }

  /** A value for each iteration of each fork, by the benchmark's name with its parameters. */
  Map<String, List<Double>> iterations() {
    Map<String, List<Double>> iterations = new TreeMap<>();
    for (JsonNode one : root) {
      List<Double> values = new ArrayList<>();
      for (JsonNode fork : one.at("/primaryMetric/rawData")) {
        fork.forEach(value -> values.add(value.asDouble()));
      }
      iterations.put(name(one), values);
    }
    return iterations;
  }

  /** The mean of all iterations, by the benchmark's name with its parameters. */
  Map<String, Double> scores() {
    Map<String, Double> scores = new TreeMap<>();
    root.forEach(one -> scores.put(name(one), one.at("/primaryMetric/score").asDouble()));
    return scores;
  }

  private static String name(JsonNode one) {
    String whole = one.path("benchmark").asText();
    String method = whole.substring(whole.lastIndexOf('.') + 1);
    String parameters =
        one.path("params").properties().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue().asText())
            .sorted()
            .collect(Collectors.joining(", "));
    return parameters.isEmpty() ? method : method + " (" + parameters + ")";
  }

  /** How it was measured. */
  Map<String, String> versions() {
    JsonNode first = root.get(0);
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put("JMH", first.path("jmhVersion").asText());
    versions.put("JDK", first.path("jdkVersion").asText());
    versions.put("JVM", first.path("vmName").asText() + " " + first.path("vmVersion").asText());
    return versions;
  }

  /** All of it but the machine's paths, to be kept in the repository. */
  String toBeKept() throws IOException {
    ArrayNode kept = root.deepCopy();
    kept.forEach(one -> ((ObjectNode) one).remove(OF_THE_MACHINE));
    return JSON.writeValueAsString(kept) + "\n";
  }
}
