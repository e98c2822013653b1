package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.simulation.SimulatedCluster;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's own programs generate, sort and check rows, through MapReduce's local runner. */
class TeraSortOnSimulationTest {

  /** No underscore: Hadoop's distributed cache takes a pool with one for no host at all. */
  private static final Path ROOT = new Path("rados://pool/tera");

  @TempDir java.nio.file.Path local;

  private final SimulatedCluster cluster = SimulatedCluster.withPools("pool");

  @Test
  void rowsAreGeneratedSortedAndFoundInOrder() throws Exception {
    Configuration conf = SimulatedConnections.configuration(cluster);
    conf.set(
        "mapreduce.outputcommitter.factory.scheme.rados", RadosCommitterFactory.class.getName());
    conf.set("fs.AbstractFileSystem.rados.impl", "io.radosfs.connector.RadosFs");
    conf.set("hadoop.tmp.dir", local.resolve("tmp").toString());
    conf.set("mapreduce.framework.name", "local");
    conf.set("mapreduce.job.reduces", "2");

    run(conf, new TeraGen(), "3000", "gen");
    run(conf, new TeraSort(), "gen", "sorted");
    run(conf, new TeraValidate(), "sorted", "report");
    run(conf, new TeraChecksum(), "gen", "checksum");

    try (FileSystem fs = ROOT.getFileSystem(conf)) {
      assertThat(names(fs, "gen")).containsExactly("_SUCCESS", "part-m-00000");
      assertThat(names(fs, "sorted")).contains("_SUCCESS", "part-r-00000", "part-r-00001");
      assertThat(fs.getContentSummary(new Path(ROOT, "gen")).getLength()).isGreaterThan(300_000);
      String checksum = text(fs, "checksum/part-r-00000").strip();
      assertThat(text(fs, "report/part-r-00000").strip())
          .as("no row out of order, and none lost or doubled")
          .isEqualTo("checksum\t" + checksum);

      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      ManifestSuccessData success =
          new ManifestPrinter(conf, new PrintStream(printed, true, StandardCharsets.UTF_8))
              .loadAndPrintManifest(fs, new Path(ROOT, "sorted/_SUCCESS"));
      assertThat(success.getCommitter()).isEqualTo("radosfs");
      assertThat(success.getSuccess()).isTrue();
      assertThat(printed.toString(StandardCharsets.UTF_8)).contains("committer_files_committed=2");
    }
    assertThat(cluster.objects("pool", "").keySet())
        .noneMatch(name -> name.contains("//job/") || name.contains("__radosfs_work"));
  }

  private static void run(Configuration conf, Tool tool, String from, String to) throws Exception {
    String input = from.matches("[0-9]+") ? from : new Path(ROOT, from).toString();
    String[] arguments = {input, new Path(ROOT, to).toString()};
    assertThat(ToolRunner.run(new Configuration(conf), tool, arguments))
        .as(tool.getClass().getSimpleName())
        .isZero();
  }

  private static List<String> names(FileSystem fs, String directory) throws IOException {
    List<String> names = new ArrayList<>();
    for (FileStatus status : fs.listStatus(new Path(ROOT, directory))) {
      names.add(status.getPath().getName());
    }
    return names;
  }

  private static String text(FileSystem fs, String file) throws IOException {
    try (FSDataInputStream in = fs.open(new Path(ROOT, file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
