// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer.spark;

import io.radosfs.connector.release.Releases;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Spark that runs. */
public final class SparkRelease {

  private static final Logger LOG = LoggerFactory.getLogger(SparkRelease.class);

  /** Spark 3.2 has no FileNameSpec. */
  static final Releases RELEASES =
      new Releases("Spark", "3.3.0", List.of("3.5.8", "4.1.3", "4.2.0"));

  static {
    // Here, so that it is said once.
    RELEASES.warning(version()).ifPresent(LOG::warn);
  }

  private SparkRelease() {}

  /**
   * On the driver, before anything of a job is done.
   *
   * @throws IllegalStateException if this Spark cannot be used, with the reason and what can be
   */
  public static void require() {
    Optional<String> refusal = RELEASES.refusal(version(), RadosCommitProtocol.class);
    if (refusal.isPresent()) {
      throw new IllegalStateException(refusal.get());
    }
  }

  /** As Spark tells it, such as {@code 4.1.3}. */
  public static String version() {
    return org.apache.spark.package$.MODULE$.SPARK_VERSION();
  }
}
