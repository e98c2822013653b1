// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.stages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.committer.programs.SimulatedLargeCommitProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The driver of a job with many files needs little memory to commit it. Of the heap that is given
 * here the simulation of the cluster takes most: the manifests, the intents and the entries. A
 * driver that holds an object for each file does not fit into what is left. A million files in 512
 * MiB, on a real Ceph, is integration-tests' LargeCommitIT.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class CommitMemoryTest {

  private static final int FILES = 100_000;
  private static final int TASKS = 100;
  private static final String HEAP = "-Xmx128m";

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 1_000})
  void manyFilesInASmallHeap(int directories) throws Exception {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    HEAP,
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-XX:+ExitOnOutOfMemoryError",
                    "-cp",
                    System.getProperty("java.class.path"),
                    SimulatedLargeCommitProgram.class.getName(),
                    Integer.toString(FILES),
                    Integer.toString(directories),
                    Integer.toString(TASKS)))
            .redirectErrorStream(true)
            .start();
    try {
      assertThat(output(process)).contains("committed " + FILES);
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  private static String output(Process process) throws IOException {
    process.getOutputStream().close();
    return new String(process.getInputStream().readAllBytes(), UTF_8);
  }
}
