// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
final class ExecutorProcessesTest {

  @TempDir Path folder;

  private static ProcessHandle process(long pid) {
    return ProcessHandle.of(pid).orElseThrow();
  }

  /** There is no cluster: so it fails, in a way of its own, once it has read the order. */
  @Test
  void oneThatFailsTellsWhyAndAllEnd() throws Exception {
    Order order = new WriteOmap("rados://p/", true, 0, 1, 0.1);
    List<ProcessHandle> started;
    try (ExecutorProcesses executors =
        new ExecutorProcesses(2, folder.resolve("no-such-ceph.conf"))) {
      started = executors.pids().stream().map(ExecutorProcessesTest::process).toList();

      assertThat(started).hasSize(2).allMatch(ProcessHandle::isAlive);
      assertThatThrownBy(() -> executors.obey(List.of(order)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("ended without an answer")
          .hasMessageContaining("An order was not obeyed");
      assertThatThrownBy(() -> executors.obey(List.of(order, order, order)))
          .hasMessageContaining("3 orders for 2 executors");
    }
    assertThat(started).noneMatch(ProcessHandle::isAlive);
  }
}
