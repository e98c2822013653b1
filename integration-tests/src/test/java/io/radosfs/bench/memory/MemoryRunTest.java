// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process is told and what it tells are the same on both sides of the files. */
final class MemoryRunTest {

  @TempDir Path folder;

  private static MemorySample sample(double seconds, long heap) {
    return new MemorySample(seconds, Map.of(MemoryKind.HEAP, heap, MemoryKind.RESIDENT, 1L << 40));
  }

  private static MemoryRun run() {
    Map<String, QueryRun> answered = new LinkedHashMap<>();
    answered.put(
        "9", new QueryRun(1.5, 0.25, List.of("ä,1", "\"b\",2"), new ShuffleBytes(1, 2, 3, 4)));
    answered.put("13", new QueryRun(2, 0, List.of(), ShuffleBytes.NONE));
    return new MemoryRun(
        answered, Map.of("18", "no memory"), List.of(sample(0, 5), sample(1.01, 7), sample(2, 6)));
  }

  @Test
  void aRunIsReadAsItWasWritten() throws IOException {
    run().write(folder);

    assertThat(MemoryRun.read(folder)).contains(run());
    assertThat(MemoryRun.read(folder).orElseThrow().answered().keySet()).containsExactly("9", "13");
  }

  @Test
  void aProcessThatBrokeOffHasNoRun() throws IOException {
    assertThat(MemoryRun.read(folder)).isEmpty();
  }

  @Test
  void aTaskIsReadAsItWasWritten() throws IOException {
    MemoryTask task =
        new MemoryTask("", "file:/tables", List.of("part"), "/a.jar", "tpch", List.of("9", "13"));

    task.write(folder);

    assertThat(MemoryTask.read(folder)).isEqualTo(task);
  }

  @Test
  void sumsAreOfTheQueriesThatAreNamed() {
    assertThat(run().sum(List.of("9", "13"), QueryRun::seconds)).isEqualTo(3.5);
    assertThat(run().sum(List.of("9"), query -> query.shuffled().spilledDisk())).isEqualTo(4);
  }

  @Test
  void aPeakIsTheLargestSample() {
    assertThat(run().peak(MemoryKind.HEAP)).isEqualTo(7);
  }
}
