// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.RadosFileSystem;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Spark sets up a job, and neither commits nor aborts it, as its query fails before. */
class ForgottenJobsTest {

  private static final Path OUT = new Path("rados://forgotten/out");

  private final SimulatedCluster cluster = SimulatedCluster.withPools("forgotten");
  private final Configuration conf = SimulatedConnections.configuration(cluster);
  private final AtomicInteger renewed = new AtomicInteger();

  private RadosCommitProtocol setUp() {
    RadosCommitProtocol driver = new RadosCommitProtocol("job", OUT.toString(), false);
    driver.setupJob(new JobContextImpl(new JobConf(conf), new JobID("20261129", 1)));
    return driver;
  }

  private boolean hasHeartbeats(FileSystem fs) throws Exception {
    renewed.set(0);
    ((RadosFileSystem) fs).jobs().heartbeats().beat();
    return renewed.get() > 0;
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void itsHeartbeatsEndWithTheObjectThatWouldCommitIt() throws Exception {
    try (FileSystem fs = OUT.getFileSystem(conf)) {
      RadosCommitProtocol held = setUp();
      FaultPlan unused =
          cluster
              .client("client.admin")
              .faults()
              .before(
                  op -> {
                    if (op.write() && op.object().startsWith("out//job/")) {
                      renewed.incrementAndGet();
                    }
                  });
      WeakReference<Object> other = new WeakReference<>(new Object());
      while (other.get() != null) {
        System.gc();
      }
      assertThat(hasHeartbeats(fs)).as("while Spark has it").isTrue();
      Reference.reachabilityFence(held);

      held = null;
      while (hasHeartbeats(fs)) {
        System.gc();
        TimeUnit.MILLISECONDS.sleep(10); // for the thread that ends them
      }
    }
  }
}
