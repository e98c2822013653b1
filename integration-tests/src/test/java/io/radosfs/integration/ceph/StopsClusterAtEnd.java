package io.radosfs.integration.ceph;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops the shared cluster when the last test has ended, after the file systems in Hadoop's cache,
 * which would wait for it. In shutdown hooks that would take longer than Surefire waits for its JVM
 * to end.
 */
public final class StopsClusterAtEnd implements TestExecutionListener {

  private static final Logger LOG = LoggerFactory.getLogger(StopsClusterAtEnd.class);

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    try {
      FileSystem.closeAll();
    } catch (IOException e) {
      LOG.info("File systems were left open whose pools are gone: {}", e.getMessage());
    } finally {
      SharedCephCluster.stop();
    }
  }
}
