// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.docs.Repository;
import io.radosfs.integration.ceph.CephCluster;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page's script restores a tree by {@code rados get} from what {@code radosfs export} says. */
class ExportIT {

  private static final int LONG = 5_000_000;

  private final CephCluster ceph = CephCluster.shared();
  private final Map<String, byte[]> written = new TreeMap<>();
  private String pool;

  @TempDir Path here;

  @BeforeEach
  void makePool() {
    pool = ceph.createPool();
  }

  @AfterEach
  void removePool() {
    ceph.deletePool(pool);
  }

  private Configuration conf() {
    Configuration conf = new Configuration();
    conf.set("fs.rados.ceph.conf", ceph.conf().toString());
    conf.set("fs.rados.object.size", "1M");
    return conf;
  }

  private void write(FileSystem fs, String path, int length) throws IOException {
    byte[] content = new byte[length];
    new Random(path.hashCode()).nextBytes(content);
    try (var out = fs.create(new org.apache.hadoop.fs.Path(path), true)) {
      out.write(content);
    }
    written.put(path, content);
  }

  @Test
  void thePagesScriptRestoresATree() throws Exception {
    String uri = "rados://apart@" + pool + "/";
    try (FileSystem fs = FileSystem.newInstance(URI.create(uri), conf())) {
      write(fs, "/t/replaced", 10);
      write(fs, "/t/replaced", 20);
      write(fs, "/t/sub/it's a \"name\"\nof $(two) lines", LONG);
      write(fs, "/t/empty", 0);
      write(fs, "/t/before", 30);
      fs.rename(new org.apache.hadoop.fs.Path("/t/before"), new org.apache.hadoop.fs.Path("/t/x"));
      written.put("/t/x", written.remove("/t/before"));
      fs.mkdirs(new org.apache.hadoop.fs.Path("/t/none in it"));
    }
    List<String> commands = PageCommands.of("connector/docs/command-line.md", "Without radosfs");
    assertThat(commands).hasSize(1);
    String[] command = commands.get(0).replace("rados://lake/sales", uri + "t").split(" > ");
    assertThat(command).hasSize(2);
    Files.writeString(here.resolve(command[1]), PageCommands.asAdmin(ceph).run(command[0]));
    restore();
    for (Map.Entry<String, byte[]> file : written.entrySet()) {
      assertThat(here.resolve("restored" + file.getKey())).hasBinaryContent(file.getValue());
    }
    assertThat(here.resolve("restored/t/none in it")).isDirectory();
    try (var all = Files.walk(here.resolve("restored/t"))) {
      assertThat(all.filter(Files::isRegularFile)).hasSize(written.size());
    }
  }

  /** Runs what stands in the page. */
  private void restore() throws IOException, InterruptedException {
    Matcher script =
        Pattern.compile("(?s)```sh\n(jq .*?)```")
            .matcher(Repository.page("connector/docs/command-line.md"));
    assertThat(script.find()).isTrue();
    ProcessBuilder bash = new ProcessBuilder("bash", "-c", "set -o pipefail\n" + script.group(1));
    bash.environment().put("CEPH_CONF", ceph.conf().toString());
    Process run = bash.directory(here.toFile()).redirectErrorStream(true).start();
    String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(run.waitFor()).as(said).isZero();
  }
}
