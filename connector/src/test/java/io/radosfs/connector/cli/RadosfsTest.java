package io.radosfs.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

class RadosfsTest {

  private final SimulatedCluster cluster =
      SimulatedCluster.withPools("meta").addErasureCodedPool("ec");
  private final Configuration conf = SimulatedConnections.configuration(cluster);
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    for (String key : new String[] {"fs.rados.cluster.factory", "fs.rados.ceph.conf"}) {
      all.add(1, "-D" + key + "=" + conf.get(key));
    }
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Radosfs.run(new PrintWriter(out), new PrintWriter(err), all.toArray(new String[0]));
  }

  @Test
  void formatsOnce() {
    assertThat(run("format", "--data-pool", "ec", "--object-size", "1K", "rados://meta")).isZero();
    assertThat(out.toString())
        .isEqualToNormalizingNewlines(
            "rados://meta: layout version 1, data in pool ec, object size 1024\n");
    assertThat(run("format", "rados://meta")).isEqualTo(1);
    assertThat(err.toString()).contains("radosfs: rados://meta is formatted already");
  }

  @Test
  void formatWritesNothingWhenThePoolIsMissing() {
    assertThat(run("format", "--data-pool", "none", "rados://meta")).isEqualTo(1);
    assertThat(err.toString()).contains("no pool 'none'").contains("holds the data");
    assertThat(cluster.objects("meta", "")).isEmpty();
  }

  @Test
  void looksWithoutFormatting() {
    assertThat(run("info", "rados://meta")).isEqualTo(1);
    assertThat(err.toString()).contains("holds no file system yet");
    assertThat(cluster.objects("meta", "")).isEmpty();
    assertThat(run("stat", "hdfs://x/y")).isEqualTo(1);
    assertThat(run("nonsense", "x")).isEqualTo(2);
  }

  @Test
  void showsWhereAFileIs() throws IOException {
    assertThat(run("format", "--data-pool", "ec", "--object-size", "1K", "rados://meta")).isZero();
    try (FileSystem fs = FileSystem.newInstance(URI.create("rados://meta"), conf);
        FSDataOutputStream data = fs.create(new Path("/a/b"))) {
      data.write(new byte[2500]);
    }
    assertThat(run("objects", "rados://meta/a/b")).isZero();
    List<String> objects = out.toString().lines().toList();
    assertThat(objects).hasSize(3).startsWith("a/b");
    assertThat(cluster.objects("ec", "").keySet()).containsExactlyInAnyOrderElementsOf(objects);
    assertThat(run("stat", "rados://meta/a/b")).isZero();
    assertThat(out.toString()).containsPattern("length +2500").containsPattern("pool +ec");
    assertThat(run("objects", "rados://meta/a")).isZero();
    assertThat(out.toString()).isEqualToNormalizingNewlines("a/\n");
    assertThat(run("info", "rados://meta")).isZero();
    assertThat(out.toString()).contains("data in pool ec, object size 1024").contains("index pool");
    assertThat(run("stat", "rados://meta/none")).isEqualTo(1);
    assertThat(err.toString()).contains("no such file: rados://meta/none");
    assertThat(cluster.objects("meta", "")).containsKey(ObjectNames.SUPERBLOCK);
  }
}
