// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.StoredText;
import java.nio.charset.StandardCharsets;

/** The state of a job, as stored in its record. */
public enum JobState {
  /** Tasks write and commit. */
  RUNNING,
  /** No task can add anything; the job's transaction is being prepared, or is decided already. */
  COMMITTING,
  /** The job's files are visible; what it left over is being removed. */
  COMMITTED,
  /** Nothing of the job will ever be visible; what it wrote is being removed. */
  ABORTED;

  byte[] encode() {
    return name().getBytes(StandardCharsets.UTF_8);
  }

  static JobState decode(String object, byte[] stored) throws LayoutException {
    String text = new String(stored, StandardCharsets.UTF_8);
    for (JobState state : values()) {
      if (state.name().equals(text)) {
        return state;
      }
    }
    throw new LayoutException(
        "cannot read the state (omap key 's') of the job record '"
            + object
            + "': '"
            + StoredText.shown(text)
            + "'. It was written by a newer radosfs, or damaged; nothing was changed");
  }
}
