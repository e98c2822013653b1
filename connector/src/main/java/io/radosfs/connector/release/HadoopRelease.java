// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.release;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Hadoop that runs. */
public final class HadoopRelease {

  private static final Logger LOG = LoggerFactory.getLogger(HadoopRelease.class);

  /** Hadoop 3.3.0 has no IOStatistics. */
  public static final Releases RELEASES =
      new Releases("Hadoop", "3.3.1", List.of("3.3.4", "3.4.2", "3.5.0"));

  static {
    // Here, so that it is said once.
    RELEASES.warning(VersionInfo.getVersion()).ifPresent(LOG::warn);
  }

  private HadoopRelease() {}

  /**
   * No RADOS operation.
   *
   * @param fileSystem the class that Hadoop calls
   * @throws IOException if this Hadoop cannot be used, with the reason and what can be
   */
  public static void require(Class<?> fileSystem) throws IOException {
    Optional<String> refusal = RELEASES.refusal(VersionInfo.getVersion(), fileSystem);
    if (refusal.isPresent()) {
      throw new IOException(refusal.get());
    }
  }
}
