// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.failures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.integration.spark.ProtocolJob;
import io.radosfs.integration.tables.Deep;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.internal.io.FileCommitProtocol.TaskCommitMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A pool that is full, or at its quota, while a job writes or when it commits: an error that names
 * the pool, the old data as it was, and nothing left once there is room and the job has been ended.
 */
class FullPoolIT extends OwnClusterJobs {

  private static final byte[] OLD = new byte[100];
  private static final byte[] NEW = new byte[1 << 20];

  /** Why there is no room. */
  enum Shortage {
    QUOTA,
    FULL_CLUSTER
  }

  FullPoolIT() {
    super("20s");
  }

  @BeforeEach
  void writeOldData() throws IOException {
    files.write("table/old", OLD);
  }

  /** QuotaIT writes beyond a quota too. */
  static List<Shortage> shortages() {
    return Deep.choose(0, 1) == 0 ? List.of(Shortage.FULL_CLUSTER) : List.of(Shortage.values());
  }

  @ParameterizedTest
  @MethodSource("shortages")
  void whileATaskWrites(Shortage shortage) throws Exception {
    ProtocolJob job = files.overwrite("table");
    ProtocolJob.Attempt attempt = job.attempt(0, 0).file("", "-first", NEW);
    takeRoom(shortage);

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                attempt.file("", "-" + i, NEW);
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessageContaining("pool " + pool);
    attempt.abort();
    job.abort();

    theOldDataIsThereAndTheJobCanRunAgain();
  }

  @ParameterizedTest
  @EnumSource
  void whenTheJobCommits(Shortage shortage) throws Exception {
    ProtocolJob job = files.overwrite("table");
    TaskCommitMessage message =
        job.attempt(0, 0).file("p=1", "-a", NEW).file("p=2", "-a", NEW).commit();
    takeRoom(shortage);

    assertThatThrownBy(() -> job.commit(List.of(message)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("pool " + pool);
    job.abort();

    theOldDataIsThereAndTheJobCanRunAgain();
  }

  private void theOldDataIsThereAndTheJobCanRunAgain() throws Exception {
    files.assertFiles("table", OLD, 1);
    giveRoom();
    files.pool().assertCheckFindsNothing();
    files.pool().assertCleanAfterCollection();
    ProtocolJob again = files.overwrite("table");
    again.commit(List.of(again.attempt(0, 0).file("", "-a", NEW).commit()));
    files.assertFiles("table", NEW, 1);
    files.pool().assertClean();
  }

  /** Returns when the OSD knows. */
  private void takeRoom(Shortage shortage) throws Exception {
    if (shortage == Shortage.QUOTA) {
      own.ceph().ceph("osd", "pool", "set-quota", pool, "max_objects", "1");
    } else {
      own.ceph().ceph("osd", "set-nearfull-ratio", "0.000001");
      own.ceph().ceph("osd", "set-backfillfull-ratio", "0.000002");
      own.ceph().ceph("osd", "set-full-ratio", "0.000003");
    }
    await("no room", () -> !canWrite());
  }

  @AfterEach
  void giveRoom() throws Exception {
    own.ceph().ceph("osd", "pool", "set-quota", pool, "max_objects", "0");
    own.ceph().ceph("osd", "set-full-ratio", "0.95");
    own.ceph().ceph("osd", "set-backfillfull-ratio", "0.9");
    own.ceph().ceph("osd", "set-nearfull-ratio", "0.85");
    await("room", this::canWrite);
  }

  /** By radosfs: the tool of Ceph would wait for room. */
  private boolean canWrite() {
    Throwable failure = catchThrowable(() -> files.write("probe", new byte[0]));
    if (failure == null) {
      assertThat(catchThrowable(() -> files.delete("probe"))).isNull();
    }
    return failure == null;
  }

  private static void await(String what, Supplier<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.get()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      Thread.sleep(200);
    }
  }
}
