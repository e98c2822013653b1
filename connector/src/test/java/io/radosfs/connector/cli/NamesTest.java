// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code radosfs mkdir}, {@code mv} and {@code rm}. */
class NamesTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta", "other");
  private final Configuration conf = SimulatedConnections.configuration(cluster);
  private FileSystem fs;

  @BeforeEach
  void makeFiles() throws IOException {
    fs = FileSystem.newInstance(URI.create("rados://meta"), conf);
    for (String path : new String[] {"/a/f", "/a/g", "/b/f"}) {
      try (FSDataOutputStream file = fs.create(new Path(path))) {
        file.writeUTF(path);
      }
    }
  }

  @AfterEach
  void close() throws IOException {
    fs.close();
  }

  private void succeeds(String... args) {
    Ran ran = Ran.of(conf, args);
    assertThat(ran.status()).as(ran.err()).isZero();
    assertThat(ran.out()).isEmpty();
  }

  private void fails(String message, String... args) {
    Ran ran = Ran.of(conf, args);
    assertThat(ran.status()).isEqualTo(1);
    assertThat(ran.err()).contains(message);
    assertThat(ran.out()).isEmpty();
  }

  private boolean isThere(String path) throws IOException {
    return fs.exists(new Path(path));
  }

  @Test
  void makesADirectoryAndThoseAboveIt() throws IOException {
    succeeds("mkdir", "rados://meta/c/d");
    succeeds("mkdir", "rados://meta/c/d");
    assertThat(fs.getFileStatus(new Path("/c/d")).isDirectory()).isTrue();
    fails("/a/f", "mkdir", "rados://meta/a/f");
    succeeds("mkdir", "rados://other/first");
  }

  @Test
  void renamesToANewNameOrIntoADirectory() throws IOException {
    succeeds("mv", "rados://meta/a/g", "rados://meta/a/h");
    assertThat(isThere("/a/g")).isFalse();
    succeeds("mv", "rados://meta/a/h", "rados://meta/b");
    assertThat(isThere("/b/h")).isTrue();
    succeeds("mv", "rados://meta/b", "rados://meta/c");
    assertThat(isThere("/c/h")).isTrue();
    assertThat(isThere("/b")).isFalse();
  }

  @Test
  void overwritesNothing() throws IOException {
    fails("/b/f", "mv", "rados://meta/a/f", "rados://meta/b/f");
    fails("/b/f", "mv", "rados://meta/a/f", "rados://meta/b");
    assertThat(isThere("/a/f")).isTrue();
    fails("/none", "mv", "rados://meta/none", "rados://meta/b");
    fails("/no", "mv", "rados://meta/a/f", "rados://meta/no/f");
    fails("another file system", "mv", "rados://meta/a/f", "rados://other/f");
    fails("another file system", "mv", "rados://meta/a/f", "rados://n@meta/f");
    fails("the root has no other name", "mv", "rados://meta/", "rados://meta/b");
  }

  @Test
  void removesADirectoryWithSomethingInItOnlyIfTold() throws IOException {
    fails("--recursive removes that too", "rm", "rados://meta/a");
    assertThat(isThere("/a/f")).isTrue();
    succeeds("rm", "rados://meta/a/f");
    assertThat(isThere("/a/f")).isFalse();
    fails("no such file or directory: rados://meta/a/f", "rm", "rados://meta/a/f");
    succeeds("rm", "-r", "rados://meta/a");
    assertThat(isThere("/a")).isFalse();
    fails("the whole file system", "rm", "-r", "rados://meta/");
    fails("the whole file system", "rm", "-r", "rados://meta");
    assertThat(isThere("/b/f")).isTrue();
    assertThat(cluster.objects("meta", "").keySet()).noneMatch(name -> name.startsWith("a"));
  }
}
