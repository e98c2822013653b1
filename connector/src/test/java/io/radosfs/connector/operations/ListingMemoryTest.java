// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.programs.LargeListingProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Files with much in extended attributes are listed in a heap that does not hold these: here a
 * quarter of them. A gigabyte of them, on a real Ceph, is integration-tests' LargeAttributesIT.
 */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class ListingMemoryTest {

  private static final int FILES = 24_576;
  private static final String HEAP = "-Xmx112m";

  @ParameterizedTest
  @CsvSource({"list,1", "listing,1", "list,4", "listing,4"})
  void muchInAttributesInASmallHeap(String how, int shards) throws Exception {
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
                    LargeListingProgram.class.getName(),
                    how,
                    Integer.toString(FILES),
                    Integer.toString(shards)))
            .redirectErrorStream(true)
            .start();
    try {
      assertThat(output(process)).contains("listed " + FILES + ", of " + FILES + " times as much");
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
