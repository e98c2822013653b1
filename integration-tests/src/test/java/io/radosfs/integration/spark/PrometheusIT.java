// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.RadosPlugin;
import io.radosfs.committer.CommitterOptions;
import io.radosfs.connector.metrics.Metric;
import io.radosfs.connector.metrics.ProcessMetrics;
import io.radosfs.connector.mount.LibradosConnections;
import io.radosfs.integration.failures.SparkProcesses;
import io.radosfs.integration.programs.WatchedApp;
import io.radosfs.workbench.SparkSessions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a Prometheus gets of a driver whose executors are processes of their own, at the driver's
 * endpoint.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PrometheusIT {

  private static final Pattern LINE =
      Pattern.compile(
          "(?m)^metrics_spark_driver_plugin_io_radosfs_RadosPlugin_(\\w+)_Value\\{[^}]*\\} (\\S+)$");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long MOST_SECONDS = 60;

  @TempDir static Path folder;

  private static SparkProcesses processes;
  private static SparkOnCeph on;
  private static WebPages pages;

  @BeforeAll
  static void start() throws Exception {
    processes =
        SparkProcesses.start(
            folder,
            WatchedApp.class,
            SparkSessions.PROTOCOL,
            LibradosConnections.class,
            PrometheusIT::set);
    on = processes.on();
    pages = new WebPages(URI.create(processes.driver().answer()));
  }

  private static void set(Map<String, String> settings) {
    settings.put("spark.plugins", RadosPlugin.class.getName());
    settings.put("spark.hadoop." + CommitterOptions.PLUGIN_METRICS_INTERVAL.key(), "500ms");
    settings.put("spark.ui.enabled", "true");
    settings.put("spark.ui.port", "0");
    settings.put("spark.metrics.namespace", "spark");
    String sink = "spark.metrics.conf.*.sink.prometheusServlet.";
    settings.put(sink + "class", "org.apache.spark.metrics.sink.PrometheusServlet");
    settings.put(sink + "path", "/metrics/prometheus");
  }

  @AfterAll
  static void stop() {
    if (processes != null) {
      processes.close();
    }
  }

  /** The first, as counters begin at zero. */
  @Test
  @Order(1)
  void theNumbersAreThoseOfTheTable() throws Exception {
    tell("write", "table");
    long bytes = on.dataFiles("table").stream().mapToLong(FileStatus::getLen).sum();
    long success = on.fileSystem().getFileStatus(on.path("table/_SUCCESS")).getLen();
    Map<String, Long> written = await("executors_rados_tasks_committed", WatchedApp.TASKS);
    for (Metric metric : ProcessMetrics.get().all()) {
      assertThat(written).containsKey(metric.name());
      if (metric.type() != Metric.Type.IDENTITY) {
        assertThat(written).containsKey("executors_" + metric.name());
      }
    }

    assertThat(written)
        .as("of the driver")
        .containsEntry("rados_jobs_committed", 1L)
        .containsEntry("rados_jobs_failed", 0L)
        .containsEntry("rados_jobs_files", (long) WatchedApp.TASKS)
        .containsEntry("rados_jobs_bytes", bytes)
        .containsEntry("rados_tasks_committed", 0L)
        .containsEntry("rados_data_write", 1L)
        .containsEntry("rados_data_write_ended", 1L)
        .containsEntry("rados_bytes_written", success)
        .containsEntry("rados_op_in_flight", 0L)
        .containsEntry("rados_file_systems", 1L);
    assertThat(written.get("rados_client")).isPositive();
    assertThat(written.get("rados_jobs_commit_millis")).isPositive();
    assertThat(written.get("rados_index_write_p99_micros"))
        .isPositive()
        .isLessThanOrEqualTo(written.get("rados_index_write_max_micros"));
    assertThat(written)
        .as("of all executors")
        .containsEntry("executors_rados_data_write", (long) WatchedApp.TASKS)
        .containsEntry("executors_rados_data_write_ended", (long) WatchedApp.TASKS)
        .containsEntry("executors_rados_bytes_written", bytes)
        .containsEntry("executors_rados_jobs_committed", 0L)
        .containsEntry("executors_rados_op_failed", 0L)
        .containsEntry("executors_rados_op_in_flight", 0L)
        .containsEntry("executors_rados_buffers_in_use", 0L);
    assertThat(written.get("executors_rados_data_write_micros")).isPositive();
    assertThat(written.get("executors_rados_buffers_most")).isPositive();

    assertThat(tell("read", "table")).isEqualTo(Long.toString(WatchedApp.ROWS));
    // The column of text is most of each file.
    Map<String, Long> read = await("executors_rados_bytes_read", bytes / 2);
    assertThat(read.get("executors_rados_bytes_read")).isBetween(bytes / 2, bytes * 2);
    assertThat(read.get("executors_rados_bytes_written")).isEqualTo(bytes);
    assertThat(read.get("executors_rados_file_systems")).isEqualTo(2);
  }

  /** Spark's own figures, around our commit; the page says that they are there. */
  @Test
  void theSqlPageHasTheFiguresOfTheWrite() throws Exception {
    int before = writesOnThePage().size();
    tell("write", "on-the-page");
    long deadline = System.nanoTime() + MOST_SECONDS * 1_000_000_000;
    List<Map<String, String>> shown = writesOnThePage();
    // Spark tells its page of what has ended a little later.
    while (shown.size() == before || !shown.get(before).containsKey("job commit time")) {
      assertThat(System.nanoTime()).as("%s", shown).isLessThan(deadline);
      Thread.sleep(200);
      shown = writesOnThePage();
    }
    assertThat(shown).hasSize(before + 1);
    assertThat(shown.get(before))
        .containsEntry("number of written files", Integer.toString(WatchedApp.TASKS))
        .containsEntry("number of output rows", "30,000")
        .containsKeys("job commit time", "written output");
  }

  /** The figures of each execution that writes files, in their order. */
  private static List<Map<String, String>> writesOnThePage() throws Exception {
    SortedMap<Long, Map<String, String>> writes = new TreeMap<>();
    for (JsonNode execution : JSON.readTree(pages.get(pages.application() + "/sql"))) {
      for (JsonNode node : execution.get("nodes")) {
        if (node.get("nodeName").asText().equals("Execute InsertIntoHadoopFsRelationCommand")) {
          Map<String, String> figures = new TreeMap<>();
          node.get("metrics")
              .forEach(each -> figures.put(each.get("name").asText(), each.get("value").asText()));
          writes.put(execution.get("id").asLong(), figures);
        }
      }
    }
    return List.copyOf(writes.values());
  }

  private static String tell(String what, String table) throws IOException {
    processes.driver().tell(what + " " + on.uri(table));
    return processes.driver().answer();
  }

  /** All numbers, once one is at least so large. */
  private static Map<String, Long> await(String name, long least) throws Exception {
    long deadline = System.nanoTime() + MOST_SECONDS * 1_000_000_000;
    Map<String, Long> numbers = numbers();
    while (numbers.getOrDefault(name, 0L) < least) {
      assertThat(System.nanoTime()).as("%s in %s", name, numbers).isLessThan(deadline);
      Thread.sleep(200);
      numbers = numbers();
    }
    return numbers;
  }

  private static Map<String, Long> numbers() throws IOException, InterruptedException {
    String page = pages.get("/metrics/prometheus/");
    Map<String, Long> numbers = new TreeMap<>();
    Matcher line = LINE.matcher(page);
    while (line.find()) {
      numbers.put(line.group(1), Long.parseLong(line.group(2)));
    }
    assertThat(numbers).as(page).isNotEmpty();
    return numbers;
  }
}
