// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.util.Optional;

/**
 * The mark of a transaction, stored under {@link IndexKeys#transaction} in every directory that it
 * concerns, until it is resolved there.
 *
 * @param coordinator the directory whose index holds the status record
 * @param whole what happens to the directory itself
 * @param directory the directory's uid, if the directory goes whole
 * @param made whether the transaction made this index, or locked one that nobody had opened; it is
 *     empty otherwise. A rollback then removes the index: the directory may be gone by then, and
 *     reads as empty without an index
 */
public record TransactionMark(
    FsPath coordinator, Whole whole, Optional<Uid> directory, boolean made) {

  /** What a committed transaction does to the directory as a whole. */
  public enum Whole {
    /** Nothing: it changes the names on which it has intents. */
    KEPT,
    /** The directory is removed, and its files' data with it. */
    REMOVED,
    /** The same as REMOVED, but the data is retained for readers that have the files open. */
    REPLACED,
    /** The directory gets another name: this index is removed, the data stays. */
    MOVED
  }

  private static final String VERSION = "transaction 1 ";

  public static TransactionMark keeping(FsPath coordinator) {
    return new TransactionMark(coordinator, Whole.KEPT, Optional.empty(), false);
  }

  public static TransactionMark removing(FsPath coordinator, Uid directory) {
    return new TransactionMark(coordinator, Whole.REMOVED, Optional.of(directory), false);
  }

  public static TransactionMark replacing(FsPath coordinator, Uid directory) {
    return new TransactionMark(coordinator, Whole.REPLACED, Optional.of(directory), false);
  }

  public static TransactionMark moving(FsPath coordinator, Uid directory) {
    return new TransactionMark(coordinator, Whole.MOVED, Optional.of(directory), false);
  }

  /** The same mark, in an index that is made with it. */
  public TransactionMark inMadeIndex() {
    return new TransactionMark(coordinator, whole, directory, true);
  }

  public byte[] encode() {
    return StoredText.bytes(
        VERSION
            + "decider="
            + StoredText.escape(coordinator.key())
            + " directory="
            + whole
            + directory.map(uid -> " uid=" + uid).orElse("")
            + (made ? " index=made" : ""));
  }

  /** Reads a stored mark; object and id are for the error. */
  public static TransactionMark decode(String object, String id, byte[] stored)
      throws LayoutException {
    String text = StoredText.text(stored);
    try {
      if (text.startsWith(VERSION)) {
        StoredFields fields = new StoredFields(text, VERSION.length());
        Whole whole = Whole.valueOf(fields.required("directory"));
        return new TransactionMark(
            FsPath.ofKey(fields.requiredText("decider")),
            whole,
            whole == Whole.KEPT ? Optional.empty() : Optional.of(new Uid(fields.required("uid"))),
            "made".equals(fields.value("index")));
      }
    } catch (IllegalArgumentException e) {
      throw StoredText.garbage(object, IndexKeys.transaction(id), stored, e);
    }
    throw StoredText.garbage(object, IndexKeys.transaction(id), stored, null);
  }
}
