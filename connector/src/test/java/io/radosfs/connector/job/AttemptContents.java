// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import java.util.List;
import java.util.Optional;

/** Makes up what the record of a running job holds of an attempt that has deleted nothing. */
public final class AttemptContents {

  private AttemptContents() {}

  public static AttemptRecord.Contents of(List<WorkFile> files) {
    return new AttemptRecord.Contents(
        files,
        /* manifest= */ Optional.empty(),
        /* aborted= */ false,
        /* otherManifests= */ 0,
        JobState.RUNNING,
        /* deletion= */ Optional.empty());
  }
}
