// SPDX-License-Identifier: Apache-2.0
package io.radosfs.integration.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.integration.programs.CheckpointSuites;
import io.radosfs.integration.programs.Program;
import io.radosfs.integration.spark.SparkOnCeph;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@link CheckpointSuites}. */
class CheckpointFileManagerIT {

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
  void sparksOwnTestsPass(@TempDir Path folder) throws Exception {
    List<String> results = new ArrayList<>();
    try (Program suites =
        Program.start(
            folder,
            CheckpointSuites.class,
            Map.of(),
            on.ceph.conf().toString(),
            on.uri("suites"))) {
      for (String result = suites.answer(); !result.equals("end"); result = suites.answer()) {
        results.add(result);
      }
      suites.end();
    }
    String test = ": passed: mkdirs, list, createAtomic, open, delete, exists";
    assertThat(results).containsExactly("FileContext" + test, "checksums" + test);
  }
}
