// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.RadosFileSystem;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.Shards;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.upkeep.CollectionLog;
import io.radosfs.integration.ceph.CephCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Usage and quotas of pools on a real Ceph: told by getStatus, and what happens beyond. */
class QuotaIT {

  private static final long QUOTA = 8 << 20;

  private final CephCluster ceph = CephCluster.shared();
  private String index;
  private String data;
  private RadosFileSystem fs;

  @BeforeEach
  void open() throws IOException {
    index = ceph.createPool();
    data = ceph.createPool();
    Configuration conf = new Configuration();
    conf.set("fs.rados.ceph.conf", ceph.conf().toString());
    conf.set("fs.rados.object.size", "1M");
    fs = (RadosFileSystem) FileSystem.newInstance(URI.create("rados://" + index + "/"), conf);
    fs.mkdirs(new Path("/limited"));
    DataLayout unused =
        fs.mount()
            .layouts()
            .change(FsPath.parse("/limited"), before -> before.withPool(Optional.of(data)));
  }

  @AfterEach
  void remove() throws IOException {
    fs.close();
    ceph.deletePool(index);
    ceph.deletePool(data);
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  /** The monitors hear of what pools hold every few seconds. */
  private static void await(String what, Condition condition) throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(90).toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      Thread.sleep(300);
    }
  }

  private void write(String path, int bytes) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(path), true)) {
      byte[] chunk = new byte[1 << 20];
      for (int left = bytes; left > 0; left -= chunk.length) {
        out.write(chunk, 0, Math.min(left, chunk.length));
      }
    }
  }

  @Test
  void theQuotaOfThePoolThatNewFilesGoToBoundsWhatRemains() throws Exception {
    Path limited = new Path("/limited/below");
    long free = fs.getStatus(new Path("/")).getRemaining();
    assertThat(fs.getStatus(limited).getRemaining()).isGreaterThan(QUOTA);
    ceph.ceph("osd", "pool", "set-quota", data, "max_bytes", Long.toString(QUOTA));
    await("the quota is seen", () -> fs.getStatus(limited).getRemaining() == QUOTA);
    write("/limited/f", 3 << 20);
    await("what is used is seen", () -> fs.getStatus(limited).getRemaining() == QUOTA - (3 << 20));
    FsStatus status = fs.getStatus(limited);
    assertThat(status.getUsed()).isGreaterThanOrEqualTo(3 << 20);
    assertThat(status.getCapacity()).isEqualTo(status.getUsed() + status.getRemaining());
    assertThat(fs.getStatus().getRemaining()).isGreaterThan(free / 2).isGreaterThan(QUOTA);
  }

  @Test
  void beyondTheQuotaIsAnErrorThatNamesThePoolAndNothingIsLeft() throws Exception {
    write("/limited/before", 1 << 20);
    ceph.ceph("osd", "pool", "set-quota", data, "max_bytes", Long.toString(QUOTA));
    IOException[] failure = {null};
    int[] written = {0};
    await(
        "writing is refused",
        () -> {
          try {
            write("/limited/f" + written[0], 4 << 20);
            written[0]++;
            return false;
          } catch (IOException e) {
            failure[0] = e;
            return true;
          }
        });
    assertThat(failure[0]).hasMessageContaining("pool " + data).hasMessageContaining("quota");
    assertThat(fs.exists(new Path("/limited/f" + written[0]))).isFalse();
    write("/elsewhere", 1 << 20);

    // Room is made by deletion, which a full pool takes; and what was left is collected.
    fs.mount().collector(new CollectionLog(line -> {})).collect(Long.MAX_VALUE);
    assertThat(ceph.listObjects(data)).hasSize(1 + 1 + 4 * written[0]);
    assertThat(fs.delete(new Path("/limited"), true)).isTrue();
    assertThat(ceph.listObjects(data)).as("the pool's consent alone").hasSize(1);
    try (Mount mount = Mount.openExisting(fs.mount().authority(), fs.getConf())) {
      assertThat(mount.check().run(true).findings()).isEmpty();
    }
  }

  /**
   * At the quota of the index's pool, in a process that has written nothing down before: what was
   * being split when its process died, empty directories, which get an index to be removed, and
   * what a collection lists.
   */
  @Test
  void atTheQuotaOfTheIndexEverythingCanBeDeletedAndCollected() throws Exception {
    for (int i = 0; i < 20; i++) {
      write("/split/" + i, 0);
    }
    fs.mkdirs(new Path("/empty/below"));
    IndexHead splitting = IndexHead.OPEN.splittingInto(Shards.of(4));
    String head = new String(splitting.encode(), StandardCharsets.UTF_8);
    String unused = ceph.rados(index, "setomapval", "split/", IndexKeys.HEAD, head);
    fs.close();
    fs = (RadosFileSystem) FileSystem.newInstance(fs.getUri(), fs.getConf());
    ceph.ceph("osd", "pool", "set-quota", index, "max_objects", "1");
    await(
        "making an object is refused",
        () -> {
          try {
            write("/probe", 0);
            return false;
          } catch (IOException e) {
            assertThat(e).hasMessageContaining("quota");
            return true;
          }
        });

    assertThat(fs.delete(new Path("/split/7"), false)).isTrue();
    assertThat(fs.listStatus(new Path("/split"))).hasSize(19);
    assertThat(fs.delete(new Path("/empty"), true)).isTrue();
    assertThat(fs.delete(new Path("/split"), true)).isTrue();
    fs.mount().collector(new CollectionLog(line -> {})).collect(Long.MAX_VALUE);
    assertThat(ceph.listObjects(index))
        .noneMatch(name -> name.startsWith("split") || name.startsWith("empty"));
    try (Mount mount = Mount.openExisting(fs.mount().authority(), fs.getConf())) {
      assertThat(mount.check().run(true).findings()).isEmpty();
    }
  }
}
