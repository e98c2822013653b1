// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.config.Options;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whoever reads what is replaced can finish, and then the data goes. */
class ReplacedDataIT {

  private static final Duration BOUND = Duration.ofSeconds(60);

  private SparkOnCeph on;

  @BeforeEach
  void start() {
    on = SparkOnCeph.withNewPool();
  }

  @AfterEach
  void stop() {
    on.close();
  }

  private String key() {
    return Options.REPLACED_RETENTION.key().replace("fs.rados.", "fs.rados.pool." + on.pool + ".");
  }

  private FileSystem keeping(String time) throws IOException {
    Configuration conf = on.configuration();
    conf.set(key(), time);
    return FileSystem.newInstance(URI.create(on.uri("")), conf);
  }

  private void write(int rows, int partitions) {
    on.spark
        .range(0, rows, 1, 2)
        .selectExpr("id", "id % " + partitions + " AS p")
        .write()
        .mode(SaveMode.Overwrite)
        .partitionBy("p")
        .parquet(on.uri("table"));
  }

  /** A static overwrite, which replaces files and, of two partitions, the whole directories. */
  @Test
  void readersFinishWhatAJobReplaces() throws Exception {
    on.spark.sparkContext().hadoopConfiguration().set(key(), "1h");
    write(1_000, 4);
    Map<Path, byte[]> contents = new TreeMap<>();
    Map<Path, FSDataInputStream> open = new TreeMap<>();
    long bytes = on.bytes("table");
    try (FileSystem reader = on.newFileSystem()) {
      for (FileStatus file : on.dataFiles("table")) {
        try (FSDataInputStream in = reader.open(file.getPath())) {
          contents.put(file.getPath(), in.readAllBytes());
        }
        open.put(file.getPath(), reader.open(file.getPath()));
      }
      write(100, 2);

      assertThat(on.spark.read().parquet(on.uri("table")).count()).isEqualTo(100);
      for (Map.Entry<Path, FSDataInputStream> file : open.entrySet()) {
        assertThat(reader.exists(file.getKey())).as("%s", file.getKey()).isFalse();
        try (FSDataInputStream in = file.getValue()) {
          assertThat(in.readAllBytes()).isEqualTo(contents.get(file.getKey()));
        }
      }
    }
    assertThat(on.radosfs("fsck", "--data", "--bytes"))
        .contains(open.size() + 1 + " replaced files, " + bytes + " bytes, are kept")
        .contains("0 wrong");
    assertThat(on.radosfs("gc")).contains("still there: data of " + (open.size() + 1));
    assertThat(on.radosfs("gc", "--replaced-now", "--bytes"))
        .contains("removed: data of " + (open.size() + 1) + " replaced files, " + bytes + " bytes");
    assertThat(on.objects().dataObjectsBelow("table")).isEqualTo(on.files("table").size());
    assertThat(on.radosfs("fsck", "--data")).doesNotContain("replaced").contains("0 wrong");
  }

  private static void replace(FileSystem fileSystem) throws IOException {
    for (int i = 0; i < 2; i++) {
      try (FSDataOutputStream out = fileSystem.create(new Path("/f"), true)) {
        out.write(new byte[(5 << 20) + i]);
      }
    }
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition) throws Exception {
    long deadline = System.nanoTime() + BOUND.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.sleep(200);
    }
  }

  @Test
  void itIsCollectedOnceItIsDue() throws Exception {
    try (FileSystem fileSystem = keeping("3s")) {
      replace(fileSystem);
    }
    assertThat(on.radosfs("gc", "--dry-run")).contains("would remove: replaced data of /f");
    await(() -> on.radosfs("gc").contains("removed: data of 1 replaced files, 5.0 MiB"));
    // The new file's own, whose first has its uid in the name.
    assertThat(on.objects().dataObjectsBelow("f")).isEqualTo(2);
    assertThat(on.objects().firstStripes()).doesNotContain("f");
    assertThat(on.radosfs("fsck", "--data")).doesNotContain("replaced").contains("0 wrong");
  }

  @Test
  void theProcessThatReplacedItRemovesIt() throws Exception {
    try (FileSystem fileSystem = keeping("1s")) {
      replace(fileSystem);
      await(() -> !on.radosfs("fsck").contains("replaced"));
      assertThat(on.radosfs("fsck", "--data")).contains("0 wrong");
      assertThat(fileSystem.getFileStatus(new Path("/f")).getLen()).isEqualTo((5 << 20) + 1);
    }
    assertThat(on.ceph.listObjects(on.pool).stream().filter(name -> name.startsWith("f")))
        .as("objects of the file")
        .hasSize(2);
  }
}
