// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.data.NoSuchPoolException;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.upkeep.CollectionLog;
import io.radosfs.connector.upkeep.PoolInspector;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A data pool is removed while a process has it open; the index's stays. */
class RemovedPoolTest {

  private static final Path DIRECTORY = new Path("/hot");
  private static final Path FILE = new Path("/hot/f");

  private final SimulatedCluster cluster = SimulatedCluster.withPools("p", "hot");
  private RadosFileSystem fs;

  @BeforeEach
  void open() throws IOException {
    fs =
        (RadosFileSystem)
            FileSystem.newInstance(
                URI.create("rados://p/"), SimulatedConnections.configuration(cluster));
    fs.mkdirs(DIRECTORY);
    DataLayout unused =
        fs.mount()
            .layouts()
            .change(FsPath.parse("/hot"), before -> before.withPool(Optional.of("hot")));
    write(FILE);
    cluster.removePool("hot");
  }

  @AfterEach
  void close() throws IOException {
    fs.close();
  }

  private void write(Path path) throws IOException {
    try (FSDataOutputStream out = fs.create(path)) {
      out.write(new byte[1_000]);
    }
  }

  private void read() throws IOException {
    try (var in = fs.open(FILE)) {
      in.readFully(0, new byte[1_000]);
    }
  }

  private static void saysThatItIsGone(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.POOL_GONE));
  }

  @Test
  void readingSaysSo() {
    saysThatItIsGone(this::read);
    assertThatThrownBy(this::read)
        .isInstanceOf(NoSuchPoolException.class)
        .hasMessageContaining("the cluster has no pool 'hot'");
  }

  @Test
  void writingSaysSoAndNothingIsLeft() throws IOException {
    saysThatItIsGone(() -> write(new Path("/hot/g")));
    assertThatThrownBy(() -> write(new Path("/hot/g"))).isInstanceOf(NoSuchPoolException.class);
    write(new Path("/elsewhere"));
    assertThat(fs.listStatus(DIRECTORY)).hasSize(1);
    assertThat(fs.delete(DIRECTORY, true)).isTrue();
    assertNothingIsLeft();
  }

  @Test
  void whatWasInItCanBeDeleted() throws IOException {
    assertThat(fs.delete(DIRECTORY, true)).isTrue();
    assertThat(fs.listStatus(new Path("/"))).isEmpty();
    assertNothingIsLeft();
  }

  @Test
  void onceItIsMadeAgainItIsWritten() throws IOException {
    cluster.addReplicatedPool("hot");
    saysThatItIsGone(() -> write(new Path("/hot/g")));
    write(new Path("/hot/g"));
    assertThat(cluster.objects("hot", "")).isNotEmpty();
  }

  private void assertNothingIsLeft() throws IOException {
    fs.mount().collector(new CollectionLog(line -> {})).collect(Long.MAX_VALUE);
    PoolInspector.Result result = fs.mount().check().run(true);
    assertThat(result.findings()).isEmpty();
    assertThat(result.unchecked()).isEmpty();
    assertThat(result.notes())
        .containsExactly("data pool hot, which a layout named, is not in the cluster");
  }
}
