// SPDX-License-Identifier: Apache-2.0
package io.radosfs.yarn;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;

/**
 * A YARN of one resource manager and one node manager, which starts containers as processes. It
 * writes {@code yarn-site.xml} to a folder, prints {@code ready}, and ends with its input.
 */
public final class SmallYarn {

  private static final int MEMORY_MB = 6144;

  private SmallYarn() {}

  public static void main(String[] folder) {
    try {
      run(Path.of(folder[0]));
    } catch (IOException | RuntimeException | Error e) {
      e.printStackTrace();
      System.exit(1);
    }
    System.exit(0); // Some threads of the servers stay.
  }

  private static void run(Path folder) throws IOException {
    YarnConfiguration conf = new YarnConfiguration();
    conf.set("fs.defaultFS", "file:///");
    conf.set("yarn.scheduler.capacity.root.queues", "default");
    conf.set("yarn.scheduler.capacity.root.default.capacity", "100");
    conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "0.5");
    conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 256);
    conf.setInt(YarnConfiguration.YARN_MINICLUSTER_NM_PMEM_MB, MEMORY_MB);
    conf.setBoolean(YarnConfiguration.NM_VMEM_CHECK_ENABLED, false);
    // A machine whose disk is nearly full can run the test too.
    conf.setFloat(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, 100);
    try (MiniYARNCluster yarn = new MiniYARNCluster("yarn", 1, 1, 1)) {
      yarn.init(conf);
      yarn.start();
      try (OutputStream site = Files.newOutputStream(folder.resolve("yarn-site.xml"))) {
        yarn.getConfig().writeXml(site);
      }
      System.out.write("ready\n".getBytes(StandardCharsets.UTF_8));
      System.out.flush();
      while (System.in.read() >= 0) {
        // It runs until its input ends.
      }
    }
  }
}
