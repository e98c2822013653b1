package io.radosfs.integration.ceph;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.fs.FileSystem;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * Stops the shared cluster when the last test has ended, after the file systems in Hadoop's cache,
 * which would wait for it. In shutdown hooks that would take longer than Surefire waits for its JVM
 * to end.
 */
public final class StopsClusterAtEnd implements TestExecutionListener {

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    try {
      FileSystem.closeAll();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      SharedCephCluster.stop();
    }
  }
}
