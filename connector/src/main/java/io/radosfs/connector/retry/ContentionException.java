// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.retry;

import java.io.IOException;
import java.time.Duration;

/**
 * Something was given up, because others changed what it rests on each time that it was tried. As
 * far as this call goes, nothing was changed by it; it may be tried again.
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
