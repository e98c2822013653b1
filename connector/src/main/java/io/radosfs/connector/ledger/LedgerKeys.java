// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.ledger;

import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.SeenStripe;
import java.nio.charset.StandardCharsets;

/** The omap keys of a process' ledger, and of the list of ledgers. */
final class LedgerKeys {

  /** Who owns the ledger: {@link #open} or {@link #taken}. Guards all writes of its process. */
  static final String STATE = "s";

  /**
   * The process's last heartbeat, or when the ledger was taken over: milliseconds since the epoch,
   * by the writer's clock. Tells where to look, decides nothing.
   */
  static final String RENEWED = "r";

  /**
   * When a collection later than the takeover last found anything of its files, as its process may
   * write on then: milliseconds since the epoch. Tells how long the ledger stays.
   */
  static final String FOUND = "w";

  /** Objects that are being written or made ({@link LedgerEntry}). */
  static final String OPEN_PREFIX = "f/";

  /** The same, once a collector has removed them; kept so that a later collection looks again. */
  static final String REMOVED_PREFIX = "g/";

  /** How far such a file was seen to reach ({@link SeenStripe}). */
  static final String SEEN_PREFIX = SeenStripe.PREFIX;

  /** In the list of ledgers: the status record of a job that no directory leads to, perhaps. */
  static final String JOB_PREFIX = IndexKeys.REMOVED_JOB_PREFIX;

  private LedgerKeys() {}

  /** The key that a line of what is open has once it is removed. */
  static String removed(String openLine) {
    return REMOVED_PREFIX + openLine.substring(OPEN_PREFIX.length());
  }

  /** The ledger belongs to its process. */
  static byte[] open() {
    return bytes("open 1");
  }

  /** A collector has taken the ledger over; its process can no longer change it. */
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
