// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

/** The omap keys of a directory index; connector/docs/storage-format.md has examples. */
public final class IndexKeys {

  /** Layout version, shard count and state of the index ({@link IndexHead}). */
  public static final String HEAD = "h";

  /**
   * A random value that every change sets anew. A client that has read the whole index guards with
   * it.
   */
  public static final String CHANGE = "h.change";

  /**
   * A random value that a change sets anew if it must not be seen in part: a transaction prepared,
   * applied or withdrawn, a change of many entries in one operation, a rename. A listing of several
   * pages begins again when it changes.
   */
  public static final String TRANSACTIONS = "h.transactions";

  /**
   * A random value, new in each index, that is set anew before the files of a process thought dead
   * are removed. A publisher of a file guards with the value that was there while the file was
   * still its own. A change of the layout also sets it anew, which makes writers look again.
   */
  public static final String FENCE = "h.fence";

  /** The layout of new files ({@link DataLayout}); absent for the default. */
  public static final String LAYOUT = "h.layout";

  /**
   * In a directory that is being removed after its files were replaced: the time until which their
   * data is kept, in milliseconds since the epoch.
   */
  public static final String KEPT_UNTIL = "h.until";

  public static final String ENTRY_PREFIX = "e/";
  public static final String INTENT_PREFIX = "p/";
  public static final String TRANSACTION_PREFIX = "t/";
  public static final String DEFERRED_DELETION_PREFIX = "x/";
  public static final String TRANSACTION_STATUS_PREFIX = "j/";

  /**
   * In {@link ObjectNames#LEDGERS}, before the name of a job's record: the job's status record, as
   * the index had it when the destination was removed.
   */
  public static final String REMOVED_JOB_PREFIX = "job/";

  /**
   * The overwrite lock, see {@link LockHolder}: the one transaction that holds it, or asks for it,
   * among those that replace much here or below. Void once that transaction is decided.
   */
  public static final String OVERWRITE_LOCK = "l";

  private IndexKeys() {}

  /** A child. */
  public static String entry(String name) {
    return ENTRY_PREFIX + name;
  }

  /** What a transaction will do to a child, whose name it holds until it is resolved. */
  public static String intent(String name) {
    return INTENT_PREFIX + name;
  }

  /** The mark of a transaction that concerns this directory and is not resolved here. */
  public static String transaction(String id) {
    return TRANSACTION_PREFIX + id;
  }

  /** The id in a transaction's key. */
  public static String transactionOf(String key) {
    return key.substring(TRANSACTION_PREFIX.length());
  }

  /** The name in an entry's or an intent's key. */
  public static String nameOf(String key) {
    return key.substring(ENTRY_PREFIX.length());
  }

  /** Objects still to be deleted: the data of a file, or the index of a removed directory. */
  public static String deferredDeletion(Uid uid) {
    return DEFERRED_DELETION_PREFIX + uid;
  }

  /** The status record of a transaction whose coordinator this is; for a job, its registration. */
  public static String transactionStatus(String id) {
    return TRANSACTION_STATUS_PREFIX + Takeover.transactionOf(id);
  }

  /** The transaction whose status record has this key. */
  public static String transactionOfStatus(String key) {
    return key.substring(TRANSACTION_STATUS_PREFIX.length());
  }
}
