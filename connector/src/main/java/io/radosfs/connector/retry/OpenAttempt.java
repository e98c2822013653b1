// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.retry;

import java.io.IOException;

/**
 * What an attempt throws if it does not know whether its change was made. It is one more reason to
 * look again, and {@link Retries} remembers it: from then on, the call can no longer end as if it
 * had changed nothing.
 */
public interface OpenAttempt {

  /**
   * Returns the exception of a call that has looked again and failed.
   *
   * @param later the failure of the call
   * @return an exception that says that the change may have been made; {@code later} if that does
   */
  IOException endedBy(IOException later);
}
