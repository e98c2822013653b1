// SPDX-License-Identifier: Apache-2.0
package io.radosfs;

import io.radosfs.committer.spark.plugin.DriverSide;
import io.radosfs.committer.spark.plugin.ExecutorSide;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Makes Spark ready for {@code rados://} by one setting: {@code
 * spark.plugins=io.radosfs.RadosPlugin}.
 *
 * <p>On the driver, it sets what Spark and Hadoop need to find radosfs and its committer, where
 * that is unset. On the driver and on each executor, it tries to reach Ceph before any task runs,
 * and gives Spark's metrics the counts of RADOS operations. The application ends at once, with the
 * reason, if something is missing.
 */
public final class RadosPlugin implements SparkPlugin {

  @Override
  public DriverPlugin driverPlugin() {
    return new DriverSide();
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new ExecutorSide();
  }
}
