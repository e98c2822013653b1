package io.radosfs.connector.layout;

/**
 * Objects that nothing refers to any more and that are still to be deleted, stored under {@link
 * IndexKeys#reclaim} since the operation that removed the last reference.
 */
public sealed interface Reclaim {

  /** What is left to delete when the entry of a path is removed. */
  static Reclaim of(FsPath path, Entry removed) {
    return removed instanceof Entry.OfFile file
        ? new OfFile(file)
        : new OfDirectory(path, removed.uid());
  }

  /** The data of a removed file. */
  record OfFile(Entry.OfFile file) implements Reclaim {}

  /** The index of a removed directory, closing under this uid, with the data of files in it. */
  record OfDirectory(FsPath directory, Uid uid) implements Reclaim {}

  String DIRECTORY = "index 1 ";

  default byte[] encode() {
    if (this instanceof OfDirectory removed) {
      return StoredText.bytes(
          DIRECTORY + removed.uid() + " " + StoredText.escape(removed.directory().key()));
    }
    // Encoded as of the root, the entry always names the path that the data was written to.
    return EntryCodec.encode(FsPath.ROOT, ((OfFile) this).file());
  }

  /** Reads a stored value; object and key are for the error. */
  static Reclaim decode(String object, String key, byte[] stored) throws LayoutException {
    String text = StoredText.text(stored);
    try {
      if (text.startsWith(DIRECTORY)) {
        String[] words = text.substring(DIRECTORY.length()).split(" ", 2);
        return new OfDirectory(new FsPath(StoredText.unescape(words[1])), new Uid(words[0]));
      }
      if (EntryCodec.decode(FsPath.ROOT, stored) instanceof Entry.OfFile file) {
        return new OfFile(file);
      }
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException | LayoutException e) {
      throw StoredText.garbage(object, key, stored, e);
    }
    throw StoredText.garbage(object, key, stored, null);
  }
}
