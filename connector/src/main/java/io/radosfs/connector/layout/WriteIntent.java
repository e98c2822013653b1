// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a transaction will do to one name of a directory, stored under {@link IndexKeys#intent}.
 * While the intent is there, no other client changes the name.
 *
 * <p>Stored as {@code claim 1 <kind> <transactions> <removed uid or -> <entry>}. The entry, which
 * has spaces, goes to the end.
 *
 * @param transactions the one that holds the name; several if each of them makes the same
 *     directory, which exists as soon as one of them is committed
 * @param removed the uid of the entry that the intent takes away
 * @param entry what is added
 */
public record WriteIntent(
    Kind kind, List<String> transactions, Optional<Uid> removed, Optional<Entry> entry) {

  /** What will be done to the name. */
  public enum Kind {
    /** A file, or a directory that is renamed, is added; the name was free. */
    ADD,
    /** A file, or a directory, replaces another entry. */
    REPLACE,
    /** A file or directory is removed, and its content is deleted. */
    REMOVE,
    /** A file or directory moves to another place, with its content. */
    MOVE_AWAY,
    /** A directory is made, unless it exists by then. */
    MAKE_DIRECTORY
  }

  private static final String VERSION = "claim 1 ";

  /** The entry follows version, kind, transactions and the uid removed. */
  private static final int ENTRY_WORD = 5;

  /**
   * @throws IllegalArgumentException if something that its kind needs is missing
   */
  public WriteIntent {
    transactions = List.copyOf(transactions);
    boolean removes = kind != Kind.ADD && kind != Kind.MAKE_DIRECTORY;
    boolean adds = kind != Kind.REMOVE && kind != Kind.MOVE_AWAY;
    boolean makes = entry.isPresent() && entry.get() instanceof Entry.OfDirectory;
    if (transactions.isEmpty()
        || removes != removed.isPresent()
        || adds != entry.isPresent()
        || kind == Kind.MAKE_DIRECTORY && !makes) {
      throw new IllegalArgumentException(kind + " by " + transactions + ": " + removed + entry);
    }
  }

  public static WriteIntent add(String transaction, Entry entry) {
    return new WriteIntent(Kind.ADD, List.of(transaction), Optional.empty(), Optional.of(entry));
  }

  public static WriteIntent replace(String transaction, Uid removed, Entry entry) {
    return new WriteIntent(
        Kind.REPLACE, List.of(transaction), Optional.of(removed), Optional.of(entry));
  }

  public static WriteIntent remove(String transaction, Uid removed) {
    return new WriteIntent(
        Kind.REMOVE, List.of(transaction), Optional.of(removed), Optional.empty());
  }

  public static WriteIntent moveAway(String transaction, Uid removed) {
    return new WriteIntent(
        Kind.MOVE_AWAY, List.of(transaction), Optional.of(removed), Optional.empty());
  }

  public static WriteIntent makeDirectory(String transaction, Entry.OfDirectory directory) {
    return new WriteIntent(
        Kind.MAKE_DIRECTORY, List.of(transaction), Optional.empty(), Optional.of(directory));
  }

  /** The same intent, shared with one more transaction that makes the directory. */
  public WriteIntent sharedWith(String transaction) {
    List<String> all = new ArrayList<>(transactions);
    all.add(transaction);
    return new WriteIntent(kind, all, removed, entry);
  }

  /** The rest of the intent without this transaction; empty if nothing remains. */
  public Optional<WriteIntent> without(String transaction) {
    List<String> rest = new ArrayList<>(transactions);
    rest.remove(transaction);
    return rest.isEmpty()
        ? Optional.empty()
        : Optional.of(new WriteIntent(kind, rest, removed, entry));
  }

  public boolean isBy(String transaction) {
    return transactions.contains(transaction);
  }

  /** The stored form of the entry that is added at this path. */
  public byte[] storedEntry(FsPath path) {
    return EntryCodec.encode(path, entry.orElseThrow());
  }

  /** The stored form of an intent on the name of this path. */
  public byte[] encode(FsPath path) {
    String head =
        VERSION
            + kind
            + " "
            + String.join(",", transactions.stream().map(StoredText::escape).toList())
            + " "
            + removed.map(Uid::value).orElse("-");
    return StoredText.bytes(entry.map(e -> head + " " + EntryCodec.text(path, e)).orElse(head));
  }

  /** A stored intent without the extended attributes of its entry; the same array if none. */
  public static byte[] withoutXattrs(byte[] stored) {
    return EntryCodec.withoutXattrs(stored, ENTRY_WORD);
  }

  /** The same intent, whose entry, if any, has its extended attributes left out. */
  public WriteIntent withXattrsLeftOut(long bytes) {
    return bytes == 0
        ? this
        : new WriteIntent(
            kind, transactions, removed, entry.map(added -> added.withXattrsLeftOut(bytes)));
  }

  /** Reads a stored intent on the name of this path. */
  public static WriteIntent decode(FsPath path, byte[] stored) throws LayoutException {
    String text = StoredText.text(stored);
    try {
      if (text.startsWith(VERSION)) {
        String[] words = text.substring(VERSION.length()).split(" ", 4);
        List<String> transactions = new ArrayList<>();
        for (String id : words[1].split(",")) {
          transactions.add(StoredText.unescape(id));
        }
        return new WriteIntent(
            Kind.valueOf(words[0]),
            transactions,
            words[2].equals("-") ? Optional.empty() : Optional.of(new Uid(words[2])),
            words.length < 4 ? Optional.empty() : Optional.of(EntryCodec.decode(path, words[3])));
      }
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException | LayoutException e) {
      throw garbage(path, stored, e);
    }
    throw garbage(path, stored, null);
  }

  private static LayoutException garbage(FsPath path, byte[] stored, Throwable cause) {
    return StoredText.garbage(
        ObjectNames.index(path.parent()), IndexKeys.intent(path.name()), stored, cause);
  }
}
