// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.upkeep.CollectionLog;
import io.radosfs.connector.uri.Authority;
import io.radosfs.integration.ceph.CephCluster;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A file system whose data is in an erasure-coded pool without overwrites, on a real Ceph. */
class ErasureCodedIT {

  private final CephCluster ceph = CephCluster.shared();
  private String index;
  private String data;
  private FileSystem fs;
  private URI uri;
  private Configuration conf;

  @BeforeEach
  void format() throws IOException {
    index = ceph.createPool();
    data = ceph.createErasureCodedPool();
    conf = new Configuration();
    conf.set("fs.rados.ceph.conf", ceph.conf().toString());
    conf.set("fs.rados.object.size", "1M");
    uri = URI.create("rados://" + index + "/");
    Mount.format(Authority.of(uri), conf, Optional.of(data)).close();
    fs = FileSystem.newInstance(uri, conf);
  }

  @AfterEach
  void remove() throws IOException {
    fs.close();
    ceph.deletePool(index);
    ceph.deletePool(data);
  }

  private byte[] write(String path, int length, boolean overwrite) throws IOException {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    try (FSDataOutputStream out = fs.create(new Path(path), overwrite)) {
      out.write(content);
    }
    return content;
  }

  private byte[] read(String path) throws IOException {
    try (var in = fs.open(new Path(path))) {
      return in.readAllBytes();
    }
  }

  @Test
  void dataIsThereAloneAndGoesWithItsFile() throws IOException {
    byte[] small = write("/a/small", 10, false);
    byte[] large = write("/a/large", (3 << 20) + 1, false);
    assertThat(ceph.listObjects(data)).hasSize(1 + 5).contains("a/small", "a/large");
    assertThat(ceph.getObject(data, "a/small")).isEqualTo(small);
    assertThat(ceph.listObjects(index))
        .as("nothing but the index")
        .allMatch(name -> name.endsWith("/") || name.startsWith("//"));

    assertThat(fs.rename(new Path("/a/large"), new Path("/large"))).isTrue();
    assertThat(fs.rename(new Path("/a"), new Path("/b"))).isTrue();
    assertThat(read("/large")).isEqualTo(large);
    assertThat(read("/b/small")).isEqualTo(small);

    byte[] other = write("/large", (1 << 20) + 5, true);
    assertThat(read("/large")).isEqualTo(other);
    assertThat(ceph.listObjects(data)).as("with those replaced").hasSize(1 + 4 + 3);
    try (Mount mount = Mount.openExisting(Authority.of(uri), conf)) {
      mount.collector(new CollectionLog(line -> {})).collectReplaced(Long.MAX_VALUE);
    }
    assertThat(ceph.listObjects(data)).hasSize(1 + 3);
    assertThat(fs.delete(new Path("/b"), true)).isTrue();
    assertThat(fs.delete(new Path("/large"), false)).isTrue();
    assertThat(ceph.listObjects(data)).as("the claim alone").hasSize(1);
  }
}
