// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code radosfs adopt}. What it does step by step is tested with {@code Adoption}. */
class AdoptTest {

  private final SimulatedCluster cluster =
      SimulatedCluster.withPools("meta", "index").addErasureCodedPool("ec");
  private final Configuration conf = SimulatedConnections.configuration(cluster);

  @BeforeEach
  void putObjects() throws IOException {
    put("t/", "");
    put("t/d/", "");
    put("t/d/f", "of f");
    put("t/g", "of g");
    put("t/odd//name", "x");
    put("top", "of top");
    assertThat(run("format", "rados://meta/").status()).isZero();
  }

  private void put(String object, String content) throws IOException {
    put("meta", "", object, content);
  }

  private void put(String pool, String namespace, String object, String content)
      throws IOException {
    try (ObjectStore store = cluster.client("theirs").open(pool, namespace)) {
      store.write(
          object,
          WriteOp.builder()
              .writeFull(ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)))
              .build());
    }
  }

  private Ran run(String... args) {
    return Ran.of(conf, args);
  }

  private String tree() {
    return run("find", "rados://meta/").out();
  }

  @Test
  void oneObjectBecomesAFile() {
    Ran ran = run("adopt", "rados://meta/t/d/f");
    assertThat(ran.status()).as(ran.err()).isZero();
    assertThat(ran.out())
        .contains("ADOPTED", "4 B  rados://meta/t/d/f", "3 adopted, 0 are of files already");
    assertThat(tree()).contains("rados://meta/t/d/f").doesNotContain("top", "t/g");
    assertThat(run("adopt", "rados://meta/t/d/f").out()).contains("0 adopted, 1 are of files");
  }

  @Test
  void allBelowAPathBecomeFilesAndDirectories() {
    Ran dry = run("adopt", "--dry-run", "-R", "rados://meta/t");
    assertThat(dry.out()).contains("ADOPTABLE", "4 would be adopted; nothing was changed");
    assertThat(tree()).isEmpty();
    assertThat(run("adopt", "-R", "rados://meta/t").status()).isZero();
    assertThat(tree().lines())
        .containsExactlyInAnyOrder(
            "rados://meta/t", "rados://meta/t/d", "rados://meta/t/d/f", "rados://meta/t/g");
    assertThat(run("adopt", "-R", "rados://meta/").out()).contains("1 adopted, 2 are of files");
    assertThat(run("fsck", "--data", "rados://meta/").out())
        .contains("LEAK t/odd//name", "1 wrong");
  }

  /** Of the files that it makes, no byte of data goes either way. */
  @Test
  void noDataIsMoved() {
    int before = cluster.log().size();
    Ran ran = run("adopt", "-R", "rados://meta/");
    assertThat(ran.out()).as(ran.err()).contains("5 adopted");
    assertThat(DataMoved.since(cluster, before)).isEqualTo(DataMoved.NOTHING);
  }

  @Test
  void whatFailsIsToldAndTheOthersAreAdopted() throws IOException {
    put("top/below", "a file is above it");
    Ran ran = run("adopt", "--json", "-R", "rados://meta/");
    assertThat(ran.status()).isEqualTo(1);
    assertThat(ran.err()).contains("/top/below: ");
    JsonNode summary = ran.objects().get(ran.objects().size() - 1);
    assertThat(summary.get("adopted").asInt()).isEqualTo(5);
    assertThat(summary.get("failed").asInt()).isEqualTo(1);
  }

  @Test
  void whatIsNotThereOrOfAnotherFileFails() throws IOException {
    assertThat(run("adopt", "rados://meta/none").err()).contains("there is no object 'none'");
    assertThat(run("adopt", "rados://meta/").err()).contains("--recursive adopts all");
    assertThat(run("adopt", "rados://meta/t/g").status()).isZero();
    put("t/other", "x");
    try (ObjectStore store = cluster.client("theirs").open("meta", "")) {
      store.write(
          "t/other", WriteOp.builder().setXattr("radosfs.uid", "0".repeat(24).getBytes()).build());
    }
    Ran ran = run("adopt", "rados://meta/t/other");
    assertThat(ran.status()).isEqualTo(1);
    assertThat(ran.err()).contains("is the data of a file already");
  }

  /** As an index of another file system has, whose pool is the data pool of this one. */
  @Test
  void whatHasAnOmapInAnotherDataPoolIsLeftAlone() throws IOException {
    assertThat(run("format", "--data-pool", "meta", "rados://index/").status()).isZero();
    try (ObjectStore store = cluster.client("theirs").open("meta", "")) {
      for (String object : new String[] {"other/", "other/f"}) {
        store.write(
            object, WriteOp.builder().createIfMissing().setOmap("h", "theirs".getBytes()).build());
      }
    }
    assertThat(run("adopt", "rados://index/other/f").err()).contains("has an omap");
    assertThat(run("adopt", "-R", "rados://index/other").status()).isEqualTo(1);
    for (String object : new String[] {"other/", "other/f"}) {
      assertThat(cluster.objects("meta", "").get(object).omap()).as(object).containsOnlyKeys("h");
      assertThat(cluster.objects("meta", "").get(object).xattrs()).as(object).isEmpty();
    }
  }

  /** An erasure-coded pool has no omaps. */
  @Test
  void objectsOfAnotherDataPoolBecomeFiles() throws IOException {
    assertThat(run("format", "--data-pool", "ec", "rados://apart@meta/").status()).isZero();
    put("ec", "apart", "t/", "");
    put("ec", "apart", "t/f", "of f");
    Ran ran = run("adopt", "-R", "rados://apart@meta/");
    assertThat(ran.out()).as(ran.err()).contains("2 adopted");
    assertThat(run("fsck", "--data", "rados://apart@meta/").out()).contains("1 files: 0 wrong");
    assertThat(run("stat", "rados://apart@meta/t/f").out()).containsPattern("pool +ec");
  }
}
