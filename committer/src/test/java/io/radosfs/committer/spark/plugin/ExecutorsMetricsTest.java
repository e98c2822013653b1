// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.metrics.Metric;
import io.radosfs.connector.metrics.Metric.Type;
import io.radosfs.connector.metrics.Metric.Unit;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExecutorsMetricsTest {

  private static final Metric COUNTER = new Metric("c", Type.COUNTER, Unit.COUNT, "");
  private static final Metric GAUGE = new Metric("g", Type.GAUGE, Unit.BYTES, "");
  private static final Metric PEAK = new Metric("p", Type.PEAK, Unit.MICROSECONDS, "");

  private final AtomicLong now = new AtomicLong();
  private final ExecutorsMetrics executors = new ExecutorsMetrics(Duration.ofSeconds(10), now::get);

  /** By the message, as between processes. */
  private void tell(String executor, boolean isLast, long value) {
    Map<String, Long> values = Map.of("c", value, "g", value, "p", value);
    Object message = new MetricsReport(executor, isLast, values).message();
    assertThat(MetricsReport.isReport(message)).isTrue();
    assertThat(KeyTransfer.isQuestion(message)).isFalse();
    executors.take(MetricsReport.of(message));
  }

  private void assertValues(long counter, long gauge, long peak) {
    assertThat(executors.value(COUNTER)).isEqualTo(counter);
    assertThat(executors.value(GAUGE)).isEqualTo(gauge);
    assertThat(executors.value(PEAK)).isEqualTo(peak);
  }

  @Test
  void countersAreAddedAndOfPeaksTheLargestIsTaken() {
    assertValues(0, 0, 0);
    tell("1", false, 5);
    tell("2", false, 7);
    assertValues(12, 12, 7);
    tell("1", false, 6);
    assertValues(13, 13, 7);
  }

  @Test
  void ofAnExecutorThatHasEndedOnlyTheCountersStay() {
    tell("1", false, 5);
    tell("2", false, 7);
    tell("2", true, 8);
    assertValues(13, 5, 5);
  }

  @Test
  void soItIsOfAnExecutorThatWasKilled() {
    tell("1", false, 5);
    now.addAndGet(Duration.ofSeconds(25).toNanos());
    tell("2", false, 7);
    assertValues(12, 12, 7);
    now.addAndGet(Duration.ofSeconds(25).toNanos());
    assertValues(12, 7, 7);
  }

  private void remove(String executor) {
    new RemovedExecutors(executors)
        .onExecutorRemoved(new SparkListenerExecutorRemoved(0, executor, "idle"));
  }

  @Test
  void ofAnExecutorThatSparkHasRemovedTheCountersStay() {
    tell("1", false, 5);
    tell("2", false, 7);
    remove("2");
    assertValues(12, 5, 5);
  }

  /** Spark removes it, or the last report comes, while another is under way. */
  @Test
  void lateReportsOfAnExecutorAreCountedOnce() {
    tell("1", false, 5);
    remove("1");
    tell("1", true, 8);
    tell("1", false, 7);
    assertValues(8, 0, 0);
    tell("2", true, 3);
    tell("2", false, 2);
    remove("2");
    remove("3");
    tell("3", false, 4);
    assertValues(15, 0, 0);
  }

  /** Its numbers are in the sum of those that went before the last ones. */
  @Test
  void aReportThatComesLongAfterItsExecutorWentIsNotCountedOnceMore() {
    for (int k = 0; k <= ExecutorsMetrics.MOST_GONE; k++) {
      tell("k" + k, false, 1);
      remove("k" + k);
    }
    tell("k0", false, 1);
    tell("k0", true, 1);
    remove("k0");
    assertValues(ExecutorsMetrics.MOST_GONE + 1, 0, 0);
  }

  /** Which it may be for long, and tell something again. */
  @Test
  void aSilentExecutorIsCountedOnce() {
    tell("1", false, 5);
    now.addAndGet(Duration.ofHours(1).toNanos());
    for (int k = 0; k < 2 * ExecutorsMetrics.MOST_GONE; k++) {
      tell("k" + k, true, 1);
    }
    tell("1", false, 6);
    assertValues(6 + 2 * ExecutorsMetrics.MOST_GONE, 6, 6);
  }

  /** As with dynamic allocation, for weeks. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ofManyExecutorsThatCameAndWentLittleIsKept(boolean killed) {
    for (int k = 0; k < 5_000; k++) {
      tell("k" + k, false, 1);
      if (!killed) {
        tell("k" + k, true, 2);
      }
      remove("k" + k);
    }
    tell("here", false, 3);
    assertValues(killed ? 5_003 : 10_003, 3, 3);
    assertThat(executors.held()).isEqualTo(ExecutorsMetrics.MOST_GONE + 1);
  }

  @Test
  void otherMessagesAreNoReports() {
    assertThat(MetricsReport.isReport("x")).isFalse();
    assertThat(MetricsReport.isReport(new String[] {"radosfs: the key of", "pool"})).isFalse();
  }

  @Test
  void aReportHasAllThatIsPublishedForExecutors() {
    MetricsReport report = MetricsReport.ofThisProcess("1", false);
    assertThat(report.values().keySet())
        .contains("rados_op_read", "rados_data_write_p99_micros", "rados_tasks_committed")
        .doesNotContain("rados_client");
    assertThat(MetricsReport.of(report.message())).isEqualTo(report);
  }
}
