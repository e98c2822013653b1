// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.config.Options;
import io.radosfs.connector.mount.SilentConnections;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A call waits for an operation that is not answered, for a quarter as long to find out what became
 * of it, and once more to clean up: not for each try, look-up and removal anew.
 */
class BoundedCallsTest {

  private static final int MANY = 100;

  private interface Body {
    void run(FileSystem fs) throws IOException;
  }

  /** What a user calls. */
  enum Call {
    CREATE(fs -> write(fs, "/d/new", false)),
    OVERWRITE(fs -> write(fs, "/d/old", true)),
    RENAME(fs -> fs.rename(new Path("/d/old"), new Path("/d/renamed"))),
    RENAME_TO_ANOTHER_DIRECTORY(fs -> fs.rename(new Path("/d/old"), new Path("/e/renamed"))),
    RENAME_OVER_ANOTHER(BoundedCallsTest::renameOver),
    RENAME_DIRECTORY(fs -> fs.rename(new Path("/d"), new Path("/e/renamed"))),
    DELETE(fs -> fs.delete(new Path("/d/old"), false)),
    DELETE_TREE(fs -> fs.delete(new Path("/d"), true)),
    DELETE_IN_BULK(BoundedCallsTest::deleteInBulk),
    MKDIRS(fs -> fs.mkdirs(new Path("/d/x/y/z"))),
    LIST(fs -> fs.listStatus(new Path("/d"))),
    STATUS(fs -> fs.getFileStatus(new Path("/d/old")));

    private final Body body;

    Call(Body body) {
      this.body = body;
    }
  }

  private static void write(FileSystem fs, String path, boolean overwrite) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(path), overwrite)) {
      out.write(new byte[2_500]);
    }
  }

  private static void renameOver(FileSystem fs) throws IOException {
    ((RadosFileSystem) fs).rename(new Path("/d/old"), new Path("/e/old"), Rename.OVERWRITE);
  }

  private static void deleteInBulk(FileSystem fs) throws IOException {
    List<Path> paths = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      paths.add(fs.makeQualified(new Path("/d/" + i)));
      paths.add(fs.makeQualified(new Path("/d" + i + "/f")));
    }
    paths.add(fs.makeQualified(new Path("/d/old")));
    try (BulkDelete bulk = fs.createBulkDelete(new Path("/"))) {
      for (Map.Entry<Path, String> failure : bulk.bulkDelete(paths)) {
        assertThat(failure.getValue()).contains("no answer");
      }
    }
  }

  @AfterEach
  void speak() {
    SilentConnections.speak();
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void endsSoonWhenNothingIsAnswered(Call call) throws IOException {
    fallSilentAtEach(call, false);
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void endsSoonWhenWritesAreNotAnswered(Call call) throws IOException {
    fallSilentAtEach(call, true);
  }

  private static void fallSilentAtEach(Call call, boolean writesAlone) throws IOException {
    boolean silent = true;
    for (int from = 1; silent; from++) {
      assertThat(from).isLessThan(MANY);
      SimulatedCluster cluster = SimulatedCluster.withPools("meta");
      Configuration conf = SimulatedConnections.configuration(cluster);
      conf.set(Options.CLUSTER_FACTORY.key(), SilentConnections.class.getName());
      conf.set("fs.rados.object.size", "1K");
      conf.set(Options.REPLACED_RETENTION.key(), "0");
      conf.set(Options.TRANSACTION_THREADS.key(), "1");
      try (FileSystem fs = FileSystem.get(URI.create("rados://meta/"), conf)) {
        write(fs, "/d/old", false);
        write(fs, "/e/old", false);
        SilentConnections.fallSilent(from, writesAlone);
        try {
          call.body.run(fs);
        } catch (IOException e) {
          assertThat(e).as("why else does it fail").hasStackTraceContaining("no answer");
        }
        silent = SilentConnections.wasSilent();
        assertThat(SilentConnections.waited())
            .as("%s, silent from operation %d", call, from)
            .isLessThanOrEqualTo(SilentConnections.BOUND * 9 / 4);
        SilentConnections.speak();
      }
    }
  }

  /** The first write of a file system makes its superblock. */
  @Test
  void theFirstWriteEndsSoonToo() throws IOException {
    boolean silent = true;
    for (int from = 1; silent; from++) {
      SimulatedCluster cluster = SimulatedCluster.withPools("meta");
      Configuration conf = SimulatedConnections.configuration(cluster);
      conf.set(Options.CLUSTER_FACTORY.key(), SilentConnections.class.getName());
      try (FileSystem fs = FileSystem.get(URI.create("rados://meta/"), conf)) {
        SilentConnections.fallSilent(from, true);
        try {
          assertThat(fs.mkdirs(new Path("/d"))).isTrue();
        } catch (IOException e) {
          assertThat(e).as("why else does it fail").hasStackTraceContaining("no answer");
        }
        silent = SilentConnections.wasSilent();
        assertThat(SilentConnections.waited())
            .as("silent from operation %d", from)
            .isLessThanOrEqualTo(SilentConnections.BOUND * 9 / 4);
        SilentConnections.speak();
      }
    }
  }
}
