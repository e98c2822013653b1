// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.radosfs.RadosPlugin;
import io.radosfs.connector.RadosFileSystem;
import io.radosfs.connector.docs.ToldMessages;
import io.radosfs.connector.release.HadoopRelease;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.apache.spark.internal.io.FileCommitProtocol;
import org.junit.jupiter.api.Test;

class SparkReleaseTest {

  @Test
  void theSparkOfThisBuildIsTestedAndUsed() {
    assertThat(SparkRelease.RELEASES.tested())
        .contains(org.apache.spark.package$.MODULE$.SPARK_VERSION());
    assertThatCode(SparkRelease::require).doesNotThrowAnyException();
  }

  /** A protocol without commitJob, such as ours was for Spark 3.5: refused before tasks run. */
  @Test
  void aSparkThatCallsWhatTheProtocolHasNotIsRefused() {
    abstract class Incomplete extends FileCommitProtocol {}
    assertThat(SparkRelease.RELEASES.refusal("4.9.0", Incomplete.class).orElseThrow())
        .startsWith("radosfs cannot be used with Spark 4.9.0: Incomplete has no method ")
        .contains("of FileCommitProtocol", "tested with Spark 3.5.8, 4.1.3, 4.2.0");
  }

  @Test
  void sparkWithoutFileNamesOfItsOwnIsTooOld() {
    assertThat(SparkRelease.RELEASES.refusal("3.2.4", RadosCommitProtocol.class).orElseThrow())
        .contains("it needs 3.3.0 or newer");
  }

  @Test
  void thePageOnTroubleshootingHasTheMessages() throws IOException {
    ToldMessages.of("committer/docs/troubleshooting.md", "Releases")
        .assertAre(
            List.of(
                SparkRelease.RELEASES.refusal("3.2.4", RadosCommitProtocol.class).orElseThrow(),
                HadoopRelease.RELEASES.refusal("3.2.4", RadosFileSystem.class).orElseThrow(),
                refusedByAnOlderJava(),
                SparkRelease.RELEASES.warning("4.9.0").orElseThrow()));
  }

  /** As a class of radosfs is for Java 17, here is one that is for a later Java than this one. */
  private static String refusedByAnOlderJava() throws IOException {
    String name = RadosPlugin.class.getName();
    byte[] compiled;
    try (InputStream in = RadosPlugin.class.getResourceAsStream("RadosPlugin.class")) {
      compiled = in.readAllBytes();
    }
    int version = 7; // the low byte of the class file's major version
    assertThat(compiled[version]).as("Java 17").isEqualTo((byte) 61);
    compiled[version] = 120;
    ClassLoader loader =
        new ClassLoader() {
          @Override
          protected Class<?> findClass(String wanted) {
            return defineClass(wanted, compiled, 0, compiled.length);
          }

          @Override
          public Class<?> loadClass(String wanted) throws ClassNotFoundException {
            return wanted.equals(name) ? findClass(wanted) : super.loadClass(wanted);
          }
        };
    return catchThrowable(() -> loader.loadClass(name)).toString();
  }
}
