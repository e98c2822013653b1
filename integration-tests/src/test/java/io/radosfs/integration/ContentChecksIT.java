// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.store.RadosStatistic;
import io.radosfs.connector.upkeep.Finding;
import io.radosfs.connector.upkeep.PoolInspector;
import io.radosfs.connector.uri.Authority;
import io.radosfs.integration.ceph.CephCluster;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@code radosfs fsck --data} and the validation of a job's content find on a real Ceph, when
 * `rados put` changes an object past radosfs, and what that costs the network.
 */
class ContentChecksIT {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int STRIPE = 1 << 20;
  private static final int LENGTH = 5 * STRIPE + 7;

  /** The most that answers without data may come to, and whatever else reads meanwhile. */
  private static final long SMALL = 200_000;

  private final CephCluster ceph = CephCluster.shared();
  private final String index = ceph.createPool();
  private Optional<String> coded = Optional.empty();

  @AfterEach
  void removePools() {
    ceph.deletePool(index);
    coded.ifPresent(ceph::deletePool);
  }

  private FileSystem format(boolean erasureCoded, Configuration conf) throws IOException {
    conf.set("fs.rados.ceph.conf", ceph.conf().toString());
    conf.set("fs.rados.object.size", Integer.toString(STRIPE));
    URI uri = URI.create("rados://" + index + "/");
    if (erasureCoded) {
      coded = Optional.of(ceph.createErasureCodedPool());
      Mount.format(Authority.of(uri), conf, coded).close();
    }
    return FileSystem.newInstance(uri, conf);
  }

  /** Bytes that all OSDs have sent in answer to reads. */
  private long bytesOut() throws IOException {
    long sum = 0;
    for (JsonNode osd : JSON.readTree(ceph.ceph("osd", "ls", "--format", "json"))) {
      String dump = ceph.ceph("tell", "osd." + osd.asInt(), "perf", "dump", "osd");
      sum += JSON.readTree(dump).path("osd").path("op_r_out_bytes").asLong();
    }
    return sum;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aChangedByteIsFoundAndNamedAndNoDataIsSent(boolean erasureCoded) throws Exception {
    Configuration conf = new Configuration();
    try (FileSystem fs = format(erasureCoded, conf)) {
      String data = coded.orElse(index);
      byte[] content = new byte[LENGTH];
      new Random(5).nextBytes(content);
      try (FSDataOutputStream out = fs.create(new Path("/a/f"))) {
        out.write(content);
      }
      try (Mount mount = Mount.openExisting(Authority.of(fs.getUri()), conf)) {
        long before = bytesOut();
        assertThat(mount.check().run(true).findings()).isEmpty();
        Entry.OfFile file =
            (Entry.OfFile) mount.namespace().lookup(FsPath.parse("/a/f")).orElseThrow();
        mount.fileObjects().check(List.of(file), true);
        assertThat(bytesOut() - before).as("sent for both checks").isLessThan(SMALL);

        String object = file.data().stripe(3);
        byte[] changed = Arrays.copyOfRange(content, 3 * STRIPE, 4 * STRIPE);
        changed[STRIPE / 2] ^= 1;
        ceph.putObject(data, object, changed);
        before = bytesOut();
        PoolInspector.Result result = mount.check().run(true);
        assertThat(result.unchecked()).isEmpty();
        assertThat(result.findings()).hasSize(1);
        Finding found = result.findings().iterator().next();
        assertThat(found.kind()).isEqualTo(Finding.Kind.CONTENT);
        assertThat(found.toString())
            .startsWith("CONTENT /a/f: its object '" + object + "' holds other data")
            .contains("in bytes " + 3 * STRIPE + " to " + (4 * STRIPE - 1) + " of the file");
        assertThatThrownBy(() -> mount.fileObjects().check(List.of(file), true))
            .hasMessageContaining("a/f")
            .hasMessageContaining("'" + object + "' holds other data than was written")
            .hasMessageContaining("in bytes " + 3 * STRIPE + " to ");
        assertThat(bytesOut() - before).as("sent for both checks").isLessThan(SMALL);
        assertThat(mount.statistics().counters().get(RadosStatistic.BYTES_READ.symbol()))
            .as("bytes that this client has got")
            .isZero();
      }
    }
  }

  /** The first object has no checksum of its own; its name is known by those of the others. */
  @Test
  void aChangeOfTheFirstObjectIsNamedToo() throws Exception {
    Configuration conf = new Configuration();
    try (FileSystem fs = format(false, conf)) {
      for (int length : new int[] {10, LENGTH}) {
        String name = "f" + length;
        try (FSDataOutputStream out = fs.create(new Path("/" + name))) {
          out.write(new byte[length]);
        }
        byte[] changed = new byte[Math.min(length, STRIPE)];
        changed[9] = 1;
        ceph.putObject(index, name, changed);
      }
      try (Mount mount = Mount.openExisting(Authority.of(fs.getUri()), conf)) {
        assertThat(mount.check().run(true).findings())
            .extracting(Finding::toString)
            .satisfies(
                found -> {
                  assertThat(found).hasSize(2);
                  assertThat(found)
                      .anyMatch(
                          each ->
                              each.startsWith("CONTENT /f10: its object 'f10' holds other data")
                                  && each.contains("in bytes 0 to 9 of the file"));
                  assertThat(found)
                      .anyMatch(
                          each ->
                              each.startsWith("CONTENT /f" + LENGTH)
                                  && each.contains("in bytes 0 to " + (STRIPE - 1)));
                });
      }
    }
  }
}
