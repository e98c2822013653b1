package io.radosfs.connector.store.librados;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/** Names and keys as RADOS has them: UTF-8 bytes, whatever the JVM's default charset. */
final class Utf8 {

  /** The order of the UTF-8 bytes, which is that of the code points and not that of the chars. */
  static final Comparator<String> ORDER = Utf8::compare;

  private Utf8() {}

  /**
   * The bytes of a key that crosses with its length.
   *
   * @throws IllegalArgumentException for a lone surrogate, which has no UTF-8 and would else become
   *     a question mark and collide with another name
   */
  static byte[] bytes(String text) {
    if (text.chars().noneMatch(c -> Character.isSurrogate((char) c))) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("half a surrogate pair in the name " + text, e);
    }
  }

  /**
   * The bytes of a name that crosses as a C string.
   *
   * @throws IllegalArgumentException also for a NUL, at which librados would cut the name
   */
  static byte[] cString(String text) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a NUL in the name " + text.replace('\0', '?'));
    }
    return bytes(text);
  }

  /** The bytes of an object's name: a C string that is not empty. */
  static byte[] objectName(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("an object must have a name");
    }
    return cString(name);
  }

  private static int compare(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        // Surrogates stand for code points above every other char.
        boolean high = Character.isSurrogate(x);
        return high == Character.isSurrogate(y) ? Character.compare(x, y) : high ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
  }
}
