// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.data.BufferPool;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.RadosStatistic;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;
import org.apache.hadoop.metrics2.impl.MetricsSystemImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("some of it is of the whole process")
class ProcessMetricsTest {

  private final ProcessMetrics metrics = new ProcessMetrics(System::nanoTime);

  private long value(String name) {
    return metrics.getLong(name);
  }

  @Test
  void whatIsClosedStaysCountedAndIsForgotten() {
    IOStatisticsStore first = RadosStatistic.newStore();
    IOStatisticsStore second = RadosStatistic.newStore();
    metrics.add(first);
    metrics.add(second);
    first.incrementCounter("rados_op_read", 3);
    second.incrementCounter("rados_op_read", 4);
    assertThat(value("rados_op_read")).isEqualTo(7);
    assertThat(value("rados_file_systems")).isEqualTo(2);
    metrics.end(first);
    metrics.end(first);
    first.incrementCounter("rados_op_read", 100);
    assertThat(value("rados_op_read")).isEqualTo(7);
    assertThat(value("rados_file_systems")).isEqualTo(1);
  }

  @Test
  void resetConcernsCountersAlone() {
    IOStatisticsStore open = RadosStatistic.newStore();
    metrics.add(open);
    open.incrementCounter("rados_op_read", 3);
    metrics.jobs().committed(2, 10, 5_000_000);
    BufferPool buffers = new BufferPool(1 << 20);
    metrics.useBuffers(buffers);
    BufferPool.Lease lease = buffers.acquire(100);
    metrics.reset();
    assertThat(value("rados_op_read")).isZero();
    assertThat(value("rados_jobs_committed")).isZero();
    assertThat(value("rados_buffers_in_use")).isEqualTo(BufferPool.SMALLEST);
    open.incrementCounter("rados_op_read", 1);
    metrics.end(open);
    assertThat(value("rados_op_read")).isEqualTo(1);
    assertThat(open.counters()).as("its own").containsEntry("rados_op_read", 4L);
    lease.close();
    assertThat(value("rados_buffers_in_use")).isZero();
    assertThat(value("rados_buffers_kept")).isEqualTo(BufferPool.SMALLEST);
    assertThat(value("rados_buffers_limit")).isEqualTo(1 << 20);
  }

  @Test
  void jobs() {
    metrics.jobs().committed(2, 10, 5_000_000);
    metrics.jobs().committed(3, 7, 2_900_000);
    metrics.jobs().failed();
    metrics.jobs().aborted();
    metrics.jobs().taskCommitted();
    Map<String, Long> jobs = new TreeMap<>();
    metrics.getLongStatistics().forEachRemaining(each -> jobs.put(each.getName(), each.getValue()));
    jobs.values().removeIf(count -> count == 0);
    assertThat(jobs)
        .isEqualTo(
            Map.of(
                "rados_jobs_committed", 2L,
                "rados_jobs_files", 5L,
                "rados_jobs_bytes", 17L,
                "rados_jobs_commit_millis", 7L,
                "rados_jobs_last_commit_millis", 2L,
                "rados_jobs_failed", 1L,
                "rados_jobs_aborted", 1L,
                "rados_tasks_committed", 1L));
  }

  @Test
  void whatIsUnknownIsNotTracked() {
    assertThat(metrics.isTracked("rados_op_read")).isTrue();
    assertThat(metrics.isTracked("other")).isFalse();
    assertThat(metrics.getLong("other")).isNull();
  }

  /** As any Hadoop process shows it: by JMX, and so to every sink. */
  @Test
  void hadoopsMetricsHaveThem() throws Exception {
    MetricsSystemImpl system = new MetricsSystemImpl("radosfsTest");
    system.start();
    try {
      metrics.jobs().committed(2, 10, 5_000_000);
      Object unused = system.register("radosfsTest", "", new HadoopMetrics(metrics));
      ObjectName name = new ObjectName("Hadoop:service=radosfsTest,name=radosfsTest");
      for (Metric metric : metrics.all()) {
        assertThat(ManagementFactory.getPlatformMBeanServer().getAttribute(name, metric.name()))
            .as(metric.name())
            .isEqualTo(metrics.value(metric));
      }
      assertThat(ManagementFactory.getPlatformMBeanServer().getAttribute(name, "rados_jobs_files"))
          .isEqualTo(2L);
    } finally {
      system.stop();
      boolean unused = system.shutdown();
    }
  }

  @Test
  void thoseOfThisProcessAreRegistered() {
    ProcessMetrics own = ProcessMetrics.get();
    assertThat(ProcessMetrics.get()).isSameAs(own);
    assertThat(GlobalStorageStatistics.INSTANCE.get(ProcessMetrics.NAME)).isSameAs(own);
    assertThat(DefaultMetricsSystem.instance().getSource(HadoopMetrics.NAME))
        .isEqualTo(new HadoopMetrics(own));
  }

  /** File systems come and go; what they have counted stays. */
  @Test
  void fileSystemsThatAreClosedLeaveTheirCounts() throws IOException {
    SimulatedCluster cluster = SimulatedCluster.withPools("p");
    ProcessMetrics own = ProcessMetrics.get();
    Configuration conf = SimulatedConnections.configuration(cluster);
    long before = own.getLong("rados_file_systems");
    for (int i = 0; i < 5; i++) {
      long written = own.getLong("rados_bytes_written");
      long answered = own.getLong("rados_data_write_ended");
      try (FileSystem fs = FileSystem.newInstance(URI.create("rados://p/"), conf);
          FSDataOutputStream out = fs.create(new Path("/f" + i))) {
        out.write(new byte[1000]);
      }
      assertThat(own.getLong("rados_bytes_written") - written).isGreaterThanOrEqualTo(1000);
      assertThat(own.getLong("rados_data_write_ended") - answered).isPositive();
    }
    assertThat(own.getLong("rados_file_systems")).isEqualTo(before);
  }
}
