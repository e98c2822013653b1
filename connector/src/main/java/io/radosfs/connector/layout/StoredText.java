// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The text form that all stored values share: words and {@code name=value} fields, separated by
 * single spaces. Free text is percent-encoded as in a URL's query.
 */
public final class StoredText {

  private StoredText() {}

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] stored) {
    return new String(stored, StandardCharsets.UTF_8);
  }

  public static String escape(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** An upper bound of the bytes that free text takes in stored form. */
  static long mostBytes(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean plain = c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.';
      // Percent-encoded, each byte of UTF-8 takes three bytes.
      bytes += plain || c >= 'A' && c <= 'Z' ? 1 : c < 0x80 ? 3 : c < 0x800 ? 6 : 9;
    }
    return bytes;
  }

  /**
   * Returns a stored text without the fields with the prefix; the same array if there are none.
   *
   * @param word the number, from 0, of the word after which such fields may follow
   */
  static byte[] withoutFields(byte[] stored, int word, String prefix) {
    byte[] begin = bytes(" " + prefix);
    byte[] kept = new byte[stored.length];
    int length = 0;
    int number = 0;
    int at = 0;
    while (at < stored.length) {
      int end = at + 1;
      while (end < stored.length && stored[end] != ' ') {
        end++;
      }
      boolean isField =
          number > word
              && end - at >= begin.length
              && Arrays.equals(stored, at, at + begin.length, begin, 0, begin.length);
      if (!isField) {
        System.arraycopy(stored, at, kept, length, end - at);
        length += end - at;
      }
      number++;
      at = end;
    }
    return length == stored.length ? stored : Arrays.copyOf(kept, length);
  }

  public static String unescape(String text) {
    return text.indexOf('%') < 0 && text.indexOf('+') < 0
        ? text
        : URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** The part of a stored text that an error shows. */
  public static String shown(String text) {
    return text.length() > 200 ? text.substring(0, 200) + "…" : text;
  }

  /** The exception for a value that cannot be read. */
  static LayoutException garbage(String object, String key, byte[] stored, Throwable cause) {
    return new LayoutException(
        "cannot read omap key '"
            + key
            + "' of RADOS object '"
            + object
            + "': '"
            + shown(text(stored))
            + "'. It was written by a newer radosfs, or damaged; nothing was changed."
            + " 'rados getomapval' shows it whole",
        cause);
  }
}
