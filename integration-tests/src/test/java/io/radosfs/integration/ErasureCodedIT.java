// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.cli.Radosfs;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.upkeep.CollectionLog;
import io.radosfs.connector.uri.Authority;
import io.radosfs.integration.ceph.CephCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.TestAbortedException;

/**
 * Erasure-coded pools on a real Ceph, as Ceph makes them and with what newer releases can do to
 * them: they hold the data, and the index where Ceph lets them.
 */
class ErasureCodedIT {

  /** From Ceph 20 on: an object is not padded to a whole stripe. */
  private static final String OPTIMIZATIONS = "allow_ec_optimizations";

  private static final int FIRST_WITH_OPTIMIZATIONS = 20;
  private static final String OVERWRITES = "allow_ec_overwrites";
  private static final String NO_FLAG = "none";

  private final CephCluster ceph = CephCluster.shared();
  private String index;
  private String data;
  private FileSystem fs;
  private URI uri;
  private Configuration conf;

  @BeforeEach
  void makePools() {
    index = ceph.createPool();
    data = ceph.createErasureCodedPool();
    conf = new Configuration();
    conf.set("fs.rados.ceph.conf", ceph.conf().toString());
    conf.set("fs.rados.object.size", "1M");
    uri = URI.create("rados://" + index + "/");
  }

  @AfterEach
  void remove() throws IOException {
    if (fs != null) {
      fs.close();
    }
    ceph.deletePool(index);
    ceph.deletePool(data);
  }

  /** Sets a flag of the erasure-coded pool, if there is one to be set. */
  private void allow(String flag) {
    if (flag.equals(OPTIMIZATIONS) && ceph.release() < FIRST_WITH_OPTIMIZATIONS) {
      throw new TestAbortedException("Ceph %d has no %s".formatted(ceph.release(), OPTIMIZATIONS));
    }
    if (!flag.equals(NO_FLAG)) {
      ceph.ceph("osd", "pool", "set", data, flag, "true");
    }
  }

  private void format() throws IOException {
    Mount.format(Authority.of(uri), conf, Optional.of(data)).close();
    fs = FileSystem.newInstance(uri, conf);
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

  @ParameterizedTest
  @ValueSource(strings = {NO_FLAG, OPTIMIZATIONS})
  void dataIsThereAloneAndGoesWithItsFile(String flag) throws IOException {
    allow(flag);
    format();
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
    assertThat(ceph.listObjects(data)).as("the pool's consent alone").hasSize(1);
  }

  /** By trying, as radosfs does: a later Ceph may allow what 20.2.4 does not. */
  @ParameterizedTest
  @ValueSource(strings = {NO_FLAG, OVERWRITES, OPTIMIZATIONS})
  void anIndexIsThereWhereCephTakesOne(String flag) throws IOException {
    allow(flag);
    boolean takesOmap = ceph.tryRados(data, "setomapval", "probe", "key", "value").exitCode() == 0;
    ceph.tryRados(data, "rm", "probe");
    uri = URI.create("rados://" + data + "/");
    if (takesOmap) {
      fs = FileSystem.newInstance(uri, conf);
      byte[] content = write("/a/file", 10, false);
      assertThat(read("/a/file")).isEqualTo(content);
      assertThat(fs.listStatus(new Path("/a"))).hasSize(1);
      return;
    }
    String command = "radosfs format --data-pool " + data + " rados://";
    assertThatThrownBy(() -> FileSystem.newInstance(uri, conf).mkdirs(new Path("/d")))
        .isInstanceOf(LayoutException.class)
        .hasMessageContaining("pool '" + data + "' holds no omap (it is erasure-coded)")
        .hasMessageContaining("`" + command + "<replicated pool>`");
    assertThat(ceph.listObjects(data)).isEmpty();
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    assertThat(
            Radosfs.run(
                out,
                out,
                "format",
                "--data-pool",
                data,
                "rados://" + index,
                "-Dfs.rados.ceph.conf=" + ceph.conf()))
        .as("what the error says to do: %s", said)
        .isZero();
    uri = URI.create("rados://" + index + "/");
    fs = FileSystem.newInstance(uri, conf);
    byte[] content = write("/a/file", 10, false);
    assertThat(ceph.getObject(data, "a/file")).isEqualTo(content);
  }
}
