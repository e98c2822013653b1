// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.simulation;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/**
 * The order of strings by their UTF-8 bytes, which is the order of their code points. {@link
 * String#compareTo} orders by UTF-16 units and puts supplementary characters before U+E000.
 */
public final class Utf8Order implements Comparator<String> {

  public static final Comparator<String> COMPARATOR = new Utf8Order();

  private Utf8Order() {}

  @Override
  public int compare(String a, String b) {
    int shorter = Math.min(a.length(), b.length());
    for (int i = 0; i < shorter; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        boolean surrogateX = Character.isSurrogate(x);
        boolean surrogateY = Character.isSurrogate(y);
        if (surrogateX != surrogateY) {
          return surrogateX ? 1 : -1; // beyond U+FFFF, so above every other char
        }
        return Character.compare(x, y);
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  /** The string's UTF-8 length; names and keys that UTF-8 cannot hold are programming errors. */
  static int length(String s) {
    int ascii = 0;
    while (ascii < s.length() && s.charAt(ascii) < 0x80) {
      ascii++;
    }
    if (ascii == s.length()) {
      return ascii;
    }
    try {
      ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(s));
      return bytes.remaining();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("not encodable as UTF-8: " + s, e);
    }
  }
}
