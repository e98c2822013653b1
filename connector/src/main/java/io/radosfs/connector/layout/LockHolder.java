// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.io.IOException;
import java.util.Optional;

/**
 * Who has the overwrite lock of a directory, or has asked for it: the value of {@link
 * IndexKeys#OVERWRITE_LOCK}, {@code <transaction>} or {@code <transaction>/<uid>}. Where the
 * transaction is decided in another directory, {@code <transaction>/[<uid>]<path of that
 * directory>}. It means nothing once the transaction is decided, or if there is none of that id.
 *
 * @param transaction its id, also after a takeover; without {@code /}
 * @param elsewhere where it is decided; empty if that is the locked directory
 * @param asking of whoever has asked for the lock, and looks whether a directory above is locked;
 *     empty once it is held
 */
public record LockHolder(String transaction, Optional<FsPath> elsewhere, Optional<Uid> asking) {

  private static final char SEPARATOR = '/';

  /** One that holds the lock of the directory where it is decided. */
  public static LockHolder holding(String transaction) {
    return new LockHolder(transaction, Optional.empty(), Optional.empty());
  }

  /** The same of another directory. */
  public LockHolder decidedIn(FsPath coordinator) {
    return new LockHolder(transaction, Optional.of(coordinator), asking);
  }

  /** The same transaction as it asks for the lock, unlike all who have asked before. */
  public LockHolder newlyAsking() {
    return new LockHolder(transaction, elsewhere, Optional.of(Uid.random()));
  }

  /** Where the transaction is decided that has the lock of this directory. */
  public FsPath coordinator(FsPath directory) {
    return elsewhere.orElse(directory);
  }

  /**
   * Whether both are of one transaction, which may hold the lock of the directory or ask for it.
   */
  public boolean isSameTransaction(LockHolder other) {
    return transaction.equals(other.transaction) && elsewhere.equals(other.elsewhere);
  }

  public byte[] encode() {
    String uid = asking.map(Uid::value).orElse("");
    String where = elsewhere.map(FsPath::toString).orElse("");
    String rest = uid + where;
    return StoredText.bytes(rest.isEmpty() ? transaction : transaction + SEPARATOR + rest);
  }

  /** Of any bytes: what is no transaction's id means nothing. */
  public static LockHolder decode(byte[] stored) {
    String text = StoredText.text(stored);
    int separator = text.indexOf(SEPARATOR);
    if (separator < 0) {
      return holding(text);
    }
    String rest = text.substring(separator + 1);
    int path = rest.indexOf(SEPARATOR);
    String uid = path < 0 ? rest : rest.substring(0, path);
    try {
      return new LockHolder(
          text.substring(0, separator),
          path < 0 ? Optional.empty() : Optional.of(FsPath.parse(rest.substring(path))),
          path >= 0 && uid.isEmpty() ? Optional.empty() : Optional.of(new Uid(uid)));
    } catch (IllegalArgumentException | IOException e) {
      return holding(text);
    }
  }
}
