// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.connector.mount.SimulatedConnections;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.store.simulation.Fault;
import io.radosfs.connector.store.simulation.FaultPlan;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.files.ManifestPrinter;
import org.apache.hadoop.mapreduce.lib.output.committer.manifest.files.ManifestSuccessData;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.util.Progressable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What jobs say of themselves: {@code _SUCCESS}, and the reports of those that fail too. */
class ReportsTest {

  private static final org.apache.hadoop.fs.Path OUT =
      new org.apache.hadoop.fs.Path("rados://meta/out");
  private static final JobID ID = new JobID("20261121", 7);

  @TempDir Path local;

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");
  private final AtomicInteger progress = new AtomicInteger();
  private Configuration conf;

  @BeforeEach
  void configure() {
    conf = SimulatedConnections.configuration(cluster);
    conf.set("fs.rados.committer.summary.report.directory", reports().toUri().toString());
  }

  private Path reports() {
    return local.resolve("reports");
  }

  private Path summary() {
    return reports().resolve("summary-" + ID + ".json");
  }

  /** As Hadoop's application master has it, a context that takes progress. */
  private static final class Context extends JobContextImpl implements Progressable {
    private final AtomicInteger progress;

    Context(Configuration conf, AtomicInteger progress) {
      super(conf, ReportsTest.ID);
      this.progress = progress;
    }

    @Override
    public void progress() {
      progress.incrementAndGet();
    }
  }

  private Context context() {
    return new Context(conf, progress);
  }

  private RadosOutputCommitter setUp() throws IOException {
    RadosOutputCommitter driver = new RadosOutputCommitter(OUT, context());
    driver.setupJob(context());
    return driver;
  }

  private void write(int task, String name) throws IOException {
    TaskAttemptContext context =
        new TaskAttemptContextImpl(conf, new TaskAttemptID(new TaskID(ID, TaskType.MAP, task), 0));
    RadosOutputCommitter committer = new RadosOutputCommitter(OUT, context);
    try (FileSystem fs = FileSystem.newInstance(OUT.toUri(), conf);
        FSDataOutputStream out =
            fs.create(new org.apache.hadoop.fs.Path(committer.getWorkPath(), name))) {
      out.write("123456789".getBytes(StandardCharsets.US_ASCII));
    }
    committer.commitTask(context);
  }

  private ManifestSuccessData print(org.apache.hadoop.fs.Path file, StringBuilder text)
      throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (FileSystem fs = FileSystem.newInstance(file.toUri(), conf)) {
      ManifestSuccessData data =
          new ManifestPrinter(conf, new PrintStream(printed, true, StandardCharsets.UTF_8))
              .loadAndPrintManifest(fs, file);
      text.append(printed.toString(StandardCharsets.UTF_8));
      return data;
    }
  }

  @Test
  void hadoopsPrinterReadsSuccessAndReportWithTheStagesTimes() throws Exception {
    conf.setBoolean("fs.rados.committer.summary.report.files", true);
    RadosOutputCommitter driver = setUp();
    write(0, "a");
    write(1, "p=1/b");
    progress.set(0);
    driver.commitJob(context());
    assertThat(progress.get()).as("calls of progress()").isGreaterThan(10);

    List<org.apache.hadoop.fs.Path> files = new ArrayList<>();
    files.add(new org.apache.hadoop.fs.Path(OUT, "_SUCCESS"));
    files.add(new org.apache.hadoop.fs.Path(summary().toUri()));
    for (org.apache.hadoop.fs.Path file : files) {
      StringBuilder text = new StringBuilder();
      ManifestSuccessData data = print(file, text);
      assertThat(data.getSuccess()).isTrue();
      assertThat(data.getState()).isEqualTo("SUCCEEDED");
      assertThat(data.getIOStatistics().counters())
          .containsEntry("committer_files_committed", 2L)
          .containsEntry("job_stage_load_manifests", 1L);
      assertThat(data.getIOStatistics().meanStatistics().get("job_stage_load_manifests.mean"))
          .extracting(mean -> mean.getSamples())
          .isEqualTo(1L);
      assertThat(text.toString()).contains("job_stage_load_manifests");
    }
    JsonNode report = new ObjectMapper().readTree(Files.readString(summary()));
    assertThat(report.get("iostatistics").get("counters").has("job_stage_transaction"))
        .as("stages after _SUCCESS was written")
        .isTrue();
    assertThat(report.get("files")).hasSize(2);
    assertThat(report.get("files").get(1).get("path").asText()).isEqualTo("/out/p=1/b");
    assertThat(report.get("files").get(1).get("length").asLong()).isEqualTo(9);
    assertThat(report.get("files").get(1).get("crc32c").asText())
        .as("the check value of CRC-32C")
        .isEqualTo("e3069283");
  }

  @Test
  void aFailedCommitIsReportedAndItsAbortLeavesTheReport() throws Exception {
    RadosOutputCommitter driver = setUp();
    write(0, "same");
    write(1, "same");
    assertThatThrownBy(() -> driver.commitJob(context())).hasMessageContaining("have both");
    driver.abortJob(context(), JobStatus.State.FAILED);
    ManifestSuccessData data =
        print(new org.apache.hadoop.fs.Path(summary().toUri()), new StringBuilder());
    assertThat(data.getSuccess()).isFalse();
    assertThat(data.getState()).isEqualTo("FAILED");
    assertThat(data.getStage()).contains("select_files");
    assertThat(data.getDiagnostics())
        .containsEntry("radosfs.job", "out//job/" + ID)
        .hasEntrySatisfying("exception", e -> assertThat(e).contains("have both"))
        .hasEntrySatisfying("stacktrace", e -> assertThat(e).contains("SelectFilesStage"));
  }

  /** Whoever goes by a report of a failure runs the job again, and has its rows twice. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCommitThatHadTakenEffectIsReportedByItsAbort(boolean leavesSuccess) throws Exception {
    RadosOutputCommitter driver = committedWithoutKnowing(leavesSuccess);

    driver.abortJob(context(), JobStatus.State.FAILED);

    assertSaysCommitted();
    String corrected = Files.readString(summary());
    driver.abortJob(context(), JobStatus.State.FAILED);
    assertThat(Files.readString(summary())).isEqualTo(corrected);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCommitThatHadTakenEffectIsReportedByItsRepetition(boolean leavesSuccess) throws Exception {
    RadosOutputCommitter driver = committedWithoutKnowing(leavesSuccess);

    driver.commitJob(context());

    assertSaysCommitted();
  }

  /** As where the disk of the report was full. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{\n  \"name\" : \"org.apache",
        "{\"success\" : tr",
        "{\"success\" : true, \"files\" : [ {",
        "[]"
      })
  void aReportThatWasCutOffIsPutRight(String left) throws Exception {
    RadosOutputCommitter driver = committedWithoutKnowing(true);
    Files.writeString(summary(), left);

    driver.abortJob(context(), JobStatus.State.FAILED);

    assertSaysCommitted();
  }

  /** A file system whose calls an interrupt ends, as it does those of HDFS. */
  public static final class EndedByInterrupts extends org.apache.hadoop.fs.LocalFileSystem {
    @Override
    public boolean exists(org.apache.hadoop.fs.Path path) throws IOException {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted");
      }
      return super.exists(path);
    }
  }

  @Test
  void anInterruptDoesNotKeepAReportFromBeingPutRight() throws Exception {
    conf.setClass("fs.file.impl", EndedByInterrupts.class, FileSystem.class);
    conf.setBoolean("fs.file.impl.disable.cache", true);
    RadosOutputCommitter driver = committedWithoutKnowing(true);
    Thread.currentThread().interrupt();
    driver.abortJob(context(), JobStatus.State.FAILED);
    assertThat(Thread.interrupted()).isTrue();
    assertSaysCommitted();
  }

  /** A list of no files would be read as that of a job without any. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aReportThatDoesNotKnowTheFilesListsNone(boolean leavesSuccess) throws Exception {
    conf.setBoolean("fs.rados.committer.summary.report.files", true);
    RadosOutputCommitter driver = committedWithoutKnowing(leavesSuccess);

    driver.abortJob(context(), JobStatus.State.FAILED);

    assertSaysCommitted();
    assertThat(new ObjectMapper().readTree(Files.readString(summary())).has("files")).isFalse();
  }

  @Test
  void aRepeatedCommitLeavesTheListOfFiles() throws Exception {
    conf.setBoolean("fs.rados.committer.summary.report.files", true);
    RadosOutputCommitter driver = setUp();
    write(0, "a");
    driver.commitJob(context());
    String saved = Files.readString(summary());

    driver.commitJob(context());

    assertThat(Files.readString(summary())).isEqualTo(saved).contains("\"/out/a\"");
  }

  /** As of a second application master, where RADOS does not answer. */
  @Test
  void aRepetitionThatFailsLeavesTheReportOfASuccess() throws Exception {
    RadosOutputCommitter driver = setUp();
    write(0, "a");
    driver.commitJob(context());
    FaultPlan faults = cluster.client("client.admin").faults();
    FaultPlan unused = faults.always(op -> true, Fault.LOSE_REQUEST);
    assertThatThrownBy(() -> driver.commitJob(context())).isInstanceOf(IOException.class);
    faults.clear();
    assertSaysCommitted();
  }

  private RadosOutputCommitter committedWithoutKnowing(boolean leavesSuccess) throws Exception {
    conf.setBoolean("mapreduce.fileoutputcommitter.marksuccessfuljobs", leavesSuccess);
    RadosOutputCommitter driver = setUp();
    write(0, "a");
    FaultPlan faults = cluster.client("client.admin").faults();
    FaultPlan unused =
        faults
            .once(op -> op.write() && op.summary().contains("e/a=<"), Fault.LOSE_ANSWER)
            .always(op -> !op.write() && !faults.struck().isEmpty(), Fault.LOSE_REQUEST);
    assertThatThrownBy(() -> driver.commitJob(context()))
        .isInstanceOf(OutcomeUnknownException.class);
    assertThat(Files.readString(summary())).contains("\"success\" : false");
    faults.clear();
    return driver;
  }

  private void assertSaysCommitted() throws Exception {
    ManifestSuccessData data =
        print(new org.apache.hadoop.fs.Path(summary().toUri()), new StringBuilder());
    assertThat(data.getSuccess()).isTrue();
    assertThat(data.getState()).isEqualTo("SUCCEEDED");
    assertThat(data.getDiagnostics()).containsEntry("radosfs.job", "out//job/" + ID);
  }

  @Test
  void anAbortedJobIsReportedWhereHadoopsSettingSays() throws Exception {
    conf.unset("fs.rados.committer.summary.report.directory");
    conf.set("mapreduce.manifest.committer.summary.report.directory", reports().toUri().toString());
    RadosOutputCommitter driver = setUp();
    driver.abortJob(context(), JobStatus.State.KILLED);
    assertThat(Files.readString(summary())).contains("the job was aborted");
  }

  /** The job counts, not the report. */
  @Test
  void aReportThatCannotBeSavedFailsNoJob() throws Exception {
    Files.writeString(reports(), "in the way");
    RadosOutputCommitter driver = setUp();
    write(0, "a");
    driver.commitJob(context());
    try (FileSystem fs = FileSystem.newInstance(OUT.toUri(), conf)) {
      assertThat(fs.exists(new org.apache.hadoop.fs.Path(OUT, "_SUCCESS"))).isTrue();
    }
  }

  /** A file system whose jar is there, and not what it needs: as S3A without Amazon's SDK. */
  public static final class HalfInstalled extends org.apache.hadoop.fs.LocalFileSystem {
    @Override
    public void initialize(java.net.URI uri, Configuration settings) {
      throw new NoClassDefFoundError("software/amazon/awssdk/core/exception/SdkException");
    }
  }

  private void reportToAFileSystemThatLacksAClass() {
    conf.setClass("fs.half.impl", HalfInstalled.class, FileSystem.class);
    conf.set("fs.rados.committer.summary.report.directory", "half://bucket/reports");
  }

  /** Whoever is told that it has failed runs it again, and has its rows twice. */
  @Test
  void aFileSystemForReportsThatLacksAClassFailsNoJob() throws IOException {
    reportToAFileSystemThatLacksAClass();
    RadosOutputCommitter driver = setUp();
    write(0, "a");
    driver.commitJob(context());
    try (FileSystem fs = FileSystem.newInstance(OUT.toUri(), conf)) {
      assertThat(fs.exists(new org.apache.hadoop.fs.Path(OUT, "a"))).isTrue();
    }
  }

  @Test
  void aFileSystemForReportsThatLacksAClassDoesNotHideWhyAJobFails() throws IOException {
    reportToAFileSystemThatLacksAClass();
    RadosOutputCommitter driver = setUp();
    write(0, "same");
    write(1, "same");
    assertThatThrownBy(() -> driver.commitJob(context()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("have both written");
  }
}
