// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.ceph;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops the shared cluster when the last test of this JVM has ended, after the file systems in
 * Hadoop's cache, which would wait for it. In shutdown hooks that would take longer than Surefire
 * waits for its JVM to end. With several JVMs each class is a test plan of its own, so a plan's end
 * is not the end.
 */
public final class StopsClusterAtEnd implements LauncherSessionListener {

  private static final Logger LOG = LoggerFactory.getLogger(StopsClusterAtEnd.class);

  @Override
  public void launcherSessionClosed(LauncherSession session) {
    try {
      FileSystem.closeAll();
    } catch (IOException e) {
      LOG.info("File systems were left open whose pools are gone: {}", e.getMessage());
    } finally {
      SharedCephCluster.stop();
    }
  }
}
