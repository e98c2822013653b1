// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.util.HexFormat;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The stored form of an {@link Entry}: one line of text, so that {@code rados getomapval} shows it
 * to a person.
 *
 * <pre>
 * file 1 length=1048576 mtime=1763723000123 uid=0123456789abcdef01234567 stripe=4194304 crc32c=1a2b3c4d mode=644 owner=spark group=spark
 * dir 1 mtime=1763723000123 uid=89abcdef0123456701234567 mode=755 owner=spark group=spark
 * </pre>
 *
 * <p>The number after the type is the version. A file renamed since it was written has {@code
 * origin=}; one whose first stripe carries the uid in its name has {@code first=uid}; one outside
 * the default data pool has {@code pool=}; one that was made of the data of a replaced file has
 * {@code data=}, that file's uid. A directory with a layout of its own has {@code pool=}, {@code
 * stripe=} or both. An extended attribute is {@code x.<name>=<Base64>}. Free text is
 * percent-encoded as in a URL's query.
 */
public final class EntryCodec {

  private static final String FILE = "file 1 ";
  private static final String DIRECTORY = "dir 1 ";
  private static final String XATTR = "x.";

  /** A stored form without this text has no extended attributes. */
  public static final String XATTR_BEGINS = " " + XATTR;

  /** The most bytes of two keys and an intent without names, and of an entry without free text. */
  private static final int KEYS_AND_FIELDS = 384;

  /** Of the uid that the data was written for. */
  private static final int WRITTEN_FOR = 32;

  private EntryCodec() {}

  /** The stored form of the entry of a child at this path. */
  public static byte[] encode(FsPath path, Entry entry) {
    return StoredText.bytes(text(path, entry));
  }

  /** The stored form as text. */
  static String text(FsPath path, Entry entry) {
    StringBuilder text = new StringBuilder(160);
    if (entry instanceof Entry.OfFile file) {
      FileData data = file.data();
      text.append(FILE).append("length=").append(data.length());
      appendCommon(text, entry);
      text.append(" stripe=").append(data.objectSize());
      text.append(" crc32c=").append(HexFormat.of().toHexDigits(file.crc32c()));
      if (!data.origin().equals(path)) {
        text.append(" origin=").append(StoredText.escape(data.origin().key()));
      }
      if (!data.plainFirst()) {
        text.append(" first=uid");
      }
      data.pool().ifPresent(pool -> text.append(" pool=").append(StoredText.escape(pool)));
      data.restoredFrom().ifPresent(written -> text.append(" data=").append(written));
    } else {
      text.append(DIRECTORY.stripTrailing());
      appendCommon(text, entry);
      text.append(((Entry.OfDirectory) entry).layout().fields());
    }
    return text.toString();
  }

  /**
   * An upper bound of the bytes of an operation that writes an intent to add an entry, or sets or
   * removes the entry: its keys, and the entry once. Encodes nothing: it is called for each of
   * many.
   */
  public static long mostBytes(String name, Entry entry) {
    Attributes attributes = entry.attributes();
    long bytes = KEYS_AND_FIELDS + 2 * StoredText.mostBytes(name);
    bytes += StoredText.mostBytes(attributes.owner()) + StoredText.mostBytes(attributes.group());
    bytes += attributes.xattrs().mostBytes(XATTR.length() + 2);
    Optional<String> pool =
        entry instanceof Entry.OfDirectory directory
            ? directory.layout().pool()
            : ((Entry.OfFile) entry).data().pool();
    if (entry instanceof Entry.OfFile file) {
      bytes += StoredText.mostBytes(file.data().origin().key());
      bytes += file.data().restoredFrom().isPresent() ? WRITTEN_FOR : 0;
    }
    return bytes + (pool.isPresent() ? StoredText.mostBytes(pool.get()) : 0);
  }

  /**
   * Returns a stored form without the fields of extended attributes, or the same array if it has
   * none. The difference in length is what those fields take.
   */
  public static byte[] withoutXattrs(byte[] stored) {
    return withoutXattrs(stored, 0);
  }

  /** As {@link #withoutXattrs(byte[])}, for a stored form that begins at this word, from 0. */
  static byte[] withoutXattrs(byte[] stored, int word) {
    return StoredText.withoutFields(stored, word, XATTR);
  }

  private static void appendCommon(StringBuilder text, Entry entry) {
    Attributes attributes = entry.attributes();
    text.append(" mtime=").append(attributes.modified());
    text.append(" uid=").append(entry.uid());
    text.append(" mode=").append(Integer.toOctalString(attributes.permission()));
    text.append(" owner=").append(StoredText.escape(attributes.owner()));
    text.append(" group=").append(StoredText.escape(attributes.group()));
    attributes
        .xattrs()
        .encoded()
        .forEach(
            (name, value) ->
                text.append(' ')
                    .append(XATTR)
                    .append(StoredText.escape(name))
                    .append('=')
                    .append(value));
  }

  /**
   * Reads the stored form of the entry of a child at this path.
   *
   * @throws LayoutException if it cannot be read, naming the path and the object that holds it
   */
  public static Entry decode(FsPath path, byte[] stored) throws LayoutException {
    return decode(path, StoredText.text(stored));
  }

  /** As {@link #decode(FsPath, byte[])}, of a stored form that is text already. */
  public static Entry decode(FsPath path, String stored) throws LayoutException {
    try {
      if (stored.startsWith(FILE)) {
        return file(path, new StoredFields(stored, FILE.length()));
      }
      if (stored.startsWith(DIRECTORY)) {
        return directory(new StoredFields(stored, DIRECTORY.length()));
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw garbage(path, stored, e);
    }
    throw garbage(path, stored, null);
  }

  /** Asks for the fields in the order in which {@link #encode} writes them. */
  private static Entry.OfFile file(FsPath path, StoredFields fields) {
    long length = fields.requiredLong("length", 10);
    Attributes attributes = attributes(fields);
    Uid uid = new Uid(fields.required("uid"));
    int stripe = Math.toIntExact(fields.requiredLong("stripe", 10));
    int crc = Integer.parseUnsignedInt(fields.required("crc32c"), 16);
    FsPath origin = fields.has("origin") ? FsPath.ofKey(fields.requiredText("origin")) : path;
    boolean plainFirst = !fields.has("first");
    Optional<String> pool = fields.text("pool");
    Optional<Uid> restoredFrom = Optional.ofNullable(fields.value("data")).map(Uid::new);
    return new Entry.OfFile(
        new FileData(origin, uid, plainFirst, length, stripe, pool, restoredFrom), crc, attributes);
  }

  private static Entry.OfDirectory directory(StoredFields fields) {
    Attributes attributes = attributes(fields);
    return new Entry.OfDirectory(
        new Uid(fields.required("uid")), attributes, DataLayout.of(fields));
  }

  private static LayoutException garbage(FsPath path, String stored, Throwable cause) {
    if (path.isRoot()) {
      return StoredText.garbage("?", "?", StoredText.bytes(stored), cause);
    }
    return StoredText.garbage(
        ObjectNames.index(path.parent()),
        IndexKeys.entry(path.name()),
        StoredText.bytes(stored),
        cause);
  }

  private static Attributes attributes(StoredFields fields) {
    long modified = fields.requiredLong("mtime", 10);
    long mode = fields.requiredLong("mode", 8);
    if (mode < 0 || mode > Attributes.MAX_PERMISSION) {
      throw new IllegalArgumentException("mode " + mode);
    }
    return new Attributes(
        modified,
        (int) mode,
        fields.requiredText("owner"),
        fields.requiredText("group"),
        xattrs(fields));
  }

  private static Xattrs xattrs(StoredFields fields) {
    SortedMap<String, String> encoded = new TreeMap<>();
    fields.withPrefix(XATTR, (name, value) -> encoded.put(StoredText.unescape(name), value));
    if (encoded.isEmpty()) {
      return Xattrs.NONE;
    }
    Xattrs xattrs = new Xattrs(encoded);
    if (xattrs.bytes() > Xattrs.MAX_BYTES) {
      throw new IllegalArgumentException(xattrs.bytes() + " bytes of extended attributes");
    }
    return xattrs;
  }
}
