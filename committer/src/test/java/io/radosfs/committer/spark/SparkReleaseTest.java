// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.radosfs.connector.docs.ToldMessages;
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
  void thePageOnTroubleshootingHasTheMessages() {
    ToldMessages.of("committer/docs/troubleshooting.md", "Releases")
        .assertAre(
            List.of(
                SparkRelease.RELEASES.refusal("3.2.4", RadosCommitProtocol.class).orElseThrow(),
                SparkRelease.RELEASES.warning("4.9.0").orElseThrow()));
  }
}
