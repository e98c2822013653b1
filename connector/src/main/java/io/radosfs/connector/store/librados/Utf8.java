// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

/** Names and keys as RADOS has them: UTF-8 bytes, whatever the JVM's default charset. */
final class Utf8 {

  private Utf8() {}

  /**
   * The bytes of a key, which librados takes with its length.
   *
   * @throws IllegalArgumentException for a lone surrogate, which has no UTF-8; it would become a
   *     question mark and collide with another name
   */
  static byte[] bytes(String text) {
    if (!hasSurrogates(text)) {
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

  /** Called for each key of an operation that may have thousands. */
  private static boolean hasSurrogates(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  /**
   * The bytes of a name, which librados takes as a C string.
   *
   * @throws IllegalArgumentException also for a NUL, at which librados would cut the name
   */
  static byte[] cString(String text) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a NUL in the name " + text.replace('\0', '?'));
    }
    return bytes(text);
  }

  /** Of names with a NUL after each; empty ones are left out. */
  static Set<String> names(byte[] text) {
    Set<String> names = new TreeSet<>();
    for (String name : new String(text, StandardCharsets.UTF_8).split("\0")) {
      if (!name.isEmpty()) {
        names.add(name);
      }
    }
    return names;
  }

  /** The bytes of an object's name: a C string that is not empty. */
  static byte[] objectName(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("an object must have a name");
    }
    return cString(name);
  }
}
