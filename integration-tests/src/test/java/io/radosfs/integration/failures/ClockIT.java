// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.radosfs.integration.ceph.CephCluster;
import io.radosfs.integration.programs.ClockApp;
import io.radosfs.integration.programs.Program;
import io.radosfs.integration.programs.Told;
import io.radosfs.integration.spark.ProtocolJob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The clock of another process is hours behind or ahead, by libfaketime, while two jobs append to
 * one destination, and when it collects garbage. A clock says who is taken for dead; nothing that
 * was committed is lost or there twice, and whoever is taken for dead is told.
 */
class ClockIT {

  private static final byte[] OLD = "old".getBytes(UTF_8);
  private static final byte[] OURS = "ours".getBytes(UTF_8);
  private static final String THEIRS = "theirs";
  private static final int HOURS = 9;

  @TempDir Path folder;

  private CephCluster ceph;
  private String pool;
  private JobFiles files;

  @BeforeEach
  void createPool() {
    ceph = CephCluster.shared();
    pool = ceph.createPool();
    files = new JobFiles(ceph, pool, JobFiles.configuration(ceph));
  }

  @AfterEach
  void deletePool() {
    ceph.deletePool(pool);
  }

  @Test
  void aProcessWhoseClockIsBehindLeavesOthersAlone() throws Exception {
    files.write("table/old", OLD);
    ProtocolJob ours = job();
    TaskCommitMessage message = ours.attempt(0, 0).file("", "-ours", OURS).commit();
    try (Program behind = program(-HOURS)) {
      tell(behind, ClockApp.JOB);
      tell(behind, ClockApp.COLLECT);
      ours.commit(List.of(message));
      tell(behind, ClockApp.COLLECT);
    }
    assertThat(files.dataFiles("table"))
        .hasSize(3)
        .contains("old")
        .anyMatch(name -> name.contains("-ours"))
        .anyMatch(name -> name.contains("-theirs"));
    files.pool().assertCleanAfterCollection();
  }

  @Test
  void whoIsTakenForDeadByAProcessWhoseClockIsAheadIsTold() throws Exception {
    files.write("table/old", OLD);
    ProtocolJob ours = job();
    TaskCommitMessage message = ours.attempt(0, 0).file("", "-ours", OURS).commit();
    try (Program ahead = program(HOURS)) {
      tell(ahead, ClockApp.JOB);
      assertThatThrownBy(() -> ours.commit(List.of(message)))
          .hasMessageContaining("was aborted")
          .isInstanceOf(IOException.class);
      tell(ahead, ClockApp.COLLECT);
    }
    assertThat(files.dataFiles("table"))
        .hasSize(2)
        .contains("old")
        .anyMatch(name -> name.contains("-theirs"));
    files.pool().assertCleanAfterCollection();
  }

  private ProtocolJob job() {
    String to = files.path("table").toString();
    return new ProtocolJob(files.conf(), to, UUID.randomUUID().toString()).setup();
  }

  /** A process with a clock of its own. */
  private Program program(int hours) throws Exception {
    Program program =
        Program.start(
            folder,
            ClockApp.class,
            Map.of(),
            Map.of("LD_PRELOAD", library().toString(), "FAKETIME", "%+dh".formatted(hours)),
            ceph.conf().toString(),
            files.path("table").toString(),
            THEIRS);
    program.tell(ClockApp.TIME);
    long apart = Long.parseLong(program.answer()) - System.currentTimeMillis();
    assertThat(Math.round((double) apart / Duration.ofHours(1).toMillis()))
        .as("hours between the clocks")
        .isEqualTo(hours);
    return program;
  }

  private static void tell(Program program, String line) throws IOException {
    program.tell(line);
    assertThat(program.answer()).as(line).isEqualTo(Told.DONE);
  }

  /** Debian and Ubuntu have it in a folder for the machine's architecture. */
  private static Path library() {
    try (Stream<Path> found =
        Files.find(
            Path.of("/usr/lib"),
            3,
            (path, attributes) -> path.endsWith("faketime/libfaketimeMT.so.1"))) {
      return found
          .findFirst()
          .orElseThrow(
              () ->
                  new AssertionError(
                      "libfaketime is not installed: scripts/test does that, or install the"
                          + " package libfaketime"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
