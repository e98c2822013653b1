// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.upkeep.CollectionLog;
import io.radosfs.connector.upkeep.Finding;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** A data pool has another name for a while: why the page on operations says not to do that. */
class RenamedDataPoolTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools("p", "hot");

  private RadosFileSystem open() throws IOException {
    return (RadosFileSystem)
        FileSystem.newInstance(
            URI.create("rados://p/"), SimulatedConnections.configuration(cluster));
  }

  private void write(Path path) throws IOException {
    try (RadosFileSystem fs = open()) {
      fs.mkdirs(path.getParent());
      DataLayout unused =
          fs.mount()
              .layouts()
              .change(FsPath.parse("/hot"), before -> before.withPool(Optional.of("hot")));
      try (FSDataOutputStream out = fs.create(path)) {
        out.write(new byte[1_000]);
      }
    }
  }

  @Test
  void whatIsDeletedMeanwhileIsALeakOnceThePoolHasItsNameAgain() throws IOException {
    write(new Path("/hot/f"));
    cluster.renamePool("hot", "other");
    try (RadosFileSystem fs = open()) {
      assertThat(fs.delete(new Path("/hot/f"), false)).isTrue();
      fs.mount().collector(new CollectionLog(line -> {})).collect(Long.MAX_VALUE);
    }
    cluster.renamePool("other", "hot");
    try (RadosFileSystem fs = open()) {
      fs.mount().collector(new CollectionLog(line -> {})).collect(Long.MAX_VALUE);
      assertThat(fs.mount().check().run(true).findings())
          .extracting(Finding::kind)
          .containsExactly(Finding.Kind.LEAK);
    }
  }
}
