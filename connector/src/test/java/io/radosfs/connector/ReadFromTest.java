// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.OpLog;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import io.radosfs.connector.upkeep.CollectionLog;
import io.radosfs.connector.uri.Authority;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which operations a whole file system sends to other copies than the primary's. */
class ReadFromTest {

  private static final int FILES = 5;
  private static final int STRIPES = 3;

  private final SimulatedCluster cluster =
      SimulatedCluster.withPools("p").setHosts("h0", "h1", "h2");
  private final Configuration conf = SimulatedConnections.configuration(cluster);

  private FileSystem open(String from) throws IOException {
    conf.set(Options.READ_FROM.key(), from);
    conf.set(Options.OBJECT_SIZE.key(), "1K");
    conf.set(Options.DIRECTORY_THRESHOLD.key(), "2");
    return FileSystem.newInstance(URI.create("rados://p/"), conf);
  }

  /** Makes, replaces, lists, renames, reads, removes, collects and checks. */
  private void useAll(FileSystem fs) throws IOException {
    for (int i = 0; i < FILES; i++) {
      for (int time = 0; time < 2; time++) {
        try (FSDataOutputStream out = fs.create(new Path("/a/b/" + i))) {
          out.write(new byte[STRIPES << 10]);
        }
      }
    }
    assertThat(fs.rename(new Path("/a/b/0"), new Path("/a/0"))).isTrue();
    assertThat(fs.rename(new Path("/a/b"), new Path("/c"))).isTrue();
    assertThat(fs.listStatus(new Path("/c"))).hasSize(FILES - 1);
    for (int i = 1; i < FILES; i++) {
      try (FSDataInputStream in = fs.open(new Path("/c/" + i))) {
        assertThat(in.readAllBytes()).hasSize(STRIPES << 10);
        in.readFully(0, new byte[10]);
      }
    }
    assertThat(fs.delete(new Path("/c"), true)).isTrue();
    try (Mount mount = Mount.openExisting(Authority.of(fs.getUri()), conf)) {
      mount.collector(new CollectionLog(line -> {})).collectReplaced(Long.MAX_VALUE);
      assertThat(mount.check().run(true).findings()).isEmpty();
    }
  }

  private Stream<OpInfo> ops() {
    return cluster.log().entries().stream().map(OpLog.LoggedOp::op);
  }

  @ParameterizedTest
  @ValueSource(strings = {"balanced", "Nearest"})
  void nothingButTheDataOfFilesIsReadFromAnyCopy(String from) throws IOException {
    cluster.setCopiesBehind("p", 2);
    try (FileSystem fs = open(from)) {
      useAll(fs);
    }
    List<OpInfo> any = ops().filter(OpInfo::isOfAnyCopy).toList();
    assertThat(any)
        .hasSize((FILES - 1) * (STRIPES + 1))
        .allMatch(op -> op.summary().contains("data("))
        .noneMatch(op -> op.summary().matches(".*(omap|size|xattr\\().*"))
        .noneMatch(op -> op.object().endsWith("/") || op.object().startsWith("//"))
        .noneMatch(op -> op.object().contains("//shard/"));
    assertThat(ops().filter(op -> !op.write() && !op.isOfAnyCopy()))
        .as("indexes, ledgers, the superblock, and what copies did not have")
        .hasSizeGreaterThan(100);
  }

  @ParameterizedTest
  @ValueSource(strings = {"primary", "balanced"})
  void blocksAreWhereTheyAreReadFrom(String from) throws IOException {
    try (FileSystem fs = open(from)) {
      Path file = new Path("/f");
      try (FSDataOutputStream out = fs.create(file)) {
        out.write(new byte[40 << 10]);
      }
      BlockLocation[] blocks = fs.getFileBlockLocations(file, 0, 1);
      assertThat(blocks).hasSize(1);
      assertThat(blocks[0].getHosts()).containsExactlyInAnyOrder("h0", "h1", "h2");
      useAll(fs);
      assertThat(ops().anyMatch(OpInfo::isOfAnyCopy)).isEqualTo(from.equals("balanced"));
    }
  }
}
