// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.metrics;

import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsException;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The numbers of this process as a source of Hadoop's metrics, with the name {@value #NAME}: one
 * record, whose context is {@value #CONTEXT}.
 *
 * <p>It is registered with the process's own metrics system, and does not start it. So a process
 * without one, such as Spark's, has no further thread and no warning that there is no configuration
 * for it. In a process with one the sinks that are configured get it, also if the system is started
 * later.
 */
record HadoopMetrics(ProcessMetrics metrics) implements MetricsSource {

  static final String NAME = "radosfs";
  static final String CONTEXT = "rados";

  private static final Logger LOG = LoggerFactory.getLogger(HadoopMetrics.class);

  void register() {
    try {
      Object unused =
          DefaultMetricsSystem.instance().register(NAME, "radosfs, of this process", this);
    } catch (MetricsException e) {
      // Such as that of another class loader's radosfs, which is there already.
      LOG.debug("radosfs is not among Hadoop's metrics", e);
    }
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(NAME).setContext(CONTEXT);
    for (Metric metric : metrics.all()) {
      MetricsInfo info = Interns.info(metric.name(), metric.meaning());
      long value = metrics.value(metric);
      if (metric.type() == Metric.Type.COUNTER) {
        record.addCounter(info, value);
      } else {
        record.addGauge(info, value);
      }
    }
  }
}
