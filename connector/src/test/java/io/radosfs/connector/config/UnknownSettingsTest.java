// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.uri.Authority;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class UnknownSettingsTest {

  private static final String SENTENCE =
      "nothing reads the setting %s: it has no effect. The nearest that there is: %s";

  private final Configuration conf = new Configuration(false);

  private List<String> found() {
    return new UnknownSettings(conf, "p").ofConnector();
  }

  @Test
  void theNearestKeyIsNamed() {
    conf.set("fs.rados.write.windw", "8");
    conf.set("fs.rados.pool.p.objectsize", "1M");
    assertThat(found())
        .containsExactly(
            SENTENCE.formatted("fs.rados.pool.p.objectsize", "fs.rados.pool.p.object.size"),
            SENTENCE.formatted("fs.rados.write.windw", "fs.rados.write.window"));
  }

  @Test
  void whatIsReadIsKnown() {
    Options.ALL.forEach(option -> conf.set(option.key(), "1"));
    Options.ALL.forEach(option -> conf.set("fs.rados.pool.p." + option.key().substring(9), "1"));
    conf.set("fs.rados.impl", "x");
    conf.set("fs.rados.impl.disable.cache", "true");
    conf.set("fs.rados.ceph.ms_client_mode", "secure");
    conf.set("fs.rados.committer.any", "the committer looks at it");
    conf.set("fs.rados.plugin.any", "so it does at this");
    conf.set("fs.rados.pool.other.any", "whoever opens that looks at it");
    conf.set("fs.rados.pool.p.ec.read.window", "that of pool p.ec");
    assertThat(found()).isEmpty();
  }

  /** Once when the file system is opened, with the user that nobody has named. */
  @Test
  void openingSaysIt() throws Exception {
    Configuration mounted = SimulatedConnections.configuration(SimulatedCluster.withPools("p"));
    mounted.set("fs.rados.read.windov", "8");
    Authority authority = Authority.of(URI.create("rados://p/"));
    LogCapturer log =
        LogCapturer.captureLogs(LoggerFactory.getLogger("io.radosfs.connector.mount.Connection"));
    try {
      Mount.open(authority, mounted).close();
      assertThat(log.getOutput())
          .contains("rados://p: nothing reads the setting fs.rados.read.windov")
          .containsOnlyOnce("fs.rados.read.window")
          .containsOnlyOnce(
              "rados://p: no Ceph user is set (fs.rados.ceph.user): connecting as client.admin");
      log.clearOutput();
      mounted.set("fs.rados.ceph.user", "client.admin");
      mounted.unset("fs.rados.read.windov");
      Mount.open(authority, mounted).close();
      assertThat(log.getOutput()).isEmpty();
    } finally {
      log.stopCapturing();
    }
  }
}
