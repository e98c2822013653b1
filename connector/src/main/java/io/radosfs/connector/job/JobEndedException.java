// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import java.io.IOException;

/**
 * Thrown to a driver or task attempt that comes too late: its job is no longer RUNNING, or the
 * attempt was aborted. What the attempt wrote is never seen (I6).
 */
public class JobEndedException extends IOException {

  private static final long serialVersionUID = 1L;

  public JobEndedException(String message) {
    super(message);
  }
}
