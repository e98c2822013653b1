// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.upkeep.CollectionLog;
import io.radosfs.connector.upkeep.Finding;
import io.radosfs.connector.upkeep.PoolInspector;
import io.radosfs.connector.uri.Authority;
import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.programs.KilledWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a process leaves that is killed with -9 while it writes, and how that is found and goes. */
class CollectionIT {

  private final CephCluster ceph = CephCluster.shared();
  private String pool;
  private Configuration conf;

  @BeforeEach
  void createPool() throws IOException {
    pool = ceph.createPool();
    conf = new Configuration();
    settings().forEach(each -> conf.set(each.split("=", 2)[0], each.split("=", 2)[1]));
  }

  @AfterEach
  void deletePool() {
    ceph.deletePool(pool);
  }

  private List<String> settings() {
    return List.of(
        "fs.rados.ceph.conf=" + ceph.conf(),
        "fs.rados.ceph.user=" + ceph.admin().entity(),
        "fs.rados.ceph.keyring=" + ceph.admin().keyring());
  }

  private URI uri() {
    return URI.create("rados://" + pool + "/");
  }

  private void killAWriter() throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                uri().toString()));
    command.addAll(settings());
    Process writer =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(writer.getInputStream(), UTF_8))) {
      String line = out.readLine();
      while (line != null && !line.equals(KilledWriter.READY)) {
        line = out.readLine();
      }
      assertThat(line).as("what the writer said").isEqualTo(KilledWriter.READY);
    } finally {
      writer.destroyForcibly().waitFor(); // SIGKILL
    }
  }

  @Test
  void nothingIsLeftOfAWriterThatWasKilled() throws Exception {
    killAWriter();
    try (Mount mount = Mount.openExisting(Authority.of(uri()), conf)) {
      PoolInspector.Result before = mount.check().run(true);
      assertThat(before.findings()).isEmpty();
      assertThat(before.notes()).anyMatch(note -> note.contains("has 2 entries"));
      assertThat(ceph.listObjects(pool)).anyMatch(name -> name.startsWith("work/half"));

      // Its heartbeat is a moment ago: left alone.
      collect(mount, System.currentTimeMillis() - 3_600_000);
      assertThat(ceph.listObjects(pool)).anyMatch(name -> name.startsWith("work/half"));

      assertThat(collect(mount, Long.MAX_VALUE)).isOne();
      assertThat(ceph.listObjects(pool)).noneMatch(name -> name.startsWith("work/half"));
      assertThat(ceph.listObjects(pool)).noneMatch(name -> name.startsWith("//ledger/"));
      PoolInspector.Result after = mount.check().run(true);
      assertThat(after.findings()).isEmpty();
      assertThat(after.notes()).isEmpty();
      assertThat(after.objects()).isEqualTo(ceph.listObjects(pool).size());

      // The check finds what it should.
      mount.index().write("stray", WriteOp.builder().createExclusive().build());
      assertThat(mount.check().run(false).findings())
          .extracting(Finding::kind, Finding::subject)
          .containsExactly(tuple(Finding.Kind.LEAK, "stray"));
    }
    try (FileSystem fs = FileSystem.newInstance(uri(), conf);
        FSDataInputStream whole = fs.open(new Path("/done/whole"))) {
      assertThat(whole.readAllBytes()).hasSize(9 << 20);
      assertThat(fs.exists(new Path("/work/half"))).isFalse();
    }
  }

  private static int collect(Mount mount, long before) throws IOException {
    CollectionLog log = new CollectionLog(line -> {});
    mount.collector(log).collect(before);
    assertThat(log.kept()).isZero();
    return log.removed();
  }
}
