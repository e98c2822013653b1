// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Two attempts of one task, which write to one file name at the same time: only the rows of the one
 * that the driver was told of are there, and of the other no object stays.
 */
class SparkAttemptsIT {

  private static final byte[] WINNER = "written by the winner\n".repeat(300_000).getBytes(UTF_8);
  private static final byte[] LOSER = "by the loser\n".repeat(500_000).getBytes(UTF_8);

  private static SparkOnCeph on;

  @BeforeAll
  static void start() {
    on = SparkOnCeph.withNewPool();
  }

  @AfterAll
  static void stop() {
    on.close();
  }

  @Test
  void theLoserAborts() throws Exception {
    ProtocolJob job = new ProtocolJob(on, "aborts");
    ProtocolJob.Attempt loser = job.attempt(0, 0).write(LOSER);
    ProtocolJob.Attempt winner = job.attempt(0, 1).write(WINNER);
    loser.close();
    winner.close();
    TaskCommitMessage message = winner.commit();
    loser.abort();
    job.commit(List.of(message));
    assertWinnersAlone("aborts", 1);
  }

  @Test
  void theLoserVanishesAfterItWrote() throws Exception {
    ProtocolJob job = new ProtocolJob(on, "vanishes");
    job.attempt(0, 0).write(LOSER).close();
    TaskCommitMessage message = job.attempt(0, 1).write(WINNER).close().commit();
    job.commit(List.of(message));
    assertWinnersAlone("vanishes", 1);
  }

  /** The coordinator lets a second attempt commit once the first one's executor is lost. */
  @Test
  void bothCommitAndTheDriverHeardOfOne() throws Exception {
    ProtocolJob job = new ProtocolJob(on, "both");
    ProtocolJob.Attempt loser = job.attempt(0, 0).write(LOSER);
    ProtocolJob.Attempt winner = job.attempt(0, 1).write(WINNER);
    TaskCommitMessage other = job.attempt(1, 0).write(WINNER).close().commit();
    TaskCommitMessage unheard = loser.close().commit();
    TaskCommitMessage message = winner.close().commit();
    assertThat(unheard).isNotNull();
    job.commit(List.of(message, other));
    assertWinnersAlone("both", 2);
    assertThat(on.objects().jobs()).noneMatch(r -> r.startsWith("both/"));
  }

  @Test
  void theFirstWinsAndTheSecondLoses() throws Exception {
    ProtocolJob job = new ProtocolJob(on, "first-wins");
    ProtocolJob.Attempt winner = job.attempt(0, 0).write(WINNER);
    ProtocolJob.Attempt loser = job.attempt(0, 1).write(LOSER);
    TaskCommitMessage message = winner.close().commit();
    loser.close().abort();
    job.commit(List.of(message));
    assertWinnersAlone("first-wins", 1);
  }

  /** I6: an attempt that nobody waits for any more. */
  @Test
  void anAttemptCannotCommitAfterTheJob() throws Exception {
    ProtocolJob job = new ProtocolJob(on, "zombie");
    ProtocolJob.Attempt zombie = job.attempt(0, 0).write(LOSER);
    TaskCommitMessage message = job.attempt(0, 1).write(WINNER).close().commit();
    job.commit(List.of(message));
    assertThatThrownBy(
            () -> {
              zombie.close();
              zombie.commit();
            })
        .hasMessageContaining("job");
    zombie.abort();
    assertWinnersAlone("zombie", 1);
  }

  @Test
  void anAttemptCannotCommitAfterTheJobWasAborted() throws Exception {
    ProtocolJob job = new ProtocolJob(on, "aborted");
    ProtocolJob.Attempt done = job.attempt(0, 0).write(WINNER).close();
    TaskCommitMessage message = done.commit();
    ProtocolJob.Attempt zombie = job.attempt(1, 0).write(LOSER);
    assertThat(message).isNotNull();
    job.abort();
    assertThatThrownBy(
            () -> {
              zombie.close();
              zombie.commit();
            })
        .hasMessageContaining("job");
    zombie.abort();
    assertThat(on.files("aborted")).isEmpty();
    assertThat(on.objects().dataObjectsBelow("aborted")).isZero();
  }

  @Test
  void jobsOnOneDirectoryDoNotDisturbEachOther() throws Exception {
    ProtocolJob first = new ProtocolJob(on, "two-jobs");
    ProtocolJob second = new ProtocolJob(on, "two-jobs");
    ProtocolJob third = new ProtocolJob(on, "two-jobs");
    TaskCommitMessage ofFirst = first.attempt(0, 0).write(WINNER).close().commit();
    TaskCommitMessage ofSecond = second.attempt(0, 0).write(WINNER).close().commit();
    third.attempt(0, 0).write(LOSER).close().commit();
    first.commit(List.of(ofFirst));
    third.abort();
    second.commit(List.of(ofSecond));
    assertWinnersAlone("two-jobs", 2);
  }

  private static void assertWinnersAlone(String directory, int files) throws Exception {
    List<FileStatus> data = on.dataFiles(directory);
    assertThat(data).hasSize(files);
    FileSystem fileSystem = on.fileSystem();
    for (FileStatus file : data) {
      try (var in = fileSystem.open(file.getPath())) {
        assertThat(in.readAllBytes()).isEqualTo(WINNER);
      }
    }
    PoolObjects objects = on.objects();
    int stripes = 2;
    assertThat(WINNER.length).isBetween(4 << 20, 8 << 20);
    TreeSet<String> all = on.files(directory);
    assertThat(objects.dataObjectsBelow(directory))
        .as("objects of the winners, with one _SUCCESS at most")
        .isEqualTo((long) files * stripes + (all.size() - files));
  }
}
