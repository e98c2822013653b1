// SPDX-License-Identifier: Apache-2.0
package io.radosfs.committer;

import org.slf4j.Logger;

/** How the driver's log tells of a job that is committed, and of the committer. */
public enum CommitLevel {
  INFO,
  WARN;

  /** Whether that is to be told as a warning: only where the log shows no information. */
  public boolean isWarning(Logger log) {
    return this == WARN && !log.isInfoEnabled();
  }
}
