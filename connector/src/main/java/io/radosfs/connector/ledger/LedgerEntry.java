// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.ledger;

import io.radosfs.connector.layout.Attributes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.SeenStripe;
import io.radosfs.connector.layout.Shards;
import io.radosfs.connector.layout.StoredText;
import io.radosfs.connector.layout.Uid;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** An entry of a ledger: a file that is being written, or index objects that are being made. */
public sealed interface LedgerEntry {

  /** A file that is being made. */
  sealed interface OfFile extends LedgerEntry {
    FileData data();

    /** Where it is to appear. */
    FsPath path();
  }

  /**
   * A file that was begun. Its objects, if any, are named by this data; the first stripe may have
   * either of its names.
   *
   * @param window the widest gap in its stripes
   */
  record UnfinishedFile(FileData data, int window) implements OfFile {

    /** Far more than any writer has. */
    public static final int MAX_WINDOW = 1024;

    public UnfinishedFile {
      if (window < 1 || window > MAX_WINDOW) {
        throw new IllegalArgumentException("window " + window);
      }
    }

    @Override
    public FsPath path() {
      return data.origin();
    }
  }

  /**
   * A file that is being made of retained data. Some of its objects may belong to other files yet.
   * If it does not appear, its data is retained data again.
   *
   * @param path where it is to appear
   */
  record RestoredFile(FsPath path, Entry.OfFile file) implements OfFile {

    public RestoredFile {
      if (path.isRoot()) {
        throw new IllegalArgumentException("the root is no file");
      }
      file = file.withAttributes(file.attributes().withoutXattrs());
    }

    @Override
    public FileData data() {
      return file.data();
    }
  }

  /** An index object that was made before anyone has seen that its directory exists. */
  record NewIndex(FsPath directory) implements LedgerEntry {}

  /** Shards that may have been made for a directory whose split has ended meanwhile. */
  record NewShards(FsPath directory, Shards shards) implements LedgerEntry {}

  /** With how far the file was seen to reach, if it is one that was begun. */
  default LedgerEntry reaching(Map<Uid, SeenStripe> seen) {
    if (this instanceof UnfinishedFile file && seen.containsKey(file.data().uid())) {
      int stripe = seen.get(file.data().uid()).stripe();
      return new UnfinishedFile(file.data().reaching(stripe), file.window());
    }
    return this;
  }

  String FILE = "writing 1 window=";
  String RESTORED = "restoring 1 ";
  String INDEX = "making 1 ";
  String SHARDS = "sharding 1 ";

  default byte[] encode() {
    if (this instanceof UnfinishedFile file) {
      // Relative to the root, an entry always names the path that the data is written to.
      Entry entry = new Entry.OfFile(file.data(), 0, new Attributes(0, 0, "-", "-"));
      return (FILE
              + file.window()
              + " "
              + new String(EntryCodec.encode(FsPath.ROOT, entry), StandardCharsets.UTF_8))
          .getBytes(StandardCharsets.UTF_8);
    }
    if (this instanceof RestoredFile restored) {
      return (RESTORED
              + StoredText.escape(restored.path().key())
              + " "
              + new String(EntryCodec.encode(FsPath.ROOT, restored.file()), StandardCharsets.UTF_8))
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

  /** Decodes a stored entry; object and key are for the error message. */
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
      if (text.startsWith(RESTORED)) {
        String[] words = text.substring(RESTORED.length()).split(" ", 2);
        return new RestoredFile(
            FsPath.ofKey(StoredText.unescape(words[0])),
            (Entry.OfFile) EntryCodec.decode(FsPath.ROOT, words[1]));
      }
      if (text.startsWith(INDEX)) {
        return new NewIndex(FsPath.ofKey(text.substring(INDEX.length())));
      }
      if (text.startsWith(SHARDS)) {
        String[] words = text.substring(SHARDS.length()).split(" ", 3);
        return new NewShards(
            FsPath.ofKey(words[2]),
            new Shards(Integer.parseInt(words[0]), new Uid(words[1]).value()));
      }
    } catch (IllegalArgumentException
        | IndexOutOfBoundsException
        | ClassCastException
        | LayoutException e) {
      throw garbage(object, key, text, e);
    }
    throw garbage(object, key, text, null);
  }

  private static LayoutException garbage(String object, String key, String text, Throwable cause) {
    return new LayoutException(
        "cannot read key '"
            + key
            + "' of ledger '"
            + object
            + "': '"
            + StoredText.shown(text)
            + "'. It was written by a newer radosfs, or damaged; nothing was changed",
        cause);
  }
}
