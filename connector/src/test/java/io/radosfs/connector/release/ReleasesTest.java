// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.radosfs.connector.RadosFileSystem;
import io.radosfs.connector.RadosFs;
import java.io.Closeable;
import java.util.List;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReleasesTest {

  private static final Releases RELEASES =
      new Releases("Hadoop", "3.3.1", List.of("3.3.4", "3.4.2", "3.5.0"));

  /** A class that was complete before its interface got another method. */
  private abstract static class Incomplete implements Closeable {}

  /** A vendor's version, and a snapshot, belong to the line that they are made from. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "3.3.4",
        "3.3.6",
        "3.4.0",
        "3.4.2",
        "3.5.0",
        "3.5.1-SNAPSHOT",
        "3.3.6-amzn-5",
        "3.5"
      })
  void linesThatAreTestedAreUsed(String version) {
    assertThat(RELEASES.refusal(version, RadosFileSystem.class)).isEmpty();
    assertThat(RELEASES.warning(version)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.6.0", "3.10.0", "4.0.0", "Unknown"})
  void othersAreUsedWithAWarning(String version) {
    assertThat(RELEASES.refusal(version, RadosFileSystem.class)).isEmpty();
    assertThat(RELEASES.warning(version))
        .hasValue(
            "radosfs is not tested with Hadoop "
                + version
                + ", and goes on. It is tested with Hadoop 3.3.4, 3.4.2, 3.5.0. Try your jobs"
                + " before you rely on it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.10.2", "3.2.4", "3.3.0", "3.3"})
  void tooOldOnesAreRefused(String version) {
    assertThat(RELEASES.refusal(version, RadosFileSystem.class))
        .hasValue(
            "radosfs cannot be used with Hadoop "
                + version
                + ": it needs 3.3.1 or newer. It is tested with Hadoop 3.3.4, 3.4.2, 3.5.0: use one"
                + " of them, or a release of radosfs that is made for Hadoop "
                + version);
  }

  @Test
  void oneThatWantsAMethodWhichIsNotThereIsRefused() {
    assertThat(RELEASES.refusal("3.6.0", Incomplete.class).orElseThrow())
        .startsWith(
            "radosfs cannot be used with Hadoop 3.6.0: Incomplete has no method close() of"
                + " Closeable, which that release wants. It is tested with Hadoop 3.3.4,");
  }

  @Test
  void theHadoopOfThisBuildIsTested() throws Exception {
    assertThat(HadoopRelease.RELEASES.tested()).contains(VersionInfo.getVersion());
    HadoopRelease.require(RadosFileSystem.class);
    HadoopRelease.require(RadosFs.class);
  }
}
