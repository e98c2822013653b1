// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.config.Settings;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.ClusterFactory;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.Cluster;
import io.radosfs.connector.store.ForwardingObjectStore;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.WrappedStores;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/**
 * A thread is about to read when another one finds that the pool of some other file is gone, and
 * has the connection replaced and closed.
 */
class ReadBesideReplacedMountTest {

  private static final AtomicReference<Runnable> BEFORE_NEXT_READ = new AtomicReference<>();

  private final SimulatedCluster cluster = SimulatedCluster.withPools("p", "hot");

  /** Connects to the simulation. */
  public static final class Hooking implements ClusterFactory {

    @Override
    public Cluster connect(Settings settings) throws IOException {
      return WrappedStores.of(new SimulatedConnections().connect(settings), Hooked::new);
    }
  }

  private static final class Hooked extends ForwardingObjectStore {

    private Hooked(ObjectStore store) {
      super(store);
    }

    @Override
    public CompletableFuture<ReadResult> readAsync(String object, ReadOp op) {
      Optional.ofNullable(BEFORE_NEXT_READ.getAndSet(null)).ifPresent(Runnable::run);
      return super.readAsync(object, op);
    }
  }

  @Test
  void itGoesOnWithTheNewConnection() throws IOException {
    Configuration conf = SimulatedConnections.configuration(cluster);
    conf.set(Options.CLUSTER_FACTORY.key(), Hooking.class.getName());
    try (RadosFileSystem fs =
        (RadosFileSystem) FileSystem.newInstance(URI.create("rados://p/"), conf)) {
      fs.mkdirs(new Path("/hot"));
      DataLayout unused =
          fs.mount()
              .layouts()
              .change(FsPath.parse("/hot"), before -> before.withPool(Optional.of("hot")));
      write(fs, "/hot/f");
      write(fs, "/a");
      try (FSDataInputStream in = fs.open(new Path("/a"))) {
        BEFORE_NEXT_READ.set(() -> replace(fs));
        assertThat(in.readAllBytes()).hasSize(1_000);
      }
      assertThat(BEFORE_NEXT_READ.get()).isNull();
    }
  }

  private void replace(FileSystem fs) {
    cluster.removePool("hot");
    try (FSDataInputStream gone = fs.open(new Path("/hot/f"))) {
      assertThatThrownBy(() -> gone.readFully(0, new byte[10])).isInstanceOf(StoreException.class);
      assertThat(fs.exists(new Path("/a"))).isTrue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(FileSystem fs, String path) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(path))) {
      out.write(new byte[1_000]);
    }
  }
}
