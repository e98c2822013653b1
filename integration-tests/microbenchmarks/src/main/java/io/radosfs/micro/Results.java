// SPDX-License-Identifier: Apache-2.0
package io.radosfs.micro;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * The results of one run of JMH.
 *
 * @param scores by the name of the benchmark with its parameters, in microseconds a call
 */
record Results(SortedMap<String, Double> scores) {

  private static final String UNIT = "us/op";

  /** Reads what JMH has written with {@code -rf json}. */
  static Results read(Path file) throws IOException {
    SortedMap<String, Double> scores = new TreeMap<>();
    for (JsonNode benchmark : new ObjectMapper().readTree(file.toFile())) {
      JsonNode metric = benchmark.path("primaryMetric");
      if (!metric.path("scoreUnit").asText().equals(UNIT) || !metric.path("score").isNumber()) {
        throw new IOException(file + " has a result that is not in " + UNIT + ": " + benchmark);
      }
      scores.put(name(benchmark), metric.path("score").asDouble());
    }
    return new Results(scores);
  }

  private static String name(JsonNode benchmark) {
    String whole = benchmark.path("benchmark").asText();
    Map<String, JsonNode> parameters = new TreeMap<>();
    benchmark.path("params").properties().forEach(e -> parameters.put(e.getKey(), e.getValue()));
    String name = whole.substring(whole.lastIndexOf('.') + 1);
    return parameters.isEmpty()
        ? name
        : name
            + StreamSupport.stream(parameters.entrySet().spliterator(), false)
                .map(e -> e.getKey() + "=" + e.getValue().asText())
                .collect(Collectors.joining(", ", " (", ")"));
  }
}
