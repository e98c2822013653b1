// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.RadosFileSystem;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.upkeep.CollectionLog;
import io.radosfs.connector.upkeep.Finding;
import io.radosfs.connector.upkeep.PoolInspector;
import io.radosfs.integration.ceph.CephCluster;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Layouts by directory on a real Ceph: long-lived data in an erasure-coded pool, temporary data in
 * another, the index in a third.
 */
class LayoutsIT {

  private final CephCluster ceph = CephCluster.shared();
  private String index;
  private String archive;
  private String scratch;
  private RadosFileSystem fs;

  @BeforeEach
  void open() throws IOException {
    index = ceph.createPool();
    archive = ceph.createErasureCodedPool();
    scratch = ceph.createPool();
    fs = mount(ceph.admin());
  }

  private RadosFileSystem mount(CephCluster.User user) throws IOException {
    Configuration conf = new Configuration();
    // Objects of replaced files would be among those that are counted.
    conf.set("fs.rados.replaced.retention", "0");
    conf.set("fs.rados.ceph.conf", ceph.conf().toString());
    conf.set("fs.rados.ceph.user", user.entity());
    conf.set("fs.rados.ceph.keyring", user.keyring().toString());
    return (RadosFileSystem) FileSystem.newInstance(URI.create("rados://" + index + "/"), conf);
  }

  @AfterEach
  void remove() throws IOException {
    fs.close();
    for (String pool : new String[] {index, archive, scratch}) {
      ceph.deletePool(pool);
    }
  }

  private void set(RadosFileSystem in, String directory, String pool, int objectSize)
      throws IOException {
    DataLayout wanted = new DataLayout(Optional.of(pool), Optional.of(objectSize));
    FsPath path = FsPath.parse(directory);
    assertThat(in.mount().layouts().change(path, before -> wanted)).isEqualTo(wanted);
  }

  private byte[] write(String path, int length) throws IOException {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    try (FSDataOutputStream out = fs.create(new Path(path), true)) {
      out.write(content);
    }
    return content;
  }

  private byte[] read(String path) throws IOException {
    try (var in = fs.open(new Path(path))) {
      return in.readAllBytes();
    }
  }

  private void assertNothingWrong() throws IOException {
    try (Mount mount = Mount.openExisting(fs.mount().authority(), fs.getConf())) {
      PoolInspector.Result result = mount.check().run(true);
      assertThat(result.findings()).isEmpty();
    }
  }

  @Test
  void thePagesCommands() throws IOException {
    fs.mkdirs(new Path("/tmp"));
    fs.mkdirs(new Path("/archive"));
    PageCommands page = PageCommands.asAdmin(ceph);
    List<String> commands =
        PageCommands.of("connector/docs/data-pools.md", "Data pools").stream()
            .map(command -> command.replace("//lake/", "//" + index + "/"))
            .map(command -> command.replace(" lake-ec ", " " + archive + " "))
            .map(command -> command.replace(" scratch ", " " + scratch + " "))
            .toList();
    assertThat(commands).hasSize(4);
    page.run(commands.get(0));
    page.run(commands.get(1));
    write("/tmp/a", 10);
    write("/archive/b", 10);
    assertThat(ceph.listObjects(scratch)).contains("tmp/a");
    assertThat(ceph.listObjects(archive)).contains("archive/b");
    assertThat(page.run(commands.get(2))).contains(archive).contains("16.0 MiB");
    page.run(commands.get(3));
    write("/tmp/at-most-one-more", 10); // by the layout of before, as the page says
    write("/tmp/c", 10);
    assertThat(ceph.listObjects(index)).contains("tmp/c");
    assertNothingWrong();
  }

  @Test
  void dataGoesWhereItsDirectorySays() throws IOException {
    fs.mkdirs(new Path("/tmp"));
    fs.mkdirs(new Path("/archive/made-before"));
    set(fs, "/tmp", scratch, 1 << 20);
    set(fs, "/archive", archive, 64 << 10);
    byte[] temporary = write("/tmp/a/b", (2 << 20) + 1);
    byte[] kept = write("/archive/2026/c", 200_000);
    byte[] plain = write("/archive/made-before/d", 10);
    assertThat(ceph.listObjects(scratch)).hasSize(1 + 3).contains("tmp/a/b");
    assertThat(ceph.listObjects(archive)).hasSize(1 + 4).contains("archive/2026/c");
    assertThat(ceph.listObjects(index)).contains("archive/made-before/d", "//layouts");

    assertThat(fs.rename(new Path("/tmp/a"), new Path("/archive/a"))).isTrue();
    assertThat(fs.rename(new Path("/archive"), new Path("/store"))).isTrue();
    assertThat(read("/store/a/b")).isEqualTo(temporary);
    assertThat(read("/store/2026/c")).isEqualTo(kept);
    assertThat(read("/store/made-before/d")).isEqualTo(plain);
    byte[] more = write("/store/2026/more", 10);
    write("/store/a/more", 11);
    write("/store/made-before/more", 12);
    assertThat(ceph.getObject(archive, "store/2026/more")).isEqualTo(more);
    assertThat(ceph.listObjects(scratch)).contains("store/a/more");
    assertThat(ceph.listObjects(index)).contains("store/made-before/more");
    write("/store/2026/c", 5);
    assertThat(read("/store/2026/c")).hasSize(5);
    assertNothingWrong();

    assertThat(fs.delete(new Path("/store"), true)).isTrue();
    assertThat(ceph.listObjects(archive)).as("the pool's consent alone").hasSize(1);
    assertThat(ceph.listObjects(scratch)).as("the pool's consent alone").hasSize(1);
    assertNothingWrong();
    ceph.putObject(archive, "left", "by nobody".getBytes(UTF_8));
    try (Mount mount = Mount.openExisting(fs.mount().authority(), fs.getConf())) {
      assertThat(mount.check().run(false).findings()).hasSize(1);
    }
  }

  @Test
  void aPoolThatCannotBeUsedIsRefusedByName() throws Exception {
    write("/d/f", 1);
    assertThatThrownBy(() -> set(fs, "/d", "no-such-pool", 1 << 20))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the cluster has no pool 'no-such-pool'");
    CephCluster.User user =
        ceph.createUser("layouts", "mon", "allow r", "osd", "allow rw pool=" + index);
    try (RadosFileSystem restricted = mount(user)) {
      assertThatThrownBy(() -> set(restricted, "/d", scratch, 1 << 20))
          .isInstanceOf(AccessControlException.class)
          .hasMessageContaining("pool '" + scratch + "'");
    }
    write("/d/g", 1);
    assertThat(ceph.listObjects(index)).contains("d/f", "d/g");
    assertThat(ceph.listObjects(scratch)).isEmpty();
    assertNothingWrong();
  }

  @Test
  @Timeout(60)
  void filesWhosePoolWasDeletedCanBeDeleted() throws Exception {
    fs.mkdirs(new Path("/tmp"));
    set(fs, "/tmp", scratch, 1 << 20);
    write("/tmp/f", (1 << 20) + 1);
    ceph.deletePool(scratch);
    try (RadosFileSystem later = mount(ceph.admin())) {
      PoolInspector.Result result = later.mount().check().run(false);
      Set<String> unchecked = new LinkedHashSet<>();
      while (result.findings().isEmpty()) {
        // OSDs hear of it a little later than the monitors, and then this process from them.
        unchecked.addAll(result.unchecked());
        result = later.mount().check().run(false);
      }
      assertThat(unchecked).allMatch(why -> why.contains("this pool was deleted or renamed"));
      assertThat(result.findings()).extracting(Finding::kind).containsOnly(Finding.Kind.MISSING);
      assertThat(later.delete(new Path("/tmp"), true)).isTrue();
    }
    assertNothingWrong();
    scratch = ceph.createPool();
  }

  @Test
  void whatACrashedWriterLeftInAnotherPoolIsCollected() throws IOException {
    fs.mkdirs(new Path("/archive"));
    set(fs, "/archive", archive, 64 << 10);
    FSDataOutputStream left = fs.create(new Path("/archive/left"));
    left.write(new byte[300_000]);
    fs.mount().collector(new CollectionLog(line -> {})).collect(Long.MAX_VALUE);
    assertThatThrownBy(left::close).isInstanceOf(IOException.class);
    assertThat(ceph.listObjects(archive)).as("the pool's consent alone").hasSize(1);
    assertNothingWrong();
  }
}
