// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class OptionsTest {

  private final Configuration conf = new Configuration(false);

  private Settings settings(String pool) {
    return new Settings(conf, pool);
  }

  /** Users' configurations rest on these. */
  @Test
  void keysAndDefaultsArePinned() {
    assertThat(
            Options.ALL.stream()
                .map(option -> option.key() + "=" + option.defaultText())
                .collect(Collectors.toList()))
        .containsExactly(
            "fs.rados.ceph.conf=",
            "fs.rados.ceph.user=client.admin",
            "fs.rados.ceph.keyring=",
            "fs.rados.ceph.keyfile=",
            "fs.rados.ceph.secret=",
            "fs.rados.connect.timeout=30s",
            "fs.rados.operation.timeout=120s",
            "fs.rados.object.size=4M",
            "fs.rados.block.size=64M",
            "fs.rados.block.hosts=true",
            "fs.rados.write.window=8",
            "fs.rados.read.window=12",
            "fs.rados.read.from=primary",
            "fs.rados.buffer.limit=256M",
            "fs.rados.downgrade.syncable.exceptions=true",
            "fs.rados.transaction.wait=30s",
            "fs.rados.replaced.retention=5m",
            "fs.rados.transaction.threads=16",
            "fs.rados.directory.threshold=65536",
            "fs.rados.directory.shards=64",
            "fs.rados.committer.require=warn",
            "fs.rados.group=",
            "fs.rados.cluster.factory=io.radosfs.connector.mount.LibradosConnections");
  }

  @Test
  void defaultsAreRead() {
    Settings settings = settings("p");
    assertThat(settings.get(Options.OPERATION_TIMEOUT)).isEqualTo(Duration.ofSeconds(120));
    assertThat(settings.get(Options.CONNECT_TIMEOUT)).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.get(Options.TRANSACTION_WAIT)).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.get(Options.REPLACED_RETENTION)).isEqualTo(Duration.ofMinutes(5));
    assertThat(settings.get(Options.OBJECT_SIZE)).isEqualTo(4L << 20);
    assertThat(settings.get(Options.BLOCK_SIZE)).isEqualTo(64L << 20);
    assertThat(settings.get(Options.BLOCK_HOSTS)).isTrue();
    assertThat(settings.get(Options.BUFFER_LIMIT)).isEqualTo(256L << 20);
    assertThat(settings.get(Options.DOWNGRADE_SYNCABLE)).isTrue();
    assertThat(settings.get(Options.WRITE_WINDOW)).isEqualTo(8);
    assertThat(settings.get(Options.READ_WINDOW)).isEqualTo(12);
    assertThat(settings.get(Options.CEPH_USER)).isEqualTo("client.admin");
    assertThat(settings.get(Options.CEPH_CONF)).isEmpty();
  }

  @Test
  void documentationListsExactlyTheSettingsOfEachAudience() {
    SettingsTable.assertDocumented("connector/docs/configuration.md", Options.ALL);
  }

  /** As what is refused says them. */
  @Test
  void eachMeaningTellsTheBounds() {
    Pattern range = Pattern.compile("from (\\w+ to \\w+)|above zero");
    List<String> bounded = new ArrayList<>();
    for (Option<?> option : Options.ALL) {
      conf.set(option.key(), "no such value");
      Throwable refused = catchThrowable(() -> settings("p").get(option));
      Matcher bounds = range.matcher(refused == null ? "" : refused.getMessage());
      if (bounds.find()) {
        String told = bounds.group(1) == null ? "More than 0" : "From " + bounds.group(1);
        assertThat(option.meaning()).as(option.key()).endsWith(". " + told);
        bounded.add(option.key());
      }
    }
    assertThat(bounded).hasSize(11);
  }

  @Test
  void poolOverridesAll() {
    conf.set("fs.rados.write.window", "3");
    conf.set("fs.rados.pool.a.b.write.window", " 5 ");
    assertThat(settings("a.b").get(Options.WRITE_WINDOW)).isEqualTo(5);
    assertThat(settings("my_pool").get(Options.WRITE_WINDOW)).isEqualTo(3);
  }

  @Test
  void suffixesAreHadoops() {
    conf.set("fs.rados.object.size", "16M");
    conf.set("fs.rados.operation.timeout", "500ms");
    conf.set("fs.rados.connect.timeout", "7");
    conf.set("fs.rados.replaced.retention", "0");
    assertThat(settings("p").get(Options.REPLACED_RETENTION)).isEqualTo(Duration.ZERO);
    assertThat(settings("p").get(Options.OBJECT_SIZE)).isEqualTo(16L << 20);
    assertThat(settings("p").get(Options.OPERATION_TIMEOUT)).isEqualTo(Duration.ofMillis(500));
    assertThat(settings("p").get(Options.CONNECT_TIMEOUT)).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void whatCannotBeReadIsNamed() {
    conf.set("fs.rados.pool.p.write.window", "many");
    conf.set("fs.rados.object.size", "1T");
    conf.set("fs.rados.connect.timeout", "soon");
    assertThatThrownBy(() -> settings("p").get(Options.WRITE_WINDOW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "fs.rados.pool.p.write.window is 'many', but should be a whole number from 1 to 256");
    assertThatThrownBy(() -> settings("p").get(Options.OBJECT_SIZE))
        .hasMessageContaining("fs.rados.object.size is '1T', but should be a size from 1K to 64M");
    // FileContext would refuse each file with an internal error.
    conf.set("fs.rados.block.size", "100000000");
    assertThatThrownBy(() -> settings("p").get(Options.BLOCK_SIZE))
        .hasMessageContaining("should be a size from 1K to 1T, a multiple of 512, such as 4M");
    conf.set("fs.rados.downgrade.syncable.exceptions", "maybe");
    assertThatThrownBy(() -> settings("p").get(Options.DOWNGRADE_SYNCABLE))
        .hasMessageContaining("is 'maybe', but should be true or false");
    assertThatThrownBy(() -> settings("p").get(Options.CONNECT_TIMEOUT))
        .hasMessageContaining("should be a time above zero");
  }

  /** With 0, librados waits for ever: a close or a read with it, as nothing else bounds these. */
  @Test
  void cephsOwnTimeoutsOfOperationsAreRefused() {
    conf.set("fs.rados.ceph.rados_osd_op_timeout", "0");
    conf.set("fs.rados.pool.p.ceph.rados_mon_op_timeout", "600");
    assertThatThrownBy(() -> settings("q").cephOptions())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "fs.rados.ceph.rados_osd_op_timeout is not read, because calls would wait longer for"
                + " RADOS than they promise, or for ever. Set fs.rados.operation.timeout instead");
    conf.unset("fs.rados.ceph.rados_osd_op_timeout");
    assertThatThrownBy(() -> settings("p").cephOptions())
        .hasMessageStartingWith("fs.rados.pool.p.ceph.rados_mon_op_timeout is not read")
        .hasMessageEndingWith("Set fs.rados.pool.p.operation.timeout instead");
    assertThat(settings("q").cephOptions()).isEmpty();
  }

  @Test
  void otherCephOptionsArePassedOn() {
    conf.set("fs.rados.ceph.conf", "c");
    conf.set("fs.rados.ceph.ms_client_mode", "crc");
    conf.set("fs.rados.ceph.objecter_inflight_ops", "1");
    conf.set("fs.rados.pool.p.ceph.ms_client_mode", "secure");
    conf.set("fs.rados.pool.p.ceph.user", "client.x");
    assertThat(settings("p").cephOptions())
        .isEqualTo(Map.of("ms_client_mode", "secure", "objecter_inflight_ops", "1"));
    assertThat(settings("q").cephOptions())
        .isEqualTo(Map.of("ms_client_mode", "crc", "objecter_inflight_ops", "1"));
  }
}
