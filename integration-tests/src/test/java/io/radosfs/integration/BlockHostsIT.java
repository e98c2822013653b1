// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.connector.placement.ObjectHash;
import io.radosfs.integration.ceph.CephCluster;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where a real Ceph has the blocks of files, for a user with the rights of the documentation. */
class BlockHostsIT {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final CephCluster ceph = CephCluster.shared();
  private String pool;
  private CephCluster.User user;

  @BeforeEach
  void makePool() {
    pool = ceph.createPool();
    user = ceph.createUser("hosts", "mon", "allow r", "osd", "allow rw pool=" + pool);
  }

  @AfterEach
  void deletePool() {
    ceph.deletePool(pool);
  }

  private FileSystem open(String authority) throws IOException {
    Configuration conf = new Configuration();
    conf.set("fs.rados.ceph.conf", ceph.conf().toString());
    conf.set("fs.rados.ceph.user", user.entity());
    conf.set("fs.rados.ceph.keyring", user.keyring().toString());
    conf.set("fs.rados.object.size", "64K");
    conf.set("fs.rados.block.size", "256K");
    return FileSystem.newInstance(URI.create("rados://" + authority + "/"), conf);
  }

  private JsonNode osdMap(String namespace, String object) throws IOException {
    List<String> command = new ArrayList<>(List.of("osd", "map", pool, object));
    if (!namespace.isEmpty()) {
      command.add(namespace);
    }
    command.addAll(List.of("--format", "json"));
    return JSON.readTree(ceph.ceph(command.toArray(String[]::new)));
  }

  @Test
  void placementGroupsAreComputedAsCephDoes() throws IOException {
    Random random = new Random(20_261_121);
    ceph.ceph("osd", "pool", "set", pool, "pg_autoscale_mode", "off");
    for (int groups : new int[] {16, 20}) {
      ceph.ceph("osd", "pool", "set", pool, "pg_num", Integer.toString(groups));
      awaitGroups(groups);
      for (int i = 0; i < 20; i++) {
        String namespace = i % 3 == 0 ? "team" : "";
        String object = "a/ü" + "x".repeat(i) + random.nextInt();
        String told = osdMap(namespace, object).path("pgid").asText();
        assertThat(Integer.toHexString(ObjectHash.placementGroup(namespace, object, groups)))
            .as("'%s' of %d groups", object, groups)
            .isEqualTo(told.substring(told.indexOf('.') + 1));
      }
    }
  }

  /** Groups are split a few at a time. */
  private void awaitGroups(int groups) throws IOException {
    String told = "";
    for (int i = 0; i < 300; i++) {
      told = ceph.ceph("osd", "pool", "get", pool, "pg_num", "--format", "json");
      if (JSON.readTree(told).path("pg_num").asInt() == groups) {
        return;
      }
      try {
        Thread.sleep(200);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
    throw new AssertionError("pool does not get " + groups + " groups: " + told);
  }

  @Test
  void blocksAreWhereTheirObjectsAre() throws IOException {
    try (FileSystem fs = open("team@" + pool)) {
      // This user sees the whole pool; the namespace is a part of where objects are.
      Path file = new Path("/d/f");
      try (FSDataOutputStream out = fs.create(file)) {
        out.write(new byte[600 << 10]);
      }
      FileStatus status = fs.getFileStatus(file);
      BlockLocation[] blocks = fs.getFileBlockLocations(status, 0, Long.MAX_VALUE);
      assertThat(blocks).hasSize(3);
      TreeSet<String> hosts = new TreeSet<>();
      for (int id : osds()) {
        hosts.add(
            JSON.readTree(ceph.ceph("osd", "find", Integer.toString(id), "--format", "json"))
                .path("host")
                .asText());
      }
      long offset = 0;
      for (BlockLocation block : blocks) {
        assertThat(block.getOffset()).isEqualTo(offset);
        assertThat(block.getHosts()).isNotEmpty().isSubsetOf(hosts);
        assertThat(block.getNames()[0]).containsPattern(":\\d+$");
        offset += block.getLength();
      }
      assertThat(offset).isEqualTo(600 << 10);
      assertThat(fs.getFileBlockLocations(status, 256 << 10, 1)).hasSize(1);
      assertThat(fs.listLocatedStatus(file.getParent()).next().getBlockLocations()).hasSize(3);
      assertThat(fs.getFileBlockLocations(new FileStatus(5, false, 1, 1, 1, file), 0, 5))
          .hasSize(1);
    }
  }

  private List<Integer> osds() throws IOException {
    List<Integer> ids = new ArrayList<>();
    JSON.readTree(ceph.ceph("osd", "ls", "--format", "json")).forEach(id -> ids.add(id.asInt()));
    assertThat(ids).isNotEmpty();
    return ids;
  }

  @Test
  void theFirstHostIsThatOfTheOsdThatServesMost() throws IOException {
    try (FileSystem fs = open(pool)) {
      Path file = new Path("/one");
      try (FSDataOutputStream out = fs.create(file)) {
        out.write("one stripe".getBytes(UTF_8));
      }
      JsonNode told = osdMap("", "one");
      JsonNode osd =
          JSON.readTree(
              ceph.ceph("osd", "find", told.path("acting_primary").asText(), "--format", "json"));
      BlockLocation[] blocks = fs.getFileBlockLocations(file, 0, 5);
      assertThat(blocks).hasSize(1);
      assertThat(blocks[0].getHosts()[0]).isEqualTo(osd.path("host").asText());
    }
  }
}
