// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.ClientCrashed;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.OpGate;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedClient.Access;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.uri.Authority;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing is made by a read; the first write makes the file system, where it may. */
class FirstUseTest {

  private static final URI POOL = URI.create("rados://p/");
  private static final URI NAMESPACE = URI.create("rados://n@p/");

  private final SimulatedCluster cluster = SimulatedCluster.withPools("p").addErasureCodedPool("e");
  private final Configuration conf = SimulatedConnections.configuration(cluster);

  private FileSystem open(URI uri, String user) throws IOException {
    Configuration own = new Configuration(conf);
    own.set(Options.CEPH_USER.key(), user);
    return FileSystem.newInstance(uri, own);
  }

  private FileSystem open(URI uri) throws IOException {
    return open(uri, "client.a");
  }

  private static void write(FileSystem fs, String path) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(path))) {
      out.write(1);
    }
  }

  private static void writeUnchecked(FileSystem fs, String path) {
    try {
      write(fs, path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int read(FileSystem fs, String path) throws IOException {
    try (var in = fs.open(new Path(path))) {
      return in.read();
    }
  }

  /** As another's program makes it. */
  private void putOther(String namespace, String object) throws IOException {
    cluster
        .client("client.other")
        .open("p", namespace)
        .write(object, WriteOp.builder().writeFull(ByteBuffer.wrap(new byte[] {7})).build());
  }

  private void format(URI uri, String dataPool) throws IOException {
    Mount.format(Authority.of(uri), conf, Optional.of(dataPool)).close();
  }

  @Test
  void readingMakesNothing() throws IOException {
    int writes = cluster.client("client.a").writes();
    try (FileSystem fs = open(POOL)) {
      assertThat(fs.listStatus(new Path("/"))).isEmpty();
      assertThat(fs.getFileStatus(new Path("/")).isDirectory()).isTrue();
      assertThat(fs.exists(new Path("/a/b"))).isFalse();
      assertThat(fs.getContentSummary(new Path("/")).getFileCount()).isZero();
      assertThat(fs.globStatus(new Path("/*/*"))).isEmpty();
      assertThatThrownBy(() -> fs.open(new Path("/f"))).isInstanceOf(FileNotFoundException.class);
      assertThatThrownBy(() -> fs.listStatus(new Path("/none")))
          .isInstanceOf(FileNotFoundException.class);
    }
    assertThat(cluster.objects("p", "")).isEmpty();
    assertThat(cluster.client("client.a").writes()).isEqualTo(writes);
  }

  @Test
  void theFirstWriteMakesIt() throws IOException {
    try (FileSystem fs = open(NAMESPACE)) {
      write(fs, "/a/f");
      assertThat(read(fs, "/a/f")).isEqualTo(1);
    }
    assertThat(cluster.objects("p", "n")).containsKey(ObjectNames.SUPERBLOCK);
    assertThat(cluster.objects("p", "")).isEmpty();
  }

  @Test
  void aReaderWithoutMoreRightsSeesAnEmptyDirectory() throws IOException {
    cluster.client("client.a").setAccess("p", Access.READ_ONLY);
    try (FileSystem fs = open(POOL)) {
      assertThat(fs.listStatus(new Path("/"))).isEmpty();
      assertThatThrownBy(() -> fs.mkdirs(new Path("/a")))
          .hasMessageContaining("Ceph user client.a (setting fs.rados.ceph.user) is not allowed");
    }
  }

  /** The pools of a stranger are refused, whatever one wants there. */
  @ParameterizedTest
  @ValueSource(strings = {"rbd", "rgw", "cephfs", "mgr"})
  void anothersPoolIsRefusedByName(String application) throws IOException {
    cluster.setApplications("p", application);
    assertThatThrownBy(() -> open(POOL))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("pool 'p' belongs to " + application);
    assertThatThrownBy(() -> format(POOL, "e"))
        .hasMessageContaining("pool 'p' belongs to " + application);
    assertThatThrownBy(() -> Mount.openExisting(Authority.of(POOL), conf))
        .hasMessageContaining("pool 'p' belongs to " + application);
    assertThat(cluster.objects("p", "")).isEmpty();
    assertThat(cluster.objects("e", "")).isEmpty();
    cluster.setApplications("p", application, "radosfs");
    try (FileSystem fs = open(POOL)) {
      write(fs, "/f");
    }
  }

  @Test
  void anothersPoolIsNoDataPool() throws IOException {
    cluster.setApplications("p", "radosfs").setApplications("e", "rbd");
    assertThatThrownBy(() -> format(POOL, "e")).hasMessageContaining("pool 'e' belongs to rbd");
    assertThat(cluster.objects("p", "")).isEmpty();
    assertThat(cluster.objects("e", "")).isEmpty();
  }

  @Test
  void whatIsAFileSystemStaysOne() throws IOException {
    try (FileSystem fs = open(POOL)) {
      write(fs, "/f");
    }
    putOther("", "others");
    cluster.setApplications("p", "cephfs");
    try (FileSystem fs = open(POOL)) {
      write(fs, "/g");
      assertThat(fs.listStatus(new Path("/"))).hasSize(2);
    }
  }

  @Test
  void nothingIsWrittenBesideObjectsOfSomethingElse() throws IOException {
    putOther("", "others");
    try (FileSystem fs = open(POOL)) {
      assertThat(fs.listStatus(new Path("/"))).isEmpty();
      assertThatThrownBy(() -> write(fs, "/f"))
          .isInstanceOf(LayoutException.class)
          .hasMessageContaining("objects of something else, such as 'others'")
          .hasMessageContaining("`radosfs format rados://p`");
      assertThatThrownBy(() -> fs.mkdirs(new Path("/d"))).isInstanceOf(LayoutException.class);
      assertThat(cluster.objects("p", "")).containsOnlyKeys("others");
      format(POOL, "e");
      write(fs, "/f");
    }
    try (FileSystem fs = open(NAMESPACE)) {
      write(fs, "/f"); // The next namespace is empty.
    }
  }

  /** The others take what the first has made, and fail nowhere. */
  @Test
  void twoThatWriteFirst() throws IOException {
    try (FileSystem one = open(POOL, "client.a");
        FileSystem two = open(POOL, "client.b")) {
      assertThat(one.listStatus(new Path("/"))).isEmpty();
      assertThat(two.listStatus(new Path("/"))).isEmpty();
      write(one, "/1");
      assertThat(two.listStatus(new Path("/"))).hasSize(1);
      write(two, "/2");
      assertThat(one.listStatus(new Path("/"))).hasSize(2);
    }
  }

  /** At each operation of its first write another client makes the file system, and writes. */
  @Test
  void anotherIsFasterAtAnyPoint() throws IOException {
    for (int at = 1; at <= 4; at++) {
      URI uri = URI.create("rados://same" + at + "@p/");
      try (FileSystem slow = open(uri, "client.a");
          FileSystem fast = open(uri, "client.b")) {
        int turn = cluster.client("client.a").ops() + at;
        boolean[] done = {false};
        cluster.setGate(
            new OpGate() {
              @Override
              public void before(OpInfo op) {
                if (op.client().equals("client.a") && op.number() == turn && !done[0]) {
                  done[0] = true;
                  writeUnchecked(fast, "/fast");
                }
              }
            });
        write(slow, "/slow");
        assertThat(done[0]).as("operation %s", at).isTrue();
        assertThat(slow.listStatus(new Path("/"))).as("at operation %s", at).hasSize(2);
      }
    }
  }

  /** A lost answer of each operation of the first write, and a crash at each. */
  @Test
  void lostAnswersAndCrashes() throws IOException {
    for (int at = 1; at <= 5; at++) {
      for (Fault fault : new Fault[] {Fault.LOSE_ANSWER, Fault.CRASH_BEFORE, Fault.CRASH_AFTER}) {
        URI uri = URI.create("rados://" + fault.hashCode() + "-" + at + "@p/");
        String user = "client." + fault.hashCode() + "-" + at;
        FileSystem fs = open(uri, user);
        SimulatedClient client = cluster.client(user);
        client.faults().atOp(client.ops() + at, fault);
        try {
          write(fs, "/f");
          assertThat(read(fs, "/f")).isEqualTo(1);
        } catch (IOException | ClientCrashed e) {
          assertThat(e).as("%s at %s", fault, at).isNotInstanceOf(LayoutException.class);
        }
        try (FileSystem next = open(uri, "client.next")) {
          write(next, "/next");
          assertThat(read(next, "/next")).isEqualTo(1);
        }
      }
    }
  }

  /** A reader that was there first reads and writes where the superblock says. */
  @Test
  void aReaderNoticesThatItWasFormatted() throws IOException {
    try (FileSystem reader = open(POOL, "client.a")) {
      assertThat(reader.exists(new Path("/f"))).isFalse();
      format(POOL, "e");
      try (FileSystem writer = open(POOL, "client.b")) {
        write(writer, "/f");
      }
      assertThat(read(reader, "/f")).isEqualTo(1);
      write(reader, "/g");
      assertThat(cluster.objects("e", "")).containsKeys("f", "g");
      assertThat(cluster.objects("p", "")).doesNotContainKeys("f", "g");
    }
  }

  /** In the middle of its first write: nothing is written with values that are wrong. */
  @Test
  void formattedWithOtherValuesWhileAWriteBegins() throws IOException {
    Mount mount = Mount.open(Authority.of(POOL), conf);
    format(POOL, "e");
    int objects = cluster.objects("p", "").size();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(
              () -> mount.namespace().mkdirs(FsPath.parse("/d"), new Attributes(1, 0755, "o", "g")))
          .isInstanceOf(LayoutException.class)
          .hasMessageContaining("was formatted by another client");
    }
    assertThat(cluster.objects("p", "")).hasSize(objects);
    mount.close();
  }
}
