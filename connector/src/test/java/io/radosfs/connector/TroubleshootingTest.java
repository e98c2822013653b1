// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.connector.cli.Radosfs;
import io.radosfs.connector.config.Options;
import io.radosfs.connector.docs.ToldMessages;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.retry.Retries;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient.Access;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.store.simulation.VirtualPauses;
import io.radosfs.connector.uri.Authority;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Provokes each message that the page on troubleshooting is headed by. */
class TroubleshootingTest {

  private static final String PAGE = "connector/docs/troubleshooting.md";
  private static final URI POOL = URI.create("rados://mypool/");

  private final SimulatedCluster cluster =
      SimulatedCluster.withPools("mypool", "bulk").addErasureCodedPool("ec");
  private final Configuration conf = SimulatedConnections.configuration(cluster);
  private final List<String> told = new ArrayList<>();

  private FileSystem open(String uri) throws IOException {
    return FileSystem.newInstance(URI.create(uri), conf);
  }

  private static void write(FileSystem fs, String path) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(path))) {
      out.write(new byte[100]);
    }
  }

  private void tell(ThrowingCallable call) {
    told.add(ToldMessages.thrownBy(call));
  }

  private void change(String pool, String object, WriteOp op) throws IOException {
    cluster.client("client.other").open(pool, "").write(object, op);
  }

  private void put(String pool, String object) throws IOException {
    change(pool, object, WriteOp.builder().writeFull(ByteBuffer.wrap(new byte[] {7})).build());
  }

  private void remove(String pool, String object) throws IOException {
    change(pool, object, WriteOp.builder().remove().build());
  }

  private static String logOf(String logger, ThrowingCallable call) {
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(logger));
    try {
      Throwable unexpected = catchThrowable(call);
      if (unexpected != null) {
        throw new AssertionError(unexpected);
      }
      return log.getOutput();
    } finally {
      log.stopCapturing();
    }
  }

  /**
   * The last two by TroubleshootingIT, on a real Ceph; native libraries by NativeLibrariesTest; a
   * full cluster by ErrnoTest.
   */
  @Test
  void everySectionIsTested() {
    assertThat(ToldMessages.sectionsOf(PAGE))
        .containsExactly(
            "Settings",
            "Addresses",
            "Pools and users",
            "Files",
            "Changes and damage",
            "A full cluster",
            "Native libraries",
            "Reaching Ceph",
            "Answers of Ceph");
  }

  @Test
  void settings() {
    conf.set("fs.rados.write.windw", "8");
    String log =
        logOf(
            "io.radosfs.connector.mount.Connection",
            () -> Mount.open(Authority.of(POOL), conf).close());
    for (String line : log.strip().split("\n")) {
      told.add(line.substring(line.indexOf("rados://")));
    }
    conf.set("fs.rados.object.size", "many");
    tell(() -> open("rados://mypool/"));
    ToldMessages.of(PAGE, "Settings").assertAre(told);
  }

  @Test
  void addresses() {
    for (String uri :
        List.of("rados:///data", "rados://mypool:6789/", "rados://@mypool/", "RADOS://mypool/")) {
      tell(() -> new Path(uri).getFileSystem(conf));
    }
    ToldMessages.of(PAGE, "Addresses").assertAre(told);
  }

  @Test
  void pools() throws IOException {
    tell(() -> open("rados://nopool/"));
    cluster.setApplications("bulk", "rbd");
    tell(() -> open("rados://bulk/"));
    cluster.setApplications("bulk", "radosfs");
    put("bulk", "rbd_data.1");
    tell(() -> write(open("rados://bulk/"), "/f"));
    tell(() -> write(open("rados://ec/"), "/f"));
    Mount.format(Authority.of(POOL), conf, Optional.empty()).close();
    tell(() -> Mount.format(Authority.of(POOL), conf, Optional.empty()));
    conf.set(Options.CEPH_USER.key(), "client.reader");
    cluster.client("client.reader").setAccess("mypool", Access.READ_ONLY);
    tell(() -> write(open("rados://mypool/"), "/f"));
    ToldMessages.of(PAGE, "Pools and users").assertAre(told);
  }

  @Test
  void files() throws IOException {
    try (FileSystem fs = open("rados://mypool/")) {
      tell(() -> fs.append(new Path("/f")));
      write(fs, "/f");
      tell(() -> fs.create(new Path("/f"), false));
      tell(() -> fs.create(new Path("/f/below")).close());
      write(fs, "/lost");
      remove("mypool", "lost");
      tell(() -> fs.open(new Path("/lost")).read());
    }
    FileSystem closed = open("rados://mypool/");
    closed.close();
    tell(() -> closed.exists(new Path("/f")));
    ToldMessages.of(PAGE, "Files").assertAre(told);
  }

  @Test
  void changesAndDamage() throws IOException {
    try (FileSystem fs = open("rados://mypool/")) {
      write(fs, "/d/f");
      FSDataOutputStream held = fs.create(new Path("/d/held"));
      held.write(new byte[10 << 20]);
      assertThat(radosfs("gc", "--older-than", "0", "rados://mypool/")).contains("1 removed");
      tell(held::close);
      unanswered(() -> tell(() -> fs.delete(new Path("/d/f"), false)));
      tell(() -> new Retries(new VirtualPauses(), () -> {}).until("rename of /a", () -> false));

      write(fs, "/short");
      put("mypool", "short");
      tell(() -> fs.open(new Path("/short")).read());
    }
    radosfs("layout", "set", "--data-pool", "bulk", "rados://mypool/d");
    try (FileSystem fs = open("rados://mypool/")) {
      write(fs, "/d/in-bulk");
      remove("bulk", "//data-of/mypool");
      fs.delete(new Path("/d/in-bulk"), false);
    }
    told.add(radosfs("gc", "rados://mypool/").lines().findFirst().orElseThrow());
    byte[] other = "7".getBytes(UTF_8);
    change("mypool", "//superblock", WriteOp.builder().setOmap("layout.version", other).build());
    tell(() -> open("rados://mypool/"));
    ToldMessages.of(PAGE, "Changes and damage").assertAre(told);
  }

  /** The change arrives nowhere, nor does the look at what became of it. */
  private void unanswered(Runnable change) {
    FaultPlan plan = cluster.client("client.admin").faults();
    boolean[] sent = new boolean[1];
    plan.always(
        op -> {
          sent[0] |= op.write() && op.object().equals("d/");
          return sent[0] && op.object().equals("d/");
        },
        Fault.LOSE_REQUEST);
    change.run();
    FaultPlan unused = plan.clear();
  }

  private String radosfs(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    for (String key : List.of("fs.rados.cluster.factory", "fs.rados.ceph.conf")) {
      all.add("-D" + key + "=" + conf.get(key));
    }
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    int unused = Radosfs.run(out, out, all.toArray(String[]::new));
    return said.toString();
  }
}
