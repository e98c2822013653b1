// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.config.Option;
import io.radosfs.connector.config.Options;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;

class FailedOpeningTest {

  private static final String FILE_SYSTEM = "rados://failing@meta";
  private static final long END_MILLIS = 30_000;

  /** Hadoop tries again and again, as in a server whose users bring their own settings. */
  @Test
  void aSettingThatCannotBeReadLeavesNothingOpen() throws InterruptedException {
    SimulatedCluster cluster = SimulatedCluster.withPools("meta");
    for (Option<?> wrong :
        List.of(Options.READ_FROM, Options.READ_WINDOW, Options.REQUIRE_COMMITTER)) {
      Configuration conf = SimulatedConnections.configuration(cluster);
      conf.set(wrong.key(), "bogus");
      assertThatThrownBy(() -> FileSystem.get(URI.create(FILE_SYSTEM + "/"), conf))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(wrong.key());
      // A thread that was told to end takes a moment.
      long end = System.nanoTime() + END_MILLIS * 1_000_000;
      while (System.nanoTime() < end && !threads().isEmpty()) {
        Thread.sleep(10);
      }
      assertThat(threads()).as("of the mount, after a wrong %s", wrong.key()).isEmpty();
    }
  }

  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().endsWith(FILE_SYSTEM))
        .toList();
  }
}
