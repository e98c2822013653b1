// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.cli.ending.ProcessEnd;
import io.radosfs.connector.cli.ending.WholeInput;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code radosfs put}. Alone, as it changes the process's standard input. */
@Isolated
class PutTest {

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");
  private final Configuration conf = SimulatedConnections.configuration(cluster);
  private FileSystem fs;

  @TempDir Path here;

  @BeforeEach
  void open() throws IOException {
    fs = FileSystem.newInstance(URI.create("rados://meta"), conf);
    Files.writeString(here.resolve("f"), "new");
    Files.createDirectories(here.resolve("tree/d"));
    Files.writeString(here.resolve("tree/d/g"), "deep");
    fs.mkdirs(path("/a"));
  }

  @AfterEach
  void close() throws IOException {
    fs.close();
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private String content(String path) throws IOException {
    try (InputStream in = fs.open(path(path))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String here(String name) {
    return here.resolve(name).toString();
  }

  private Ran put(String... args) {
    String[] all = new String[args.length + 1];
    all[0] = "put";
    System.arraycopy(args, 0, all, 1, args.length);
    return Ran.of(conf, all);
  }

  private void succeeds(String... args) {
    Ran ran = put(args);
    assertThat(ran.status()).as(ran.err()).isZero();
  }

  private void fails(String why, String... args) {
    Ran ran = put(args);
    assertThat(ran.status()).isEqualTo(1);
    assertThat(ran.err()).contains(why);
  }

  @Test
  void copiesAFile() throws IOException {
    succeeds(here("f"), "rados://meta/a/b");
    succeeds(here("f"), "rados://meta/a");
    assertThat(content("/a/b")).isEqualTo("new");
    assertThat(content("/a/f")).isEqualTo("new");
    // Not renamed: its object has its name.
    assertThat(cluster.objects("meta", "")).containsKeys("a/b", "a/f");
  }

  @Test
  void copiesATree() throws IOException {
    succeeds(here("tree"), "rados://meta/a");
    succeeds(here("tree"), "rados://meta/b");
    assertThat(content("/a/tree/d/g")).isEqualTo("deep");
    assertThat(content("/b/d/g")).isEqualTo("deep");
    assertThat(fs.listStatus(path("/a"))).hasSize(1);
  }

  /** As a time of day in a file's name. */
  @Test
  void namesMayHaveColons() throws IOException {
    Files.writeString(here.resolve("10:30"), "time");
    Files.createDirectories(here.resolve("tree:1/a:b"));
    Files.writeString(here.resolve("tree:1/a:b/c:d"), "deep");
    succeeds(here("10:30"), "rados://meta/a");
    succeeds(here("10:30"), "rados://meta/a/11:30");
    succeeds(here("tree:1"), "rados://meta/a");
    succeeds(here("tree:1"), "rados://meta/a/tree:2");
    assertThat(fs.listStatus(path("/a"))).hasSize(4);

    for (String name : new String[] {"10:30", "tree:1", "11:30", "tree:2"}) {
      Ran ran = Ran.of(conf, "get", "rados://meta/a/" + name, here("tree"));
      assertThat(ran.status()).as(ran.err()).isZero();
      ran = Ran.of(conf, "get", "rados://meta/a/" + name, here("copy:" + name));
      assertThat(ran.status()).as(ran.err()).isZero();
    }
    assertThat(here.resolve("tree/10:30")).hasContent("time");
    assertThat(here.resolve("tree/tree:2/a:b/c:d")).hasContent("deep");
    assertThat(here.resolve("copy:11:30")).hasContent("time");
    assertThat(here.resolve("copy:tree:1/a:b/c:d")).hasContent("deep");
  }

  /** For each file, under the name that it has in the end. */
  @Test
  void printsObjects() throws IOException {
    Ran ran = put("--json", here("tree"), "rados://meta/a");
    assertThat(ran.status()).as(ran.err()).isZero();
    assertThat(ran.objects()).hasSize(1);
    var file = ran.objects().get(0);
    assertThat(file.get("uri").asText()).isEqualTo("rados://meta/a/tree/d/g");
    assertThat(file.get("path").asText()).isEqualTo("/a/tree/d/g");
    assertThat(file.get("length").asInt()).isEqualTo("deep".length());
    assertThat(file.get("local").asText()).isEqualTo(here("tree/d/g"));
    file = put("--json", here("f"), "rados://meta/b").objects().get(0);
    assertThat(file.get("path").asText()).isEqualTo("/b");
    assertThat(file.get("local").asText()).isEqualTo(here("f"));
    assertThat(put(here("f"), "rados://meta/c").out()).as("what is no object").isEmpty();
  }

  @Test
  void copiesTheStandardInput() throws IOException {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream("piped".getBytes(StandardCharsets.UTF_8)));
    try {
      Ran ran = put("--json", "-", "rados://meta/a/in");
      assertThat(ran.objects().get(0).get("local").asText()).isEqualTo("-");
      fails("name a file in it", "-", "rados://meta/a");
    } finally {
      System.setIn(before);
    }
    assertThat(content("/a/in")).isEqualTo("piped");
  }

  /** Ctrl-C ends the program that writes to the pipe too, and that looks like the end of it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsReadWhileTheProcessEndsIsNotPublished(boolean there) throws IOException {
    if (there) {
      succeeds(here("f"), "rados://meta/a/in");
    }
    byte[] part = "par".getBytes(StandardCharsets.UTF_8);
    try (ProcessEnd processEnd = new ProcessEnd()) {
      InputStream in =
          new FilterInputStream(new ByteArrayInputStream(part)) {
            @Override
            public int read(byte[] bytes, int from, int count) throws IOException {
              int read = super.read(bytes, from, count);
              if (read < 0) {
                processEnd.begin();
              }
              return read;
            }
          };
      assertThatThrownBy(
              () ->
                  new Transfer()
                      .file(
                          new WholeInput(in, processEnd, "rados://meta/a/in"),
                          fs,
                          path("/a/in"),
                          there))
          .hasMessageContaining("put rados://meta/a/in: ended")
          .hasMessageContaining("nothing was published");
    }
    if (there) {
      assertThat(content("/a/in")).isEqualTo("new");
    } else {
      assertThat(fs.exists(path("/a/in"))).isFalse();
    }
  }

  /** With a signal, in a process of its own, whose input ends after it. */
  @Test
  void aSignalLeavesTheOldFile() throws IOException, InterruptedException {
    Process program =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                PutProgram.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (OutputStream to = program.getOutputStream();
        BufferedReader said = program.inputReader(StandardCharsets.UTF_8)) {
      to.write("par".getBytes(StandardCharsets.UTF_8));
      to.flush();
      assertThat(said.readLine()).isEqualTo("reads");
      boolean unused = program.toHandle().destroy(); // leaves the pipes open
      assertThat(said.readLine()).isEqualTo("ends");
      to.close();
      assertThat(said.readLine()).isEqualTo("old");
    }
    assertThat(program.waitFor()).isNotZero();
  }

  @Test
  void overwritesNothingUnlessTold() throws IOException {
    succeeds(here("f"), "rados://meta/a/b");
    Files.writeString(here.resolve("f"), "newer");
    fails("nothing is overwritten", here("f"), "rados://meta/a/b");
    assertThat(content("/a/b")).isEqualTo("new");
    succeeds("--overwrite", here("f"), "rados://meta/a/b");
    assertThat(content("/a/b")).isEqualTo("newer");
    fails("nothing is overwritten", here("tree"), "rados://meta/a/b");
    assertThat(put("-f", here("tree"), "rados://meta/a/x").status()).isEqualTo(2);
  }

  @Test
  void makesNoDirectoriesAbove() throws IOException {
    fails("there is no directory", here("f"), "rados://meta/none/b");
    fails("none", here("none"), "rados://meta/a/b");
    assertThat(fs.exists(path("/none"))).isFalse();
  }

  @Test
  void aCopyThatFailsIsNotThere() throws IOException {
    cluster
        .client(conf.get("fs.rados.ceph.user", "client.admin"))
        .faults()
        .always(
            op -> op.write() && op.object().startsWith("a/b"),
            Fault.failWith(StoreException.Kind.NO_SPACE));
    Ran ran = put(here("f"), "rados://meta/a/b");
    assertThat(ran.status()).isEqualTo(1);
    assertThat(fs.exists(path("/a/b"))).isFalse();
  }

  @Test
  void aTreeThatIsNotWholeIsNotTakenForOne() throws IOException {
    fs.mkdirs(path("/a/tree._COPYING_"));
    fails("remove it", here("tree"), "rados://meta/a");
    assertThat(fs.exists(path("/a/tree"))).isFalse();
  }

  @Test
  void aLinkToNothingIsNotLeftOut() throws IOException {
    Path link = Files.createSymbolicLink(here.resolve("tree/d/link"), here.resolve("none"));
    fails(link + "': put: a symbolic link to nothing", here("tree"), "rados://meta/a");
    assertThat(fs.listStatus(path("/a"))).isEmpty();
    Files.delete(link);
    Path unused = Files.createSymbolicLink(link, here.resolve("f"));
    succeeds(here("tree"), "rados://meta/a");
    assertThat(content("/a/tree/d/link")).isEqualTo("new");
  }

  @Test
  void aLinkToADirectoryAboveItIsNamed() throws IOException {
    Path link = Files.createSymbolicLink(here.resolve("tree/d/loop"), here.resolve("tree"));
    fails(link + "': put: a symbolic link to a directory above it", here("tree"), "rados://meta/a");
    assertThat(fs.listStatus(path("/a"))).isEmpty();
  }

  /** Nobody may ever write to the pipe, and nobody would tell why the copy does not end. */
  @Test
  void aPipeInATreeIsNotWaitedFor() throws IOException, InterruptedException {
    Path pipe = here.resolve("tree/d/pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    fails(pipe + "': put: a pipe, a socket or a device", here("tree"), "rados://meta/a");
    assertThat(fs.listStatus(path("/a"))).isEmpty();
  }

  /** Made by a shell, as Java has no such names. */
  @Test
  void aNameThatIsNoTextIsNotLeftOut() throws IOException, InterruptedException {
    Process shell =
        new ProcessBuilder("sh", "-c", "echo x > \"$(printf 'tree/d/caf\\351')\"")
            .directory(here.toFile())
            .start();
    assertThat(shell.waitFor()).isZero();
    fails("put: a name that is no text", here("tree"), "rados://meta/a");
    assertThat(fs.listStatus(path("/a"))).isEmpty();
  }
}
