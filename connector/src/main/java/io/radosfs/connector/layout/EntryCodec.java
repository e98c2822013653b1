package io.radosfs.connector.layout;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

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
 * the default data pool has {@code pool=}. Free text is percent-encoded as in a URL's query.
 */
public final class EntryCodec {

  private static final String FILE = "file 1 ";
  private static final String DIRECTORY = "dir 1 ";

  private EntryCodec() {}

  /** The stored form of the entry of a child at this path. */
  public static byte[] encode(FsPath path, Entry entry) {
    StringBuilder text = new StringBuilder(160);
    if (entry instanceof Entry.OfFile file) {
      FileData data = file.data();
      text.append(FILE).append("length=").append(data.length());
      appendCommon(text, entry);
      text.append(" stripe=").append(data.objectSize());
      text.append(" crc32c=").append(String.format("%08x", file.crc32c()));
      if (!data.origin().equals(path)) {
        text.append(" origin=").append(escape(data.origin().key()));
      }
      if (!data.plainFirst()) {
        text.append(" first=uid");
      }
      data.pool().ifPresent(pool -> text.append(" pool=").append(escape(pool)));
    } else {
      text.append(DIRECTORY.stripTrailing());
      appendCommon(text, entry);
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void appendCommon(StringBuilder text, Entry entry) {
    Attributes attributes = entry.attributes();
    text.append(" mtime=").append(attributes.modified());
    text.append(" uid=").append(entry.uid());
    text.append(" mode=").append(Integer.toOctalString(attributes.permission()));
    text.append(" owner=").append(escape(attributes.owner()));
    text.append(" group=").append(escape(attributes.group()));
  }

  /**
   * Reads the stored form of the entry of a child at this path.
   *
   * @throws LayoutException when it is not one, naming the path and the object that holds it
   */
  public static Entry decode(FsPath path, byte[] stored) throws LayoutException {
    String text = new String(stored, StandardCharsets.UTF_8);
    try {
      if (text.startsWith(FILE)) {
        Map<String, String> fields = fields(text, FILE.length());
        FileData data =
            new FileData(
                fields.containsKey("origin") ? new FsPath(unescape(fields.get("origin"))) : path,
                new Uid(required(fields, "uid")),
                !fields.containsKey("first"),
                Long.parseLong(required(fields, "length")),
                Integer.parseInt(required(fields, "stripe")),
                Optional.ofNullable(fields.get("pool")).map(EntryCodec::unescape));
        int crc = Integer.parseUnsignedInt(required(fields, "crc32c"), 16);
        return new Entry.OfFile(data, crc, attributes(fields));
      }
      if (text.startsWith(DIRECTORY)) {
        Map<String, String> fields = fields(text, DIRECTORY.length());
        return new Entry.OfDirectory(new Uid(required(fields, "uid")), attributes(fields));
      }
    } catch (IllegalArgumentException e) {
      throw garbage(path, text, e);
    }
    throw garbage(path, text, null);
  }

  private static LayoutException garbage(FsPath path, String text, Throwable cause) {
    String shown = text.length() > 200 ? text.substring(0, 200) + "…" : text;
    String where =
        path.isRoot()
            ? "the root directory"
            : "key '"
                + IndexKeys.entry(path.name())
                + "' of object '"
                + ObjectNames.index(path.parent())
                + "'";
    return new LayoutException(
        "cannot read the index entry of "
            + path
            + ", "
            + where
            + ": '"
            + shown
            + "'. It was written by a newer radosfs, or damaged; nothing was changed."
            + " 'rados getomapval' shows it whole",
        cause);
  }

  private static Map<String, String> fields(String text, int from) {
    Map<String, String> fields = new HashMap<>();
    int at = from;
    while (at < text.length()) {
      int end = text.indexOf(' ', at);
      end = end < 0 ? text.length() : end;
      int equals = text.indexOf('=', at);
      if (equals < 0 || equals > end) {
        throw new IllegalArgumentException("no '=' in '" + text.substring(at, end) + "'");
      }
      fields.put(text.substring(at, equals), text.substring(equals + 1, end));
      at = end + 1;
    }
    return fields;
  }

  private static Attributes attributes(Map<String, String> fields) {
    return new Attributes(
        Long.parseLong(required(fields, "mtime")),
        Integer.parseInt(required(fields, "mode"), 8),
        unescape(required(fields, "owner")),
        unescape(required(fields, "group")));
  }

  private static String required(Map<String, String> fields, String name) {
    String value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no " + name);
    }
    return value;
  }

  private static String escape(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String unescape(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
