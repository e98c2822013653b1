// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.programs;

import io.radosfs.integration.spark.HookedConnections;
import io.radosfs.integration.spark.ProtocolJob;
import java.io.File;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;

/**
 * Commits jobs that another process has set up: each line that it is told is how many writes to
 * make before it stops until it is told another line, and the file of the job.
 */
public final class SecondDriverApp {

  public static final String READY = "ready";
  public static final String STOPPED = "stopped";
  public static final String COMMITTED = "committed";

  private SecondDriverApp() {}

  /**
   * Runs until its input ends.
   *
   * @param arguments the cluster's ceph.conf
   */
  public static void main(String[] arguments) throws IOException {
    Configuration conf = new Configuration();
    conf.set("fs.rados.ceph.conf", arguments[0]);
    conf.set("fs.rados.replaced.retention", "0");
    conf.set("fs.rados.cluster.factory", HookedConnections.class.getName());
    try (Told told = new Told()) {
      told.answer(READY);
      told.answerEach(
          line -> {
            String[] words = line.split(" ", 2);
            AtomicInteger left = new AtomicInteger(Integer.parseInt(words[0]));
            HookedConnections.hook(
                write -> {
                  if (left.getAndDecrement() == 0) {
                    told.answer(STOPPED);
                    String go = told.next();
                  }
                  return write.go();
                });
            return commit(new File(words[1]), conf);
          });
    }
  }

  private static String commit(File job, Configuration conf) {
    try {
      ProtocolJob.commitSaved(job, conf);
      return COMMITTED;
    } catch (IOException | ClassNotFoundException | RuntimeException e) {
      return e.toString();
    }
  }
}
