// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code radosfs cat} and {@code get}. Alone, as it looks at the process's standard output. */
@Isolated
class FilesToHereTest {

  private static final byte[] DATA = new byte[2_500];

  static {
    new Random(1).nextBytes(DATA);
  }

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");
  private final Configuration conf = SimulatedConnections.configuration(cluster);
  private final StringWriter err = new StringWriter();
  private final PrintStream standard = System.out;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private FileSystem fs;

  @TempDir Path here;

  @BeforeEach
  void makeFiles() throws IOException {
    conf.set("fs.rados.object.size", "1K");
    fs = FileSystem.newInstance(URI.create("rados://meta"), conf);
    write("/a/b", "old".getBytes(StandardCharsets.UTF_8));
    write("/a/b", DATA);
    write("/a/c/d", new byte[0]);
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void close() throws IOException {
    System.setOut(standard);
    fs.close();
  }

  private void write(String path, byte[] data) throws IOException {
    try (FSDataOutputStream file = fs.create(new org.apache.hadoop.fs.Path(path), true)) {
      file.write(data);
    }
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    for (String key : new String[] {"fs.rados.cluster.factory", "fs.rados.ceph.conf"}) {
      all.add(1, "-D" + key + "=" + conf.get(key));
    }
    err.getBuffer().setLength(0);
    return Radosfs.run(
        new PrintWriter(new StringWriter()), new PrintWriter(err), all.toArray(new String[0]));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.walk(here)) {
      return all.filter(path -> !path.equals(here))
          .map(path -> here.relativize(path).toString())
          .sorted()
          .toList();
    }
  }

  /** More than one object, and replaced: `rados get` of that name would give something else. */
  @Test
  void catWritesTheBytesOfTheFile() {
    assertThat(run("cat", "rados://meta/a/b")).isZero();
    assertThat(printed.toByteArray()).isEqualTo(DATA);
  }

  /** As in {@code radosfs cat … | head}: no more is read for nobody. */
  @Test
  void catEndsWhereNobodyReads() throws IOException {
    write("/a/long", new byte[8 << 20]);
    AtomicInteger writes = new AtomicInteger();
    System.setOut(
        new PrintStream(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                writes.incrementAndGet();
                throw new IOException("Broken pipe");
              }
            }));
    assertThat(run("cat", "rados://meta/a/long")).isEqualTo(1);
    assertThat(writes).hasValue(1);
  }

  @Test
  void catOfWhatIsNoFileFails() {
    assertThat(run("cat", "rados://meta/a")).isEqualTo(1);
    assertThat(run("cat", "rados://meta/none")).isEqualTo(1);
    assertThat(err.toString()).contains("/none");
    assertThat(printed.toByteArray()).isEmpty();
  }

  @Test
  void getCopiesAFile() throws IOException {
    assertThat(run("get", "rados://meta/a/b", here.toString())).as(err.toString()).isZero();
    assertThat(run("get", "rados://meta/a/b", here + "/other")).isZero();
    assertThat(names()).containsExactly("b", "other");
    assertThat(here.resolve("b")).hasBinaryContent(DATA);
    assertThat(here.resolve("other")).hasBinaryContent(DATA);
  }

  @Test
  void getCopiesADirectory() throws IOException {
    assertThat(run("get", "rados://meta/a", here.toString())).as(err.toString()).isZero();
    assertThat(names()).containsExactly("a", "a/b", "a/c", "a/c/d");
    assertThat(run("get", "rados://meta/", here + "/all")).as(err.toString()).isZero();
    assertThat(here.resolve("all/a/b")).hasBinaryContent(DATA);
  }

  /** For each file, once it has its name. */
  @Test
  void getPrintsObjects() throws IOException {
    Ran ran = Ran.of(conf, "get", "--json", "rados://meta/a", here.toString());
    assertThat(ran.status()).as(ran.err()).isZero();
    assertThat(ran.objects()).hasSize(2);
    ran.objects()
        .forEach(
            file -> {
              String path = file.get("path").asText();
              assertThat(file.get("uri").asText()).isEqualTo("rados://meta" + path);
              assertThat(file.get("local").asText()).isEqualTo(here + path);
              assertThat(Path.of(file.get("local").asText()))
                  .isRegularFile()
                  .matches(copy -> copy.toFile().length() == file.get("length").asLong());
            });
    ran = Ran.of(conf, "get", "--json", "rados://meta/", here + "/all");
    assertThat(ran.objects()).extracting(file -> file.get("path").asText()).contains("/a/c/d");
    ran = Ran.of(conf, "get", "rados://meta/a/b", here + "/text");
    assertThat(ran.out()).as("what is no object").isEmpty();
  }

  @Test
  void getOverwritesNothing() throws IOException {
    Files.writeString(here.resolve("b"), "mine");
    assertThat(run("get", "rados://meta/a/b", here.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("nothing is overwritten");
    assertThat(run("get", "rados://meta/", here.toString())).isEqualTo(1);
    assertThat(run("get", "rados://meta/none", here + "/c")).isEqualTo(1);
    assertThat(run("get", "rados://meta/a/b", here + "/none/b")).isEqualTo(1);
    assertThat(err.toString()).contains("there is no directory");
    Files.createDirectory(here.resolve("d._COPYING_"));
    assertThat(run("get", "rados://meta/a/b", here + "/d")).isEqualTo(1);
    assertThat(err.toString()).contains("remove it");
    assertThat(names()).containsExactly("b", "d._COPYING_");
    assertThat(here.resolve("b")).hasContent("mine");
  }

  /** By another program, while the bytes come. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void getReplacesNothingThatWasMadeMeanwhile(boolean directory) throws IOException {
    cluster
        .client(conf.get("fs.rados.ceph.user", "client.admin"))
        .faults()
        .before(
            op -> {
              if (names().equals(List.of("copy._COPYING_"))) {
                Path made = here.resolve("copy");
                Path unused =
                    directory ? Files.createDirectory(made) : Files.writeString(made, "mine");
              }
            });
    Ran ran = Ran.of(conf, "get", "rados://meta/a/b", here + "/copy");
    assertThat(ran.status()).isEqualTo(1);
    assertThat(ran.err()).contains("was made meanwhile").contains("copy._COPYING_");
    assertThat(names()).containsExactly("copy", "copy._COPYING_");
    assertThat(here.resolve("copy._COPYING_")).hasBinaryContent(DATA);
    if (!directory) {
      assertThat(here.resolve("copy")).hasContent("mine");
    }
  }
}
