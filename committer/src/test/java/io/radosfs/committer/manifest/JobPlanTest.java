// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.job.TaskAttempt;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.BatchLimit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class JobPlanTest {

  private static final FsPath OUT = new FsPath("out");
  private static final int DIRECTORIES = 12_000;
  private static final BatchLimit LIMIT = new BatchLimit(16_384, 2 << 20);

  private static JobPlan plan(int directories) throws Exception {
    Set<FsPath> all = new TreeSet<>();
    for (int i = 0; i < directories; i++) {
      all.add(OUT.child("p=" + i + "x".repeat(400)));
    }
    return new JobPlan(
        new Overwrite(Set.of(OUT), false),
        Optional.empty(),
        Set.of(new TaskAttempt("m000001", "0"), new TaskAttempt("m000002", "1")),
        all,
        Set.of("me"));
  }

  private static long bytes(SortedMap<String, byte[]> parts) {
    return parts.values().stream().mapToLong(part -> part.length).sum();
  }

  @Test
  void aPlanOfManyDirectoriesIsWrittenByOperationsOfBoundedSize() throws Exception {
    JobPlan plan = plan(DIRECTORIES);
    List<SortedMap<String, byte[]>> operations = JobPlan.inOperations(plan.encode(OUT), LIMIT);
    assertThat(operations).hasSizeGreaterThan(2);
    assertThat(operations).allMatch(parts -> bytes(parts) <= LIMIT.bytes());
    JobPlan first = JobPlan.decode("record", OUT, operations.get(0)).orElseThrow();
    assertThat(first.overwrite()).isEqualTo(plan.overwrite());
    assertThat(first.attempts()).isEqualTo(plan.attempts());
    assertThat(first.preparers()).isEqualTo(plan.preparers());
    SortedMap<String, byte[]> all = new TreeMap<>();
    operations.forEach(all::putAll);
    assertThat(JobPlan.decode("record", OUT, all)).contains(plan);
  }

  @Test
  void aPlanAsARuleIsOneOperation() throws Exception {
    SortedMap<String, byte[]> parts = plan(3).encode(OUT);
    assertThat(JobPlan.inOperations(parts, BatchLimit.DEFAULT)).containsExactly(parts);
  }
}
