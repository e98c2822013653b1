// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.docs.Repository;
import io.radosfs.connector.metrics.Metric;
import io.radosfs.connector.metrics.ProcessMetrics;
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
    Matcher queried = QUERIED.matcher(Repository.page("config-examples/grafana-dashboard.json"));
    int count = 0;
    while (queried.find()) {
      assertThat(published).contains(queried.group(1));
      count++;
    }
    assertThat(count).isGreaterThan(20);
  }
}
