// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.simulation.SimulatedCluster;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RemovedJobsTest {

  private static final FsPath OUT = new FsPath("out");

  private final SimulatedCluster cluster = SimulatedCluster.withPools("meta");

  /** An OSD refuses an operation that is too large, and the directory could never be removed. */
  @Test
  void veryManyAreListedBySeveralOperations() throws Exception {
    Map<String, byte[]> statuses = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      String record = ObjectNames.job(OUT, "job-" + i);
      statuses.put(record, new TransactionStatus(TransactionStatus.State.ABORTED, record).encode());
    }
    RemovedJobs jobs = new RemovedJobs(cluster.client("a").open("meta", ""));
    int before = cluster.log().size();
    jobs.list(statuses);
    assertThat(cluster.log().size() - before).isEqualTo(2);
    assertThat(
            jobs.all(
                (subject, failure) -> {
                  throw failure;
                }))
        .hasSize(20_000);
    jobs.list(Map.of());
  }

  /** A line that this radosfs knows a part of is changed, and removed, as it was read. */
  @Test
  void linesOfALaterReleaseAreForgotten() throws Exception {
    String record = ObjectNames.job(OUT, "job");
    String known =
        new String(
            new TransactionStatus(TransactionStatus.State.ABORTED, record).encode(),
            StandardCharsets.UTF_8);
    byte[] later = (known + " later=1").getBytes(StandardCharsets.UTF_8);
    RemovedJobs jobs = new RemovedJobs(cluster.client("a").open("meta", ""));

    jobs.list(Map.of(record, later));
    jobs.forget(jobs.all(Failures.END).get(record));
    assertThat(jobs.all(Failures.END)).isEmpty();

    jobs.list(Map.of(record, later));
    jobs.forget(jobs.listAnew(record, TransactionStatus.State.PENDING).orElseThrow());
    assertThat(jobs.all(Failures.END)).isEmpty();
  }
}
