// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.util.Optional;

/**
 * Who has the overwrite lock of a directory, or has asked for it: the value of {@link
 * IndexKeys#OVERWRITE_LOCK}, {@code <transaction>} or {@code <transaction>/<uid>}. It means nothing
 * once the transaction is decided, or if there is none of that id.
 *
 * @param transaction its id, also after a takeover; without {@code /}
 * @param asking of whoever has asked for the lock, and looks whether a directory above is locked;
 *     empty once it is held
 */
public record LockHolder(String transaction, Optional<Uid> asking) {

  private static final char SEPARATOR = '/';

  /** One that holds the lock. */
  public static LockHolder holding(String transaction) {
    return new LockHolder(transaction, Optional.empty());
  }

  /** One that asks for the lock, unlike all who have asked before. */
  public static LockHolder newlyAsking(String transaction) {
    return new LockHolder(transaction, Optional.of(Uid.random()));
  }

  public byte[] encode() {
    return StoredText.bytes(transaction + asking.map(uid -> SEPARATOR + uid.value()).orElse(""));
  }

  /** Of any bytes: what is no transaction's id means nothing. */
  public static LockHolder decode(byte[] stored) {
    String text = StoredText.text(stored);
    int separator = text.lastIndexOf(SEPARATOR);
    if (separator < 0) {
      return holding(text);
    }
    try {
      return new LockHolder(
          text.substring(0, separator), Optional.of(new Uid(text.substring(separator + 1))));
    } catch (IllegalArgumentException e) {
      return holding(text);
    }
  }
}
