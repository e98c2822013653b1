// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.retry;

import java.io.IOException;

/**
 * What an attempt throws that does not know whether its change was made: an exception, which is one
 * more reason to look, and which {@link Retries} remembers. Once an attempt is open, a call can no
 * more end as if nothing had been changed by it.
 */
public interface OpenAttempt {

  /**
   * What the call ends with that has looked again, and has failed.
   *
   * @param later how it has failed
   * @return an exception that says that the change may have been made; {@code later} itself where
   *     that says so
   */
  IOException endedBy(IOException later);
}
