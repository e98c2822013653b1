package io.radosfs.integration.ceph;

import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * Stops the shared cluster when the last test has ended. In a shutdown hook it would take longer
 * than Surefire waits for its JVM to end.
 */
public final class StopsClusterAtEnd implements TestExecutionListener {

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    SharedCephCluster.stop();
  }
}
