// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.OpInfo;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines that say how far a verb has come, and really do. */
class ProgressTest {

  private static final String OPERATIONS = "[1-9][0-9,]* RADOS operations";

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");

  @TempDir Path here;

  @BeforeEach
  void makeFiles() throws IOException {
    Configuration conf = SimulatedConnections.configuration(cluster);
    try (FileSystem fs = FileSystem.newInstance(URI.create("rados://meta"), conf)) {
      // One is replaced, and its data kept.
      for (String path : List.of("/t/a", "/t/b", "/t/b", "/t/c/d")) {
        try (FSDataOutputStream file = fs.create(new org.apache.hadoop.fs.Path(path), true)) {
          file.write(new byte[1_536]);
        }
      }
    }
    Files.createDirectories(here.resolve("u"));
    for (String name : List.of("a", "b")) {
      Files.write(here.resolve("u").resolve(name), new byte[1_536]);
    }
  }

  /** Whether the line is there while the verb works, and gone after. */
  private ShownProgress shown(String object, String line, String verb, String... args) {
    ShownProgress shown =
        ShownProgress.of(cluster, op -> op.object().startsWith(object), verb, args);
    assertThat(shown.status()).as(shown.err()).isZero();
    assertThat(shown.err().replace(ShownProgress.CLEAR, "<"))
        .containsPattern("<" + verb + ": " + line + ", \\d+ s<")
        .matches("(<" + verb + "[^<]*|<)+<");
    return shown;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "t/       | [1-9] looked at  | find    | --name * rados://meta/",
        "t/       | [0-9] files      | export  | rados://meta/",
        "t/       | {operations}     | du      | rados://meta/",
        "t/       | {operations}     | fsck    | rados://meta/",
        "//ledgers | {operations}    | gc      | rados://meta/",
        "//replaced | {operations}   | restore | --list rados://meta/",
        "t/       | {operations}     | adopt   | -R rados://meta/t",
      })
  void isShown(String object, String line, String verb, String args) {
    shown(object, line.replace("{operations}", OPERATIONS), verb, args);
  }

  /** The first file is there when the second one is waited for. */
  @Test
  void getTellsOfFilesAndBytes() {
    shown("t/b", "1 files, 1\\.5 KiB", "get", "rados://meta/t", here + "/copy");
    assertThat(here.resolve("copy/c/d")).hasBinaryContent(new byte[1_536]);
  }

  @Test
  void putTellsOfFilesAndBytes() {
    ShownProgress unused =
        shown("u._COPYING_/b", "[01] files, 1\\.5 KiB", "put", here + "/u", "rados://meta/");
  }

  /** Elsewhere than on a terminal there is none, however long it takes. */
  @Test
  void isOnATerminalOnly() {
    Configuration conf = SimulatedConnections.configuration(cluster);
    cluster.client("client.admin").faults().before(ProgressTest::rest);
    Ran ran = Ran.of(conf, "find", "--name", "a", "rados://meta/");
    assertThat(ran.status()).isZero();
    assertThat(ran.err()).isEmpty();
  }

  private static void rest(OpInfo op) throws IOException {
    if (op.object().equals("t/")) {
      try {
        Thread.sleep(700);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }
}
