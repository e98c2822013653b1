// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.InvalidPathHandleException;
import org.apache.hadoop.fs.Options.HandleOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.RawPathHandle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Handles of files: what each kind opens after a rename, a replacement and a deletion. */
class HandlesTest {

  private static final Path FILE = new Path("/d/f");
  private static final Path MOVED = new Path("/d/g");

  private final SimulatedCluster cluster = SimulatedCluster.withPools("p");
  private FileSystem fs;
  private FileStatus seen;

  @BeforeEach
  void open() throws IOException {
    fs = FileSystem.get(URI.create("rados://p/"), SimulatedConnections.configuration(cluster));
    write("old");
    seen = fs.getFileStatus(FILE);
  }

  @AfterEach
  void close() throws IOException {
    fs.close();
  }

  private void write(String content) throws IOException {
    try (FSDataOutputStream out = fs.create(FILE)) {
      out.write(content.getBytes(UTF_8));
    }
  }

  private PathHandle handle(HandleOpt... options) {
    return fs.getPathHandle(seen, options);
  }

  private String read(PathHandle handle) throws IOException {
    try (FSDataInputStream in = fs.open(handle)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private void assertInvalid(PathHandle handle) {
    assertThatThrownBy(() -> read(handle)).isInstanceOf(InvalidPathHandleException.class);
  }

  @Test
  void theFileItself() throws IOException {
    assertThat(read(handle(HandleOpt.exact()))).isEqualTo("old");
    assertThat(read(handle(HandleOpt.content()))).isEqualTo("old");
    assertThat(read(handle(HandleOpt.path()))).isEqualTo("old");
    assertThat(read(handle(HandleOpt.reference()))).isEqualTo("old");
    assertThat(read(handle())).as("no options: path").isEqualTo("old");
  }

  @Test
  void attributesAreNoContent() throws IOException {
    PathHandle exact = handle(HandleOpt.exact());
    fs.setTimes(FILE, 12, -1);
    assertThat(read(exact)).isEqualTo("old");
  }

  @Test
  void afterARename() throws IOException {
    fs.rename(FILE, MOVED);
    assertInvalid(handle(HandleOpt.exact()));
    assertInvalid(handle(HandleOpt.path()));
    assertThat(read(handle(HandleOpt.content()))).isEqualTo("old");
    assertThat(read(handle(HandleOpt.reference()))).isEqualTo("old");
  }

  @Test
  void whileWhatWasReplacedIsKept() throws IOException {
    write("new");
    assertInvalid(handle(HandleOpt.exact()));
    assertThat(read(handle(HandleOpt.content()))).isEqualTo("old");
    assertThat(read(handle(HandleOpt.path()))).isEqualTo("new");
    assertThat(read(handle(HandleOpt.reference()))).isEqualTo("old");
  }

  @Test
  void afterAReplacement() throws IOException {
    fs.close();
    Configuration configuration = SimulatedConnections.configuration(cluster);
    configuration.set(Options.REPLACED_RETENTION.key(), "0");
    fs = FileSystem.get(URI.create("rados://p/"), configuration);
    write("new");
    assertInvalid(handle(HandleOpt.exact()));
    assertInvalid(handle(HandleOpt.content()));
    assertThat(read(handle(HandleOpt.path()))).isEqualTo("new");
    assertThat(read(handle(HandleOpt.reference()))).isEqualTo("new");
  }

  @Test
  void afterARenameAndANewFile() throws IOException {
    fs.rename(FILE, MOVED);
    write("new");
    assertInvalid(handle(HandleOpt.exact()));
    assertThat(read(handle(HandleOpt.content()))).isEqualTo("old");
    assertThat(read(handle(HandleOpt.path()))).isEqualTo("new");
    assertThat(read(handle(HandleOpt.reference()))).as("the file, not the path").isEqualTo("old");
  }

  @Test
  void afterADeletion() throws IOException {
    fs.delete(FILE, false);
    assertInvalid(handle(HandleOpt.exact()));
    assertInvalid(handle(HandleOpt.content()));
    assertInvalid(handle(HandleOpt.path()));
    assertInvalid(handle(HandleOpt.reference()));
  }

  @Test
  void itsBytesAndItsSerialisedFormServeInAnotherProcess() throws Exception {
    PathHandle handle = handle(HandleOpt.content());
    fs.rename(FILE, MOVED);
    assertThat(read(new RawPathHandle(handle.bytes()))).isEqualTo("old");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(handle);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      PathHandle again = (PathHandle) in.readObject();
      assertThat(again).isEqualTo(handle).hasSameHashCodeAs(handle);
      assertThat(read(again)).isEqualTo("old");
    }
  }

  @Test
  void otherBytesAreRefused() {
    assertInvalid(new RawPathHandle(ByteBuffer.wrap("something else".getBytes(UTF_8))));
    byte[] half = new byte[20];
    handle(HandleOpt.exact()).bytes().get(half);
    assertInvalid(new RawPathHandle(ByteBuffer.wrap(half)));
  }

  @Test
  void ofADirectoryOrAnotherStatusThereIsNone() throws IOException {
    FileStatus directory = fs.getFileStatus(FILE.getParent());
    assertThatThrownBy(() -> fs.getPathHandle(directory))
        .isInstanceOf(IllegalArgumentException.class);
    FileStatus foreign = new FileStatus(3, false, 1, 1, 1, fs.makeQualified(FILE));
    assertThatThrownBy(() -> fs.getPathHandle(foreign))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
