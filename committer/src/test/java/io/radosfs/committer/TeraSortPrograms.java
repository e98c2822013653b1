// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.terasort.TeraChecksum;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.files.ManifestPrinter;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.files.ManifestSuccessData;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Hadoop's own programs generate, sort and check rows, through MapReduce's local runner and the
 * committer.
 *
 * @param conf of the file system; is completed
 * @param root directory of the programs' own; no underscore in its pool, as Hadoop's distributed
 *     cache takes that for no host at all
 */
public record TeraSortPrograms(Configuration conf, Path root) {

  private static final int REDUCERS = 2;
  private static final int ROW_BYTES = 100;

  /**
   * Runs all of them.
   *
   * @param local directory for the runner's files
   */
  public void run(int rows, java.nio.file.Path local) throws Exception {
    conf.set(
        "mapreduce.outputcommitter.factory.scheme.rados", RadosCommitterFactory.class.getName());
    conf.set("fs.AbstractFileSystem.rados.impl", "io.radosfs.connector.RadosFs");
    conf.set("hadoop.tmp.dir", local.resolve("tmp").toString());
    conf.set("mapreduce.framework.name", "local");
    conf.setInt("mapreduce.job.reduces", REDUCERS);

    run(new TeraGen(), Integer.toString(rows), path("gen"));
    run(new TeraSort(), path("gen"), path("sorted"));
    run(new TeraValidate(), path("sorted"), path("report"));
    run(new TeraChecksum(), path("gen"), path("checksum"));
    check(rows);
  }

  private String path(String name) {
    return new Path(root, name).toString();
  }

  private void run(Tool tool, String... arguments) throws Exception {
    assertThat(ToolRunner.run(new Configuration(conf), tool, arguments))
        .as(tool.getClass().getSimpleName())
        .isZero();
  }

  private void check(int rows) throws IOException {
    try (FileSystem fs = root.getFileSystem(conf)) {
      assertThat(names(fs, "gen")).containsExactly("_SUCCESS", "part-m-00000");
      assertThat(names(fs, "sorted")).contains("_SUCCESS", "part-r-00000", "part-r-00001");
      assertThat(bytes(fs, "gen")).isEqualTo((long) rows * ROW_BYTES);
      assertThat(fs.getContentSummary(new Path(root, "gen")).getLength())
          .as("with the report")
          .isGreaterThan((long) rows * ROW_BYTES);
      assertThat(bytes(fs, "sorted")).isEqualTo((long) rows * ROW_BYTES);
      String checksum = text(fs, "checksum/part-r-00000").strip();
      assertThat(text(fs, "report/part-r-00000").strip())
          .as("no row out of order, and none lost or doubled")
          .isEqualTo("checksum\t" + checksum);

      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      ManifestSuccessData success =
          new ManifestPrinter(conf, new PrintStream(printed, true, StandardCharsets.UTF_8))
              .loadAndPrintManifest(fs, new Path(root, "sorted/_SUCCESS"));
      assertThat(success.getCommitter()).isEqualTo("radosfs");
      assertThat(success.getSuccess()).isTrue();
      assertThat(printed.toString(StandardCharsets.UTF_8))
          .contains("committer_files_committed=" + REDUCERS);
    }
  }

  private List<String> names(FileSystem fs, String directory) throws IOException {
    List<String> names = new ArrayList<>();
    for (FileStatus status : fs.listStatus(new Path(root, directory))) {
      names.add(status.getPath().getName());
    }
    return names;
  }

  private long bytes(FileSystem fs, String directory) throws IOException {
    long bytes = 0;
    for (FileStatus status : fs.listStatus(new Path(root, directory))) {
      bytes += status.getPath().getName().startsWith("part-") ? status.getLen() : 0;
    }
    return bytes;
  }

  private String text(FileSystem fs, String file) throws IOException {
    try (FSDataInputStream in = fs.open(new Path(root, file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
