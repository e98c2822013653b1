package io.radosfs.connector.layout;

/** The omap keys of a directory index; connector/README.md shows one whole. */
public final class IndexKeys {

  /** Layout version, shard count and state of the index ({@link IndexHead}). */
  public static final String HEAD = "h";

  /** A random value that every change of any kind sets anew. */
  public static final String CHANGE = "h.change";

  /**
   * A random value that is set anew whenever what is pending or what it made changes: a transaction
   * staged, applied or withdrawn, and a change of many entries in one operation.
   */
  public static final String TRANSACTIONS = "h.transactions";

  /** A random value that every rename within the directory sets anew, for listings to notice. */
  public static final String RENAMES = "h.renames";

  public static final String ENTRY_PREFIX = "e/";
  public static final String TRANSACTION_PREFIX = "t/";
  public static final String RECLAIM_PREFIX = "x/";
  public static final String DECISION_PREFIX = "j/";

  private IndexKeys() {}

  /** A child. */
  public static String entry(String name) {
    return ENTRY_PREFIX + name;
  }

  /** The name in an entry's key. */
  public static String nameOfEntry(String key) {
    return key.substring(ENTRY_PREFIX.length());
  }

  /** A transaction that concerns this directory and may not have been applied here. */
  public static String transaction(String id) {
    return TRANSACTION_PREFIX + id;
  }

  /** Data objects still to be deleted. */
  public static String reclaim(Uid uid) {
    return RECLAIM_PREFIX + uid;
  }

  /** The decision of a transaction whose deciding object this is, or a registered job. */
  public static String decision(String id) {
    return DECISION_PREFIX + id;
  }

  /** Prefix of the entries that a transaction adds here. */
  public static String addedPrefix(String id) {
    return "p/" + id + "/";
  }

  /** An entry that a transaction adds here. */
  public static String added(String id, String name) {
    return addedPrefix(id) + name;
  }

  /** Prefix of the names that a transaction removes here. */
  public static String removedPrefix(String id) {
    return "d/" + id + "/";
  }

  /** A name that a transaction removes here; the value is the uid of the entry it removes. */
  public static String removed(String id, String name) {
    return removedPrefix(id) + name;
  }
}
