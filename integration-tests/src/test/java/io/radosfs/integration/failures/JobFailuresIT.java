// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.committer.RadosOutputCommitter;
import io.radosfs.connector.job.JobEndedException;
import io.radosfs.connector.mount.Mount;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.uri.Authority;
import io.radosfs.integration.spark.HookedConnections;
import io.radosfs.integration.spark.ProtocolJob;
import io.radosfs.integration.spark.SparkOnCeph;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathExistsException;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Attempts that come late or differ, aborts that fail or come from elsewhere, jobs that meet. */
class JobFailuresIT {

  private static final byte[] OLD = "of before".getBytes(UTF_8);
  private static final byte[] NEW = "what the attempt that counts wrote".getBytes(UTF_8);
  private static final byte[] OTHER = "by an attempt that does not count".getBytes(UTF_8);

  private static SparkOnCeph on;
  private static PoolState pool;

  @BeforeAll
  static void start() {
    on = SparkOnCeph.withNewPool();
    pool = new PoolState(on);
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    HookedConnections.unhook();
    pool.assertCleanAfterCollection();
    assertThat(on.objects().jobs()).isEmpty();
  }

  @AfterAll
  static void stop() {
    on.close();
  }

  @Test
  void anAttemptThatCommitsAfterTheSecondOneDoesNotCount() throws Exception {
    ProtocolJob job = new ProtocolJob(on, "late");
    ProtocolJob.Attempt late = job.attempt(0, 0).write(OTHER).close();
    TaskCommitMessage second = job.attempt(0, 1).write(NEW).close().commit();
    TaskCommitMessage unheard = late.commit();
    assertThat(unheard).isNotNull();
    job.commit(List.of(second));
    assertFiles("late", NEW, 1);
  }

  @Test
  void attemptsWithOtherFilesThanTheOneThatCounts() throws Exception {
    ProtocolJob job = new ProtocolJob(on, "differ");
    ProtocolJob.Attempt first = job.attempt(0, 0);
    for (String name : List.of("-a", "-b", "-c")) {
      first.file("p=" + name, name, OTHER);
    }
    TaskCommitMessage unheard = first.commit();
    assertThat(unheard).isNotNull();
    TaskCommitMessage second =
        job.attempt(0, 1).file("p=-c", "-c", NEW).file("q", "-d", NEW).commit();
    job.commit(List.of(second));
    assertFiles("differ", NEW, 2);
    assertThat(on.fileSystem().exists(on.path("differ/p=-a"))).isFalse();
  }

  @Test
  void anAttemptIsAbortedFromTheDriverAlone() throws Exception {
    ProtocolJob job = new ProtocolJob(on, "alone");
    ProtocolJob.Attempt lost = job.attempt(0, 0).file("", "-a", OTHER).file("p=1", "-b", OTHER);
    assertThat(on.objects().dataObjectsBelow("alone")).isEqualTo(2);

    job.abortTaskFromTheDriver(0, 0);

    assertThat(on.objects().dataObjectsBelow("alone")).isZero();
    assertThatThrownBy(lost::commit).isInstanceOf(JobEndedException.class);
    job.commit(List.of(job.attempt(0, 1).file("", "-a", NEW).commit()));
    assertFiles("alone", NEW, 1);
  }

  @Test
  void aMapReduceAttemptIsAbortedFromTheMasterAlone() throws Exception {
    Configuration conf = new Configuration(on.configuration());
    JobID id = new JobID("alone", 1);
    Path to = on.path("master");
    RadosOutputCommitter master = new RadosOutputCommitter(to, new JobContextImpl(conf, id));
    master.setupJob(new JobContextImpl(conf, id));
    TaskAttemptContext lost = mapTask(conf, id, 0);
    write(new Path(new RadosOutputCommitter(to, lost).getWorkPath(), "part"), OTHER);
    assertThat(on.objects().dataObjectsBelow("master")).isOne();

    master.abortTask(lost);

    assertThat(on.objects().dataObjectsBelow("master")).isZero();
    assertThatThrownBy(() -> new RadosOutputCommitter(to, lost).commitTask(lost))
        .isInstanceOf(JobEndedException.class);
    master.commitJob(new JobContextImpl(conf, id));
    assertFiles("master", NEW, 0);
  }

  /** What Spark throws is why the job failed, and not why its abort did. */
  @Test
  void anAbortThatFailsDoesNotHideWhyTheJobFailed() throws Exception {
    SparkOnCeph hooked = SparkOnCeph.withNewPool();
    SparkSession spark = hooked.spark.newSession();
    spark
        .conf()
        .set(
            "fs.rados.pool." + hooked.pool + ".cluster.factory", HookedConnections.class.getName());
    spark.range(5).write().parquet(hooked.uri("table"));
    HookedConnections.hook(
        write -> {
          if (isAbort()) {
            throw new IOException("an abort that fails");
          }
          return write.go();
        });
    assertThatThrownBy(
            () ->
                spark
                    .range(0, 100, 1, 2)
                    .selectExpr(
                        "if(id = 99, cast(raise_error('the first error') as bigint), id) AS id")
                    .write()
                    .mode(SaveMode.Overwrite)
                    .parquet(hooked.uri("table")))
        .hasStackTraceContaining("the first error");
    HookedConnections.unhook();

    assertThat(hooked.objects().jobs()).as("its abort has failed").hasSize(1);
    assertThat(spark.read().parquet(hooked.uri("table")).count()).isEqualTo(5);
    new PoolState(hooked).assertCleanAfterCollection();
    hooked.close();
  }

  private static boolean isAbort() {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals("abortJob")));
  }

  @Test
  void whatBelongsToDataset10StaysWhenDataset1IsCleaned() throws Exception {
    for (String dataset : List.of("dataset1", "dataset10")) {
      new ProtocolJob(on, dataset).commit(List.of());
      write(on.path(dataset + "/old"), OLD);
    }
    ProtocolJob ofOne = new ProtocolJob(on, "dataset1");
    ProtocolJob ofTen = new ProtocolJob(on, "dataset10");
    ofOne.attempt(0, 0).file("", "-a", OTHER).file("0", "-b", OTHER).commit();
    TaskCommitMessage message =
        ofTen.attempt(0, 0).file("", "-a", NEW).file("0", "-b", NEW).commit();

    ofOne.abort();
    assertThat(on.fileSystem().delete(on.path("dataset1"), true)).isTrue();
    assertThat(on.objects().dataObjectsBelow("dataset1")).isZero();
    String unused = on.radosfs("gc");
    assertThat(on.objects().jobs()).hasSize(1);

    ofTen.commit(List.of(message));
    assertThat(on.fileSystem().delete(on.path("dataset10/old"), false)).isTrue();
    assertFiles("dataset10", NEW, 2);
  }

  /** Spark tells them apart by the job's UUID, whatever the time is. */
  @Test
  void jobsThatStartAtTheSameInstant() throws Exception {
    int jobs = 4;
    int rounds = 5;
    CyclicBarrier together = new CyclicBarrier(jobs);
    ExecutorService threads = Executors.newFixedThreadPool(jobs);
    try {
      List<Future<?>> ends =
          IntStream.range(0, jobs)
              .<Future<?>>mapToObj(
                  job ->
                      threads.submit(
                          () -> {
                            for (int round = 0; round < rounds; round++) {
                              together.await(1, TimeUnit.MINUTES);
                              ProtocolJob mine = new ProtocolJob(on, "instant");
                              TaskCommitMessage message =
                                  mine.attempt(0, 0).write(NEW).close().commit();
                              together.await(1, TimeUnit.MINUTES);
                              mine.commit(List.of(message));
                            }
                            return null;
                          }))
              .toList();
      for (Future<?> end : ends) {
        end.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertFiles("instant", NEW, jobs * rounds);
  }

  /** Worse than can be: even the job's UUID is the same. */
  @Test
  void theSecondOfTwoJobsOfOneIdFailsAndLosesNothing() throws Exception {
    String id = UUID.randomUUID().toString();
    ProtocolJob first = new ProtocolJob(on.configuration(), on.uri("same"), id).setup();
    ProtocolJob second = new ProtocolJob(on.configuration(), on.uri("same"), id).setup();
    TaskCommitMessage ofFirst = first.attempt(0, 0).write(NEW).close().commit();
    TaskCommitMessage ofSecond = second.attempt(0, 0).write(OTHER).close().commit();
    first.commit(List.of(ofFirst));
    assertThatThrownBy(() -> second.commit(List.of(ofSecond))).hasMessageContaining("exist");
    second.abort();
    assertFiles("same", NEW, 1);
  }

  @Test
  void aDestinationThatAppearsBeforeTheJobIsSetUpIsAppendedTo() throws Exception {
    ProtocolJob job =
        new ProtocolJob(on.configuration(), on.uri("appears"), UUID.randomUUID().toString());
    write(on.path("appears/other"), NEW);
    job.setup();
    job.commit(List.of(job.attempt(0, 0).write(NEW).close().commit()));
    assertFiles("appears", NEW, 2);
  }

  @Test
  void aDestinationThatAppearsBeforeTheJobIsSetUpFailsOneThatWantsNone() throws Exception {
    Configuration conf = new Configuration(on.configuration());
    conf.set("fs.rados.committer.conflict-mode", "fail");
    JobContextImpl context = new JobContextImpl(conf, new JobID("appears", 1));
    RadosOutputCommitter job = new RadosOutputCommitter(on.path("refused"), context);
    write(on.path("refused/other"), NEW);
    assertThatThrownBy(() -> job.setupJob(context))
        .isInstanceOf(PathExistsException.class)
        .hasMessageContaining("refused");
    assertFiles("refused", NEW, 1);
  }

  @Test
  void aManifestThatIsDamagedFailsTheJobAndLosesNothing() throws Exception {
    write(on.path("damaged/old"), NEW);
    ProtocolJob job =
        new ProtocolJob(on.configuration(), on.uri("damaged"), UUID.randomUUID().toString())
            .overwriting()
            .setup();
    TaskCommitMessage whole = job.attempt(0, 0).write(OTHER).close().commit();
    TaskCommitMessage damaged = job.attempt(1, 0).write(OTHER).close().commit();
    String record = on.objects().jobs().first();
    String key =
        on.ceph
            .rados(on.pool, "listomapkeys", record)
            .lines()
            .filter(each -> each.startsWith("m/") && each.contains("000001"))
            .findFirst()
            .orElseThrow();
    try (Mount mount =
        Mount.openExisting(Authority.of(URI.create(on.uri(""))), on.configuration())) {
      byte[] manifest =
          mount
              .index()
              .read(record, ReadOp.builder().omapByKeys(Set.of(key)).build())
              .omap(0)
              .get(key);
      on.ceph.rados(on.pool, "setomapval", record, key, "{\"no\": \"manifest\"");
      assertThatThrownBy(() -> job.commit(List.of(whole, damaged)))
          .hasMessageContaining(record)
          .hasMessageContaining(key);
      job.abort();
      assertFiles("damaged", NEW, 1);
      assertThat(on.ceph.listObjects(on.pool))
          .as("what it speaks of can still be found")
          .contains(record);
      mount.index().write(record, WriteOp.builder().setOmap(key, manifest).build());
    }
  }

  private static TaskAttemptContext mapTask(Configuration conf, JobID job, int attempt) {
    return new TaskAttemptContextImpl(
        conf, new TaskAttemptID(new TaskID(job, TaskType.MAP, 0), attempt));
  }

  private static void write(Path path, byte[] content) throws IOException {
    try (var out = on.fileSystem().create(path, false)) {
      out.write(content);
    }
  }

  private static void assertFiles(String directory, byte[] content, int count) throws IOException {
    List<FileStatus> files = on.dataFiles(directory);
    assertThat(files).hasSize(count);
    for (FileStatus file : files) {
      try (var in = on.fileSystem().open(file.getPath())) {
        assertThat(in.readAllBytes()).isEqualTo(content);
      }
    }
  }
}
