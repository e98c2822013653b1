// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.ForwardingObjectStore;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.store.simulation.SimulatedClient;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobHeartbeatsTest {

  private static final FsPath OUT = new FsPath("out");
  private static final JobInfo INFO = new JobInfo("j1", "uuid", "JobUUID", "spark", "me@here", 0);

  private final SimulatedClient client = SimulatedCluster.withPools("meta").client("a");
  private final JobHeartbeats heartbeats = new JobHeartbeats(() -> 1);
  private final BlockingQueue<Thread> closed = new LinkedBlockingQueue<>();
  private final Closeable open = () -> closed.add(Thread.currentThread());

  private JobRecord record() throws IOException {
    return new JobRecord(client.open("meta", ""), OUT, INFO.jobId());
  }

  @Test
  void theFileSystemIsKeptOpenUntilTheyEnd() throws IOException {
    record().create(INFO, () -> {});
    heartbeats.begin(record(), open);
    int before = client.writes();
    heartbeats.beat();
    assertThat(client.writes() - before).isEqualTo(1);
    assertThat(closed).isEmpty();
    heartbeats.end(record());
    heartbeats.end(record());
    heartbeats.beat();
    assertThat(closed).containsExactly(Thread.currentThread());
    assertThat(client.writes() - before).isEqualTo(1);
  }

  /** Whoever goes on with a job begins them once more. */
  @Test
  void begunAgainTheyKeepItOpenOnce() throws IOException {
    heartbeats.begin(record(), open);
    heartbeats.begin(record(), open);
    assertThat(closed).hasSize(1);
    heartbeats.moveTo(client.open("meta", ""));
    heartbeats.end(record());
    assertThat(closed).hasSize(2);
  }

  /** The thread of the heartbeats is the file system's own, which ends it when it closes. */
  @Test
  void aJobThatOthersHaveEndedReleasesItInAnotherThread() throws Exception {
    heartbeats.begin(record(), open);
    heartbeats.beat();
    assertThat(closed.poll(1, TimeUnit.MINUTES)).isNotNull().isNotSameAs(Thread.currentThread());
    heartbeats.end(record());
    assertThat(closed).isEmpty();
  }

  @Test
  void whatCannotBeClosedFailsNoJob() throws IOException {
    heartbeats.begin(
        record(),
        () -> {
          throw new IOException("no answer");
        });
    heartbeats.end(record());
    assertThat(client.writes()).isZero();
  }

  /**
   * Its record is kept for what its tasks may still write, and is silent from now on. Its driver
   * may be clearing up.
   */
  @Test
  void aJobThatOthersHaveDecidedIsRenewedNoMore() throws Exception {
    record().create(INFO, () -> {});
    heartbeats.begin(record(), open);
    record().setDecided(JobState.ABORTED, 0);
    heartbeats.beat();
    assertThat(record().head().orElseThrow().lastHeartbeat()).isZero();
    assertThat(closed).isEmpty();
    heartbeats.end(record());
    assertThat(closed).hasSize(1);
  }

  @Test
  void aJobThatIsBeingCommittedIsRenewed() throws IOException {
    record().create(INFO, () -> {});
    heartbeats.begin(record(), open);
    record().change(JobState.RUNNING, JobState.COMMITTING);
    heartbeats.beat();
    assertThat(record().head().orElseThrow().lastHeartbeat()).isEqualTo(1);
    assertThat(closed).isEmpty();
  }

  /** An operation may take a minute, and others take a job for dead that is silent for long. */
  @ParameterizedTest
  @ValueSource(strings = {"j1", "j2", "j3"})
  void aRecordThatDoesNotAnswerHoldsUpNoOther(String silent) throws IOException {
    List<String> renewed = new ArrayList<>();
    CompletableFuture<Void> answer = new CompletableFuture<>();
    ObjectStore store = client.open("meta", "");
    ObjectStore answersLast =
        new ForwardingObjectStore(store) {
          private void tell(String object) {
            renewed.add(object.substring(object.lastIndexOf('/') + 1));
            if (renewed.size() == 3) {
              answer.complete(null);
            }
          }

          @Override
          public void write(String object, WriteOp op) throws IOException {
            tell(object);
            assertThat(object.endsWith(silent) && !answer.isDone()).as("waits").isFalse();
            super.write(object, op);
          }

          @Override
          public CompletableFuture<Void> writeAsync(String object, WriteOp op) {
            tell(object);
            CompletableFuture<Void> written = super.writeAsync(object, op);
            return object.endsWith(silent) ? answer : written;
          }
        };
    for (String id : List.of("j1", "j2", "j3")) {
      new JobRecord(store, OUT, id).create(INFO, () -> {});
      heartbeats.begin(new JobRecord(answersLast, OUT, id), open);
    }
    heartbeats.beat();
    assertThat(renewed).containsExactlyInAnyOrder("j1", "j2", "j3");
    assertThat(answer).isDone();
  }
}
