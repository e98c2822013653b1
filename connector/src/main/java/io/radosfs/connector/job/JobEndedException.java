// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.job;

import java.io.IOException;

/**
 * A task, or an attempt of one, came too late: its job runs no more, or the attempt was aborted.
 * What it wrote is never seen (I6).
 */
public class JobEndedException extends IOException {

  private static final long serialVersionUID = 1L;

  public JobEndedException(String message) {
    super(message);
  }
}
