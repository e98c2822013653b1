// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

/**
 * A deferred deletion: objects that nothing refers to any more and that are still to be deleted.
 * The operation that removes the last reference stores it under {@link IndexKeys#deferredDeletion}.
 */
public sealed interface DeferredDeletion {

  /** Returns what is left to delete, at once, when the entry of a path is removed. */
  static DeferredDeletion of(FsPath path, Entry removed) {
    return of(path, removed, AT_ONCE);
  }

  /**
   * Returns what is left to delete when the entry of a path is removed.
   *
   * @param until the time until which the data of a file is kept, in milliseconds since the epoch;
   *     for a directory, its index says so
   */
  static DeferredDeletion of(FsPath path, Entry removed, long until) {
    return removed instanceof Entry.OfFile file
        ? new OfFile(file, until)
        : new OfDirectory(path, removed.uid());
  }

  /** The {@code until} of data that is deleted at once. */
  long AT_ONCE = 0;

  /** The identity of the removed file or directory, under which it is listed. */
  Uid uid();

  /**
   * The data of a removed file.
   *
   * @param until the data is kept until then for readers that have it open, by the clock of the
   *     client that replaced it
   */
  record OfFile(Entry.OfFile file, long until) implements DeferredDeletion {

    public OfFile {
      if (until < 0) {
        throw new IllegalArgumentException("until " + until);
      }
      // The extended attributes have no use any more, and may be large when space is to be freed.
      file = file.withAttributes(file.attributes().withoutXattrs());
    }

    @Override
    public Uid uid() {
      return file.uid();
    }

    /** Whether the data is kept for readers, for a time; else it is deleted at once. */
    public boolean isKept() {
      return until > AT_ONCE;
    }

    /** The same, to be deleted at once. */
    public OfFile atOnce() {
      return new OfFile(file, AT_ONCE);
    }
  }

  /** The index of a removed directory, closing under this uid, and the data of the files in it. */
  record OfDirectory(FsPath directory, Uid uid) implements DeferredDeletion {}

  String DIRECTORY = "index 1 ";
  String UNTIL = "until ";

  default byte[] encode() {
    if (this instanceof OfDirectory removed) {
      return StoredText.bytes(
          DIRECTORY + removed.uid() + " " + StoredText.escape(removed.directory().key()));
    }
    OfFile removed = (OfFile) this;
    // Encoded as if in the root, the entry always names the path that the data was written to.
    byte[] file = EntryCodec.encode(FsPath.ROOT, removed.file());
    return removed.until() == AT_ONCE
        ? file
        : StoredText.bytes(UNTIL + removed.until() + " " + StoredText.text(file));
  }

  /** The stored form of a time until which data is kept. */
  static byte[] encodeUntil(long until) {
    return StoredText.bytes(UNTIL + until);
  }

  /** Reads a stored time; object and key are for the error. */
  static long decodeUntil(String object, String key, byte[] stored) throws LayoutException {
    String text = StoredText.text(stored);
    try {
      if (text.startsWith(UNTIL)) {
        long until = Long.parseLong(text.substring(UNTIL.length()));
        if (until >= 0) {
          return until;
        }
      }
    } catch (NumberFormatException e) {
      throw StoredText.garbage(object, key, stored, e);
    }
    throw StoredText.garbage(object, key, stored, null);
  }

  private static FsPath removed(String key) {
    if (key.isEmpty()) {
      throw new IllegalArgumentException("the root is never removed");
    }
    return FsPath.ofKey(key);
  }

  /** Reads a stored value; object and key are for the error. */
  static DeferredDeletion decode(String object, String key, byte[] stored) throws LayoutException {
    String text = StoredText.text(stored);
    try {
      if (text.startsWith(DIRECTORY)) {
        String[] words = text.substring(DIRECTORY.length()).split(" ", 2);
        return new OfDirectory(removed(StoredText.unescape(words[1])), new Uid(words[0]));
      }
      long until = AT_ONCE;
      if (text.startsWith(UNTIL)) {
        String[] words = text.substring(UNTIL.length()).split(" ", 2);
        until = Long.parseLong(words[0]);
        text = words[1];
      }
      if (EntryCodec.decode(FsPath.ROOT, text) instanceof Entry.OfFile file) {
        return new OfFile(file, until);
      }
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException | LayoutException e) {
      throw StoredText.garbage(object, key, stored, e);
    }
    throw StoredText.garbage(object, key, stored, null);
  }
}
