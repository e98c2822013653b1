// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.integration.ceph.CephCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.util.CrcComposer;
import org.apache.hadoop.util.CrcUtil;
import org.apache.hadoop.util.DataChecksum;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Hadoop's users expect of a file system beside names and bytes, on a real Ceph. */
class MetadataIT {

  private final CephCluster ceph = CephCluster.shared();
  private final Configuration conf = new Configuration();
  private String pool;
  private FileSystem fs;

  @BeforeEach
  void open() throws IOException {
    pool = ceph.createPool();
    conf.set("fs.rados.ceph.conf", ceph.conf().toString());
    conf.set("fs.rados.object.size", "64K");
    conf.set("fs.defaultFS", "rados://" + pool + "/");
    fs = FileSystem.newInstance(URI.create("rados://" + pool + "/"), conf);
  }

  @AfterEach
  void close() throws IOException {
    fs.close();
    ceph.deletePool(pool);
  }

  private byte[] write(String path, int length) throws IOException {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    try (FSDataOutputStream out = fs.create(new Path(path), true)) {
      out.write(content);
    }
    return content;
  }

  /** {@code hadoop fs ARGUMENTS}; answers its exit code. */
  private int shell(String... arguments) throws Exception {
    return ToolRunner.run(new FsShell(conf), arguments);
  }

  @Test
  void extendedAttributesAreKeptThroughRenames() throws Exception {
    write("/d/f", 10);
    Path file = new Path("/d/f");
    byte[] value = {0, -1, '=', ' ', 10};
    fs.setXAttr(file, "user.ü = a", value);
    fs.setXAttr(new Path("/d"), "trusted.dir", new byte[0]);
    assertThatThrownBy(
            () -> fs.setXAttr(file, "user.ü = a", value, EnumSet.of(XAttrSetFlag.CREATE)))
        .isInstanceOf(IOException.class);
    assertThat(shell("-setfattr", "-n", "user.shell", "-v", "by hand", "/d/f")).isZero();
    fs.mkdirs(new Path("/e"));
    assertThat(fs.rename(file, new Path("/d/g"))).isTrue();
    assertThat(fs.rename(new Path("/d"), new Path("/e/d"))).isTrue();
    Path moved = new Path("/e/d/g");
    assertThat(fs.listXAttrs(moved)).containsExactly("user.shell", "user.ü = a");
    assertThat(fs.getXAttr(moved, "user.ü = a")).isEqualTo(value);
    assertThat(fs.getXAttr(moved, "user.shell")).isEqualTo("by hand".getBytes(UTF_8));
    assertThat(fs.getXAttrs(new Path("/e/d"))).containsOnlyKeys("trusted.dir");
    fs.removeXAttr(moved, "user.shell");
    assertThat(fs.listXAttrs(moved)).containsExactly("user.ü = a");
  }

  /** In the way of HDFS: CRCs of 512 bytes composed to those of blocks, these to the file's. */
  @Test
  void checksumsEqualThoseThatHdfsMakesOfTheSameBytes() throws IOException {
    for (int length : new int[] {1, 512, 65_536, 300_001}) {
      byte[] content = write("/sum", length);
      FileChecksum checksum = fs.getFileChecksum(new Path("/sum"));
      assertThat(checksum.getAlgorithmName()).isEqualTo("COMPOSITE-CRC32C");
      assertThat(checksum).as("%d bytes", length).isEqualTo(hdfs(content, 128 << 10));
    }
  }

  private static FileChecksum hdfs(byte[] content, int blockSize) throws IOException {
    DataChecksum.Type type = DataChecksum.Type.CRC32C;
    CrcComposer ofFile = CrcComposer.newCrcComposer(type, blockSize);
    for (int block = 0; block < content.length; block += blockSize) {
      int end = Math.min(block + blockSize, content.length);
      CrcComposer ofBlock = CrcComposer.newCrcComposer(type, 512);
      for (int at = block; at < end; at += 512) {
        int count = Math.min(512, end - at);
        DataChecksum chunk = DataChecksum.newDataChecksum(type, 512);
        chunk.update(content, at, count);
        ofBlock.update((int) chunk.getValue(), count);
      }
      ofFile.update(CrcUtil.readInt(ofBlock.digest(), 0), end - block);
    }
    return new CompositeCrcFileChecksum(CrcUtil.readInt(ofFile.digest(), 0), type, 512);
  }

  /** {@code hadoop fs -rm} where there is a trash, and {@code -expunge}. */
  @Test
  void theShellRemovesToTheTrash() throws Exception {
    conf.set("fs.trash.interval", "10");
    write("/d/s/f", 100);
    write("/d/g", 10);
    assertThat(shell("-rm", "-r", "/d")).isZero();
    assertThat(fs.exists(new Path("/d"))).isFalse();
    Path trash = fs.getTrashRoot(new Path("/d"));
    assertThat(fs.getFileStatus(new Path(trash, "Current/d/s/f")).getLen()).isEqualTo(100);
    assertThat(fs.rename(new Path(trash, "Current/d"), new Path("/d"))).isTrue();
    assertThat(shell("-rm", "/d/g")).isZero();
    assertThat(shell("-rm", "-r", "-skipTrash", "/d")).isZero();
    assertThat(ceph.listObjects(pool)).contains("d/g").doesNotContain("d/s/f");
    assertThat(shell("-expunge", "-immediate")).isZero();
    assertThat(fs.listStatus(trash)).isEmpty();
    assertThat(ceph.listObjects(pool)).doesNotContain("d/g", "d/s/f");
    assertThat(shell("-ls", "/d")).isNotZero();
  }

  @Test
  void treesAreListedAndSummedUp() throws Exception {
    TreeSet<String> expected = new TreeSet<>();
    for (int i = 0; i < 60; i++) {
      String path = "/t/a" + i % 7 + "/b" + i % 20 + "/f" + i;
      write(path, i);
      expected.add(path);
    }
    TreeSet<String> found = new TreeSet<>();
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(new Path("/t"), true);
    while (files.hasNext()) {
      LocatedFileStatus file = files.next();
      assertThat(found.add(file.getPath().toUri().getPath())).isTrue();
    }
    assertThat(found).isEqualTo(expected);
    ContentSummary summary = fs.getContentSummary(new Path("/t"));
    assertThat(summary.getFileCount()).isEqualTo(60);
    assertThat(summary.getLength()).isEqualTo(59 * 60 / 2);
    assertThat(summary.getDirectoryCount()).isEqualTo(1 + 7 + 60);
    assertThat(shell("-count", "/t")).isZero();
    assertThat(shell("-du", "-s", "/t")).isZero();
  }

  @Test
  void everyReadPolicyGivesTheBytes() throws Exception {
    byte[] content = write("/read", 300_000);
    FileStatus status = fs.getFileStatus(new Path("/read"));
    for (String policy :
        List.of("sequential", "whole-file", "random", "vector", "parquet", "orc", "adaptive")) {
      try (FSDataInputStream in =
          fs.openFile(new Path("/read"))
              .opt("fs.option.openfile.read.policy", policy)
              .withFileStatus(status)
              .build()
              .get()) {
        assertThat(in.readAllBytes()).as(policy).isEqualTo(content);
        byte[] part = new byte[70_000];
        in.readFully(200_000, part);
        assertThat(ByteBuffer.wrap(part)).isEqualTo(ByteBuffer.wrap(content, 200_000, 70_000));
      }
    }
    try (FSDataInputStream in =
        fs.openFile(new Path("/read"))
            .opt("fs.option.openfile.read.policy", "sequential")
            .must("fs.option.openfile.split.start", "65536")
            .must("fs.option.openfile.split.end", "131072")
            .must("fs.option.openfile.length", "300000")
            .build()
            .get()) {
      in.seek(65_536);
      byte[] part = new byte[131_072];
      in.readFully(part);
      assertThat(ByteBuffer.wrap(part)).isEqualTo(ByteBuffer.wrap(content, 65_536, 131_072));
    }
  }
}
