// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.explorer;

import java.io.IOException;

/** Something that a client does; its text says what, for people. */
public interface Step {

  /**
   * Does it, by calls of the session, which take in every failure that a caller may be told of.
   * What escapes is a bug.
   */
  void run(Session session) throws IOException;

  /** Among how many of the writes that it does one is chosen at which something goes wrong. */
  default int writes() {
    return 4;
  }
}
