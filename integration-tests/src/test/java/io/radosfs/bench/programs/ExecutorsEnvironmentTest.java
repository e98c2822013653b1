// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ExecutorsEnvironmentTest {

  @TempDir Path home;

  /** Spark, which is not installed, starts its executors by these alone. */
  @Test
  void theDriverFindsWhatItStartsExecutorsWith() throws IOException {
    ProcessBuilder program =
        ExecutorsProgram.of(
            home, Path.of("ceph.conf"), URI.create("rados://pool/bench"), Path.of("local"), 3);

    assertThat(program.environment())
        .containsEntry("SPARK_HOME", home.toString())
        .containsEntry("SPARK_LOCAL_IP", "127.0.0.1")
        .containsKeys("SPARK_SCALA_VERSION", "JAVA_HOME");
    assertThat(home.resolve("jars")).isDirectory();
    assertThat(program.command())
        .endsWith(
            ExecutorsProgram.class.getName(),
            home.toString(),
            Path.of("ceph.conf").toAbsolutePath().toString(),
            "rados://pool/bench",
            Path.of("local").toAbsolutePath().toString(),
            "3");
  }
}
