package io.radosfs.connector.layout;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The text form that all stored values share: words and {@code name=value} fields, separated by
 * single spaces, free text percent-encoded as in a URL's query.
 */
final class StoredText {

  private StoredText() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] stored) {
    return new String(stored, StandardCharsets.UTF_8);
  }

  static String escape(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  static String unescape(String text) {
    return text.indexOf('%') < 0 && text.indexOf('+') < 0
        ? text
        : URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /**
   * The fields of a text from an offset on.
   *
   * @throws IllegalArgumentException when a word is not a field
   */
  static Map<String, String> fields(String text, int from) {
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

  /**
   * The value of a field.
   *
   * @throws IllegalArgumentException when there is none
   */
  static String required(Map<String, String> fields, String name) {
    String value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no " + name);
    }
    return value;
  }

  /** What is thrown for a value that cannot be read. */
  static LayoutException garbage(String object, String key, byte[] stored, Throwable cause) {
    String text = text(stored);
    String shown = text.length() > 200 ? text.substring(0, 200) + "…" : text;
    return new LayoutException(
        "cannot read omap key '"
            + key
            + "' of RADOS object '"
            + object
            + "': '"
            + shown
            + "'. It was written by a newer radosfs, or damaged; nothing was changed."
            + " 'rados getomapval' shows it whole",
        cause);
  }
}
