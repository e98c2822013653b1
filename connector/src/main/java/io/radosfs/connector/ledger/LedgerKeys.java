// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.ledger;

import io.radosfs.connector.layout.IndexKeys;
import java.nio.charset.StandardCharsets;

/** The omap keys of a process' ledger, and of the list of ledgers. */
final class LedgerKeys {

  /** Whose the ledger is: {@link #OPEN} or {@link #TAKEN}. All that its process does guards it. */
  static final String STATE = "s";

  /**
   * When the process last said that it is alive, or when the ledger was taken over: milliseconds
   * since the epoch, as the writer's clock had it. Tells where to look, decides nothing.
   */
  static final String RENEWED = "r";

  /** What is being written or made ({@link LedgerEntry}). */
  static final String OPEN_PREFIX = "f/";

  /** The same, once a collector has removed it; kept to look again. */
  static final String REMOVED_PREFIX = "g/";

  /** In the list of ledgers: the status record of a job whose destination was removed. */
  static final String JOB_PREFIX = IndexKeys.REMOVED_JOB_PREFIX;

  private LedgerKeys() {}

  /** The ledger is its process'. */
  static byte[] open() {
    return bytes("open 1");
  }

  /** A collector has taken it over; its process can do nothing with it any more. */
  static byte[] taken() {
    return bytes("taken 1");
  }

  static byte[] time(long millis) {
    return bytes(Long.toString(millis));
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
