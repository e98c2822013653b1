package io.radosfs.connector.ledger;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Shards;
import java.nio.charset.StandardCharsets;

/** What a ledger holds: a file that is being written, or index objects that are being made. */
public sealed interface LedgerEntry {

  /**
   * A file begun: its objects, if any, have the names of this data, with either name of the first
   * stripe.
   *
   * @param window the widest gap in its stripes
   */
  record UnfinishedFile(FileData data, int window) implements LedgerEntry {}

  /** An index object made before anyone has seen that its directory is there. */
  record NewIndex(FsPath directory) implements LedgerEntry {}

  /** Shards that may have been made for a directory that is not being split any more. */
  record NewShards(FsPath directory, Shards shards) implements LedgerEntry {}

  String FILE = "writing 1 window=";
  String INDEX = "making 1 ";
  String SHARDS = "sharding 1 ";

  default byte[] encode() {
    if (this instanceof UnfinishedFile file) {
      // An entry as of the root always names the path that the data is written to.
      Entry entry = new Entry.OfFile(file.data(), 0, new Attributes(0, 0, "-", "-"));
      return (FILE
              + file.window()
              + " "
              + new String(EntryCodec.encode(FsPath.ROOT, entry), StandardCharsets.UTF_8))
          .getBytes(StandardCharsets.UTF_8);
    }
    if (this instanceof NewShards made) {
      return (SHARDS
              + made.shards().count()
              + " "
              + made.shards().generation()
              + " "
              + made.directory().key())
          .getBytes(StandardCharsets.UTF_8);
    }
    return (INDEX + ((NewIndex) this).directory().key()).getBytes(StandardCharsets.UTF_8);
  }

  /** Reads a stored entry; object and key are for the error. */
  static LedgerEntry decode(String object, String key, byte[] stored) throws LayoutException {
    String text = new String(stored, StandardCharsets.UTF_8);
    try {
      if (text.startsWith(FILE)) {
        int space = text.indexOf(' ', FILE.length());
        int window = Integer.parseInt(text.substring(FILE.length(), space));
        byte[] entry = text.substring(space + 1).getBytes(StandardCharsets.UTF_8);
        return new UnfinishedFile(
            ((Entry.OfFile) EntryCodec.decode(FsPath.ROOT, entry)).data(), window);
      }
      if (text.startsWith(INDEX)) {
        return new NewIndex(new FsPath(text.substring(INDEX.length())));
      }
      if (text.startsWith(SHARDS)) {
        String[] words = text.substring(SHARDS.length()).split(" ", 3);
        return new NewShards(
            new FsPath(words[2]), new Shards(Integer.parseInt(words[0]), words[1]));
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException | ClassCastException e) {
      throw garbage(object, key, text, e);
    }
    throw garbage(object, key, text, null);
  }

  private static LayoutException garbage(String object, String key, String text, Throwable cause) {
    return new LayoutException(
        "cannot read key '" + key + "' of ledger '" + object + "': '" + text + "'", cause);
  }
}
