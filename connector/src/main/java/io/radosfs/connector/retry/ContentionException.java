// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.retry;

import java.io.IOException;
import java.time.Duration;

/**
 * Something was given up, as other clients changed what it depends on at every attempt. This call
 * has changed nothing; the caller may try again.
 */
public class ContentionException extends IOException {

  private static final long serialVersionUID = 1L;

  ContentionException(String what, int attempts, Duration waited) {
    super(
        what
            + " was given up after "
            + attempts
            + " attempts in "
            + waited.toMillis()
            + " ms, as others keep changing what it rests on; try again");
  }
}
