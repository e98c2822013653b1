// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.integration.ceph.CephCluster;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tree of names through Hadoop's API on a real Ceph, and what it leaves in the pool. */
class FileSystemIT {

  private final CephCluster ceph = CephCluster.shared();
  private String pool;
  private FileSystem fs;

  @BeforeEach
  void open() throws IOException {
    pool = ceph.createPool();
    fs = FileSystem.newInstance(URI.create("rados://" + pool + "/"), configuration());
  }

  private Configuration configuration() {
    Configuration conf = new Configuration();
    conf.set("fs.rados.ceph.conf", ceph.conf().toString());
    conf.set("fs.rados.ceph.user", ceph.admin().entity());
    conf.set("fs.rados.ceph.keyring", ceph.admin().keyring().toString());
    return conf;
  }

  @AfterEach
  void close() throws IOException {
    fs.close();
    ceph.deletePool(pool);
  }

  private void write(String path, String content) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(path), false)) {
      out.write(content.getBytes(UTF_8));
    }
  }

  private String read(String path) throws IOException {
    try (var in = fs.open(new Path(path))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  @Test
  void renamesMoveNamesAndNoData() throws IOException {
    write("/a/f", "f");
    write("/a/t/s/ü g", "g");
    write("/b/other", "o");
    List<String> data = dataObjects();
    assertThat(fs.rename(new Path("/a/f"), new Path("/a/f2"))).isTrue();
    assertThat(fs.rename(new Path("/a/f2"), new Path("/b/f3"))).isTrue();
    assertThat(fs.rename(new Path("/a/t"), new Path("/b/u"))).isTrue();
    assertThat(fs.rename(new Path("/b/u"), new Path("/b/v"))).isTrue();
    assertThat(read("/b/f3")).isEqualTo("f");
    assertThat(read("/b/v/s/ü g")).isEqualTo("g");
    assertThat(fs.exists(new Path("/a/t"))).isFalse();
    assertThat(dataObjects()).isEqualTo(data);
  }

  @Test
  void theReadmesCommandsShowWhatIsThere() throws IOException {
    write("/a/b", "f");
    List<String> commands = PageCommands.of("connector/README.md", "In short");
    assertThat(commands).hasSize(3);
    List<String> shown =
        commands.stream()
            .map(command -> PageCommands.asAdmin(ceph).run(command.replace("<pool>", pool)))
            .toList();
    assertThat(shown.get(0)).contains("e/b");
    assertThat(shown.get(1)).contains("a/b");
    assertThat(shown.get(2)).contains("1 files: 0 wrong");
  }

  private List<String> dataObjects() {
    return ceph.listObjects(pool).stream()
        .filter(name -> !name.endsWith("/") && !name.startsWith("//"))
        .toList();
  }

  @Test
  void deletionLeavesNothing() throws IOException {
    write("/a/f", "f");
    write("/a/t/s/g", "g");
    fs.mkdirs(new Path("/empty/below"));
    byte[] large = new byte[(9 << 20) + 1];
    try (FSDataOutputStream out = fs.create(new Path("/a/large"))) {
      out.write(large);
    }
    assertThatThrownBy(() -> fs.delete(new Path("/a"), false)).isInstanceOf(IOException.class);
    assertThat(fs.delete(new Path("/a"), true)).isTrue();
    assertThat(fs.delete(new Path("/empty"), true)).isTrue();
    assertThat(fs.delete(new Path("/empty"), true)).isFalse();
    fs.close();
    List<String> left = new ArrayList<>(ceph.listObjects(pool));
    left.removeAll(List.of("/", "//superblock", "//ledgers"));
    assertThat(left).isEmpty();
  }

  @Test
  void ofManyWhoCreateOneNameOneDoes() throws Exception {
    int clients = 8;
    ExecutorService pool = Executors.newFixedThreadPool(clients);
    try {
      for (int round = 0; round < 20; round++) {
        Path path = new Path("/race/" + round);
        List<Callable<Boolean>> all = new ArrayList<>();
        for (int client = 0; client < clients; client++) {
          String content = "client " + client;
          all.add(
              () -> {
                try {
                  write(path.toString(), content);
                  return true;
                } catch (FileAlreadyExistsException e) {
                  return false;
                }
              });
        }
        int winners = 0;
        for (Future<Boolean> result : pool.invokeAll(all)) {
          winners += result.get() ? 1 : 0;
        }
        assertThat(winners).isEqualTo(1);
        assertThat(read(path.toString())).startsWith("client ");
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void aDirectoryOfSeveralPagesIsListedWhole() throws IOException {
    int files = 2_500;
    for (int i = 0; i < files; i++) {
      fs.create(new Path("/many/" + i)).close();
    }
    FileStatus[] listed = fs.listStatus(new Path("/many"));
    assertThat(listed).hasSize(files);
    assertThat(fs.delete(new Path("/many"), true)).isTrue();
    assertThat(fs.exists(new Path("/many"))).isFalse();
  }
}
