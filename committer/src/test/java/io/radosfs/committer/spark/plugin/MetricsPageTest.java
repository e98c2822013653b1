// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.connector.docs.Repository;
import io.radosfs.connector.metrics.Metric;
import io.radosfs.connector.metrics.ProcessMetrics;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of metrics has what is published, and nothing else; so has the dashboard. */
class MetricsPageTest {

  private static final Pattern QUERIED =
      Pattern.compile("metrics_spark_driver_plugin_io_radosfs_RadosPlugin_(\\w+)_Value");

  private static final String DASHBOARD = "config-examples/grafana-dashboard.json";

  private static String row(Metric metric) {
    return String.format(
        "| `%s` | %s | %s | %s |",
        metric.name(),
        metric.type().name().toLowerCase(Locale.ROOT),
        metric.unit().name().toLowerCase(Locale.ROOT),
        metric.meaning());
  }

  @Test
  void thePageHasAllMetricsInTheirOrder() {
    List<String> rows =
        Repository.page("committer/docs/metrics.md")
            .lines()
            .filter(line -> line.startsWith("| `rados_"))
            .toList();
    assertThat(rows)
        .containsExactlyElementsOf(
            ProcessMetrics.get().all().stream().map(MetricsPageTest::row).toList());
  }

  @Test
  void theDashboardAsksForWhatIsPublished() {
    List<String> published =
        Stream.concat(
                ProcessMetrics.get().all().stream().map(Metric::name),
                PublishedMetrics.ofExecutors().stream().map(metric -> "executors_" + metric.name()))
            .toList();
    Matcher queried = QUERIED.matcher(Repository.page(DASHBOARD));
    int count = 0;
    while (queried.find()) {
      assertThat(published).contains(queried.group(1));
      count++;
    }
    assertThat(count).isGreaterThan(20);
  }

  /** What Grafana needs to show a panel, and its data from the Prometheus that is chosen. */
  @Test
  void eachPanelOfTheDashboardCanBeShown() throws IOException {
    JsonNode dashboard = new ObjectMapper().readTree(Repository.page(DASHBOARD));
    assertThat(dashboard.at("/templating/list").findValuesAsText("name"))
        .contains("datasource", "instance");
    int shown = 0;
    for (JsonNode panel : dashboard.get("panels")) {
      assertThat(panel.path("title").asText()).as(panel.toString()).isNotBlank();
      if (panel.path("type").asText().equals("row")) {
        continue;
      }
      String title = panel.get("title").asText();
      assertThat(panel.at("/fieldConfig/defaults/unit").asText())
          .as("unit of " + title)
          .isNotBlank();
      assertAsksTheChosen(title, panel);
      assertThat(panel.path("targets").size()).as("targets of " + title).isPositive();
      for (JsonNode target : panel.get("targets")) {
        assertAsksTheChosen(title, target);
        String query = target.path("expr").asText();
        assertThat(query).as("query of " + title).isNotBlank();
        assertThat(unclosed(query)).as("unclosed in " + query).isEmpty();
      }
      shown++;
    }
    assertThat(shown).isGreaterThan(15);
  }

  private static void assertAsksTheChosen(String title, JsonNode asking) {
    assertThat(asking.at("/datasource/type").asText()).as(title).isEqualTo("prometheus");
    assertThat(asking.at("/datasource/uid").asText()).as(title).isEqualTo("${datasource}");
  }

  /** The parentheses that are left when each pair is taken out, from the inside. */
  private static String unclosed(String query) {
    String left = query.replaceAll("[^(){}\\[\\]]", "");
    String before;
    do {
      before = left;
      left = left.replaceAll("\\(\\)|\\[\\]|\\{\\}", "");
    } while (!left.equals(before));
    return left;
  }
}
