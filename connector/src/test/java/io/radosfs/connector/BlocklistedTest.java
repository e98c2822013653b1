// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.upkeep.CollectionLog;
import io.radosfs.connector.uri.Authority;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process that the cluster has blocklisted goes on by a new connection, and by itself. */
class BlocklistedTest {

  private static final String CONTENT = "0123456789".repeat(300);

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");
  private final SimulatedClient client = cluster.client("client.admin");
  private final Configuration conf = SimulatedConnections.configuration(cluster);
  private FileSystem fs;

  @BeforeEach
  void open() throws IOException {
    conf.set("fs.rados.object.size", "1K");
    conf.set("fs.rados.read.window", "1");
    fs = FileSystem.get(URI.create("rados://meta/"), conf);
  }

  @AfterEach
  void close() throws IOException {
    fs.close();
  }

  private static void write(FSDataOutputStream out, String content) throws IOException {
    out.write(content.getBytes(StandardCharsets.UTF_8));
  }

  private void write(String path, String content) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(path))) {
      write(out, content);
    }
  }

  private String read(String path) throws IOException {
    try (FSDataInputStream in = fs.open(new Path(path))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private void expectBlocklisted(Throwable thrown) {
    assertThat(thrown)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.BLOCKLISTED));
  }

  private void blocklistAndNotice() {
    client.blocklist();
    assertThatThrownBy(() -> fs.listStatus(new Path("/"))).satisfies(this::expectBlocklisted);
  }

  @Test
  void theNextOperationConnectsAnew() throws IOException {
    write("/a", CONTENT);
    client.blocklist();
    assertThatThrownBy(() -> fs.exists(new Path("/a"))).satisfies(this::expectBlocklisted);
    assertThat(read("/a")).isEqualTo(CONTENT);
    write("/b", CONTENT);
    assertThat(fs.rename(new Path("/b"), new Path("/c"))).isTrue();
    assertThat(fs.delete(new Path("/a"), false)).isTrue();
    assertThat(fs.listStatus(new Path("/"))).extracting(FileStatus::getLen).hasSize(1);
  }

  /** As by a connection that others use too, and nobody has noticed: it has only read by then. */
  @Test
  void aFileSystemThatIsBeingOpenedGoesOn() throws IOException {
    write("/a", CONTENT);
    Configuration other = new Configuration(conf);
    other.set("fs.rados.read.window", "2");
    FaultPlan unused = client.faults().once(op -> !op.write(), Fault.BLOCKLIST);
    try (FileSystem opened = FileSystem.newInstance(URI.create("rados://meta/"), other)) {
      assertThat(opened.exists(new Path("/a"))).isTrue();
    }
  }

  @Test
  void aFileContextGoesOnToo() throws IOException {
    write("/a", CONTENT);
    FileContext context = FileContext.getFileContext(URI.create("rados://meta/"), conf);
    Path path = new Path("/a");
    blocklistAndNotice();
    assertThat(context.getFileStatus(path).getLen()).isEqualTo(CONTENT.length());
    context.rename(path, new Path("/b"));
    assertThat(read("/b")).isEqualTo(CONTENT);
  }

  /** Also one that has sent nothing when the client was blocklisted, or all but its last stripe. */
  @Test
  void aFileThatWasBeingWrittenIsNeverPublished() throws IOException {
    FSDataOutputStream empty = fs.create(new Path("/empty"));
    FSDataOutputStream begun = fs.create(new Path("/begun"));
    write(begun, CONTENT);
    blocklistAndNotice();
    write("/other", CONTENT);
    write(empty, "x");
    assertThatThrownBy(empty::close).satisfies(this::expectBlocklisted);
    assertThatThrownBy(begun::close).satisfies(this::expectBlocklisted);
    assertThat(fs.listStatus(new Path("/")))
        .extracting(status -> status.getPath().getName())
        .containsExactly("other");
    collectAndCheck();
  }

  /**
   * Registration and line of the ledger, three stripes, then the entry; in the place of the
   * registration, for a second file, one more for the first stripe, whose name is taken.
   */
  private static final int PUBLICATION = 6;

  /** Nothing of the old connection is looked up or repeated by the new one. */
  @Test
  void aPublicationThatWasUnderWayIsNotRepeated() throws IOException {
    FSDataOutputStream out = fs.create(new Path("/a"), false);
    write(out, CONTENT);
    client.faults().atWrite(client.writes() + PUBLICATION, Fault.BLOCKLIST);
    assertThatThrownBy(out::close)
        .isInstanceOf(OutcomeUnknownException.class)
        .satisfies(e -> expectBlocklisted(e.getCause()));
    assertThat(fs.exists(new Path("/a"))).isFalse();
    collectAndCheck();
  }

  @Test
  void aPublicationThatTookEffectStands() throws IOException {
    write("/a", "old");
    FSDataOutputStream out = fs.create(new Path("/a"), true);
    write(out, CONTENT);
    client.faults().atWrite(client.writes() + PUBLICATION, Fault.BLOCKLIST_AFTER);
    assertThatThrownBy(out::close)
        .isInstanceOf(OutcomeUnknownException.class)
        .satisfies(e -> expectBlocklisted(e.getCause()));
    assertThat(read("/a")).isEqualTo(CONTENT);
    collectAndCheck();
    assertThat(read("/a")).isEqualTo(CONTENT);
  }

  @Test
  void aStreamThatReadsGoesOn() throws IOException {
    write("/a", CONTENT);
    try (FSDataInputStream in = fs.open(new Path("/a"))) {
      assertThat(in.read()).isEqualTo('0');
      client.blocklist();
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo(CONTENT.substring(1));
      byte[] some = new byte[10];
      client.blocklist();
      in.readFully(1_500, some);
      assertThat(new String(some, StandardCharsets.UTF_8)).isEqualTo(CONTENT.substring(0, 10));
    }
    assertThat(fs.exists(new Path("/a"))).isTrue();
  }

  @Test
  void closingDoesNotThrow() throws IOException {
    write("/a", CONTENT);
    FSDataOutputStream out = fs.create(new Path("/b"));
    write(out, CONTENT);
    client.blocklist();
    assertThatCode(fs::close).doesNotThrowAnyException();
    assertThatThrownBy(out::close).satisfies(this::expectBlocklisted);
    assertThatThrownBy(() -> fs.exists(new Path("/a"))).hasMessageContaining("Filesystem closed");
    fs = FileSystem.get(URI.create("rados://meta/"), conf);
    assertThat(read("/a")).isEqualTo(CONTENT);
    collectAndCheck();
  }

  @Test
  void statisticsGoOn() throws IOException {
    write("/a", CONTENT);
    RadosFileSystem rados = (RadosFileSystem) fs;
    var statistics = rados.getIOStatistics();
    blocklistAndNotice();
    assertThat(read("/a")).isEqualTo(CONTENT);
    assertThat(rados.getIOStatistics()).isSameAs(statistics);
  }

  private void collectAndCheck() throws IOException {
    cluster.client("collector");
    Configuration other = new Configuration(conf);
    other.set("fs.rados.ceph.user", "collector");
    try (Mount mount = Mount.openExisting(Authority.of(URI.create("rados://meta")), other)) {
      mount.collector(new CollectionLog(line -> {})).collect(Long.MAX_VALUE);
      assertThat(mount.check().run(false).findings()).isEmpty();
    }
  }
}
