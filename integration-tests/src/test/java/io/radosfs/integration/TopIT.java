// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.radosfs.committer.Destination;
import io.radosfs.committer.stages.AbortJobStage;
import io.radosfs.committer.stages.CommitTaskStage;
import io.radosfs.committer.stages.Job;
import io.radosfs.committer.stages.JobLease;
import io.radosfs.committer.stages.OverwriteConflict;
import io.radosfs.committer.stages.RequireEmpty;
import io.radosfs.committer.stages.SetupJobStage;
import io.radosfs.connector.RadosFileSystem;
import io.radosfs.connector.cli.Radosfs;
import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.integration.ceph.CephCluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code radosfs top}, by a user with no more rights than a job has. */
class TopIT {

  private static final int FILE = 1 << 20;
  private static final int MOST_REFRESHES = 60;
  private static final long BOUND_SECONDS = 120;

  private final CephCluster ceph = CephCluster.shared();
  private final Configuration conf = new Configuration();
  private String pool;
  private Path out;

  @BeforeEach
  void makePool() {
    pool = ceph.createPool();
    out = new Path("rados://" + pool + "/sales");
    CephCluster.User user =
        ceph.createUser("top", "mon", "allow r", "osd", "allow rw pool=" + pool);
    conf.set("fs.rados.ceph.conf", ceph.conf().toString());
    conf.set("fs.rados.ceph.user", user.entity());
    conf.set("fs.rados.ceph.keyring", user.keyring().toString());
  }

  @AfterEach
  void removePool() {
    ceph.deletePool(pool);
  }

  private String[] top(String... options) {
    List<String> all = new ArrayList<>(List.of("top"));
    all.addAll(List.of(options));
    for (String key : List.of("ceph.conf", "ceph.user", "ceph.keyring")) {
      all.add("-Dfs.rados." + key + "=" + conf.get("fs.rados." + key));
    }
    all.add("rados://" + pool + "/");
    return all.toArray(new String[0]);
  }

  private static Job setUp(Destination destination) throws IOException {
    Job job = destination.job("job-1");
    SetupJobStage.run(
        job,
        Destination.info("job-1", "uuid-1", "JobUUID", "spark"),
        RequireEmpty.NOTHING,
        OverwriteConflict.WAIT,
        JobLease.NONE);
    return job;
  }

  private static void write(FileSystem fs, Destination destination, Job job, int task)
      throws IOException {
    TaskAttempt attempt = new TaskAttempt("m" + task, "0");
    Path file = destination.workPath(job.id(), attempt, "part-" + task);
    try (FSDataOutputStream stream = fs.create(file)) {
      stream.write(new byte[FILE]);
    }
    var unused = CommitTaskStage.run(job, attempt, 1);
  }

  /** The OSDs report when they will: it looks until they have, or so often. */
  @Test
  void showsWhatAJobWritesAndThatThePoolGrows() throws Exception {
    try (FileSystem fs = FileSystem.newInstance(out.toUri(), conf)) {
      Destination destination = new Destination(out, ((RadosFileSystem) fs).jobs());
      Job job = setUp(destination);
      write(fs, destination, job, 0);
      List<JsonNode> jobs = new ArrayList<>();
      List<JsonNode> pools = new ArrayList<>();
      boolean seen = false;
      for (int i = 1; !seen && i <= MOST_REFRESHES / 3; i++) {
        int task = i;
        CompletableFuture<Void> writing =
            CompletableFuture.runAsync(
                () -> {
                  try {
                    TimeUnit.SECONDS.sleep(2);
                    write(fs, destination, job, task);
                  } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                });
        StringWriter said = new StringWriter();
        StringWriter err = new StringWriter();
        int status =
            Radosfs.run(
                new PrintWriter(said),
                new PrintWriter(err),
                top("--json", "--count", "4", "--interval", "3s"));
        writing.get();
        assertThat(status).as(err.toString()).isZero();
        for (String line : said.toString().lines().toList()) {
          JsonNode result = new ObjectMapper().readTree(line);
          if (result.get("type").asText().equals("job")) {
            jobs.add(result);
          } else if (result.get("type").asText().equals("pool")) {
            pools.add(result);
          }
        }
        seen =
            pools.stream().anyMatch(each -> each.path("bytesWrittenPerSecond").asDouble() > 0)
                && jobs.stream().anyMatch(each -> each.path("bytesPerSecond").asDouble() > 0);
      }
      assertThat(jobs)
          .allMatch(each -> each.get("id").asText().equals("job-1"))
          .anyMatch(each -> each.path("bytesPerSecond").asDouble() > 0)
          .anyMatch(each -> each.get("tasksCommitted").asInt() > 1);
      assertThat(pools)
          .allMatch(each -> each.get("pool").asText().equals(pool))
          .anyMatch(each -> each.path("writesPerSecond").asDouble() > 0)
          .anyMatch(each -> each.path("bytesWrittenPerSecond").asDouble() > 0);
      var unused = AbortJobStage.run(job);
    }
  }

  @Test
  void endsCleanlyByCtrlC() throws Exception {
    try (FileSystem fs = FileSystem.newInstance(out.toUri(), conf)) {
      assertThat(fs.mkdirs(out)).isTrue();
    }
    ProcessBuilder command = ChildJvm.of(Radosfs.class, top("--json", "--interval", "1h"));
    // A shell that began the tests in the background has this signal ignored.
    command.command().addAll(0, List.of("env", "--default-signal=INT"));
    Process process = command.start();
    try (BufferedReader said = process.inputReader(UTF_8)) {
      String line = said.readLine();
      List<String> before = new ArrayList<>();
      while (line != null && !line.contains("\"summary\"")) {
        before.add(line);
        line = said.readLine();
      }
      assertThat(line).as(before.toString()).isNotNull();
      Process kill = new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start();
      assertThat(kill.waitFor()).isZero();
      assertThat(process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      assertThat(said.lines()).isEmpty();
    } finally {
      process.destroyForcibly();
    }
  }
}
