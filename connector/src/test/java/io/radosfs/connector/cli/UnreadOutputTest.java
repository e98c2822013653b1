// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Verbs whose output goes to a program that ends early, as in {@code radosfs find … | head}. */
class UnreadOutputTest {

  /** Of a line: its text, its end, and the flush; then the flush at the end. */
  private static final int OF_ONE_LINE = 4;

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");
  private final Configuration conf = SimulatedConnections.configuration(cluster);
  private final StringWriter err = new StringWriter();

  /** A pipe whose reader goes after the first bytes. */
  private static final class Unread extends Writer {
    private int room = 2;
    private int failed;

    @Override
    public void write(char[] text, int from, int count) throws IOException {
      room -= count;
      flush();
    }

    @Override
    public void flush() throws IOException {
      if (room < 0) {
        failed++;
        throw new IOException("Broken pipe");
      }
    }

    @Override
    public void close() {}
  }

  private final Unread unread = new Unread();

  @BeforeEach
  void aTree() throws IOException {
    assertThat(Ran.of(conf, "format", "--object-size", "1K", "rados://meta/").status()).isZero();
    write();
  }

  private void write() throws IOException {
    try (FileSystem fs = FileSystem.newInstance(URI.create("rados://meta/"), conf)) {
      for (int k = 0; k < 10; k++) {
        try (OutputStream out = fs.create(new Path("/d" + k + "/f"), true)) {
          out.write(new byte[5000]);
        }
      }
    }
  }

  private int run(boolean pipe, String command) {
    List<String> all = new ArrayList<>(List.of(command.split(" ")));
    for (String key : List.of("fs.rados.cluster.factory", "fs.rados.ceph.conf")) {
      all.add("-D" + key + "=" + conf.get(key));
    }
    return Radosfs.run(
        new PrintWriter(unread),
        new PrintWriter(err),
        new Radosfs.Console(/* terminal= */ false, /* screen= */ false, pipe),
        all.toArray(new String[0]));
  }

  private long stripes() {
    return cluster.objects("meta", "").keySet().stream()
        .filter(name -> name.startsWith("d") && ObjectNames.isStripe(name))
        .count();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "find rados://meta/",
        "find --json rados://meta/",
        "ls -R rados://meta/",
        "ls rados://meta/",
        "du rados://meta/",
        "du --json rados://meta/",
        "export rados://meta/",
        "objects rados://meta/d1/f",
      })
  void theVerbEndsAsByASignal(String command) {
    assertThat(run(/* pipe= */ true, command)).isEqualTo(141);
    assertThat(err.toString()).isEmpty();
    assertThat(unread.failed).isBetween(1, OF_ONE_LINE);
  }

  /** It is no pipe, so perhaps a full disk, and nobody may look at what is there. */
  @Test
  void elsewhereItSaysThatNotAllIsThere() {
    assertThat(run(/* pipe= */ false, "find rados://meta/")).isEqualTo(1);
    assertThat(err.toString()).startsWith("radosfs: what was printed could not be written");
    assertThat(unread.failed).isBetween(1, OF_ONE_LINE);
  }

  /** What changes something is not ended half-way. */
  @Test
  void aCollectionGoesOn() throws IOException {
    long before = stripes();
    write();
    assertThat(stripes()).isEqualTo(2 * before);
    String command = "gc --replaced-now rados://meta/";
    assertThat(run(/* pipe= */ true, command)).isEqualTo(141);
    assertThat(unread.failed).isGreaterThan(OF_ONE_LINE);
    assertThat(stripes()).isEqualTo(before);
  }
}
