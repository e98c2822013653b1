// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The {@code name=value} fields of a stored text ({@link StoredText}). A listing reads a dozen in
 * each entry, so nothing is made of those that nobody asks for. They are found fastest in their
 * order.
 */
final class StoredFields {

  private final String text;

  /** For each field: where it begins, where its value begins, and where it ends. */
  private int[] bounds = new int[3 * 12];

  private int count;
  private int next;

  /**
   * @param from where the first field begins
   * @throws IllegalArgumentException if a word is not a field
   */
  StoredFields(String text, int from) {
    this.text = text;
    int at = from;
    while (at < text.length()) {
      int end = text.indexOf(' ', at);
      end = end < 0 ? text.length() : end;
      int equals = text.indexOf('=', at);
      if (equals < 0 || equals > end) {
        throw new IllegalArgumentException("no '=' in '" + text.substring(at, end) + "'");
      }
      if (3 * count == bounds.length) {
        bounds = Arrays.copyOf(bounds, 2 * bounds.length);
      }
      bounds[3 * count] = at;
      bounds[3 * count + 1] = equals + 1;
      bounds[3 * count + 2] = end;
      count++;
      at = end + 1;
    }
  }

  boolean has(String name) {
    return find(name) >= 0;
  }

  /** The value of a field; null if there is none. */
  String value(String name) {
    int field = find(name);
    return field < 0 ? null : text.substring(bounds[3 * field + 1], bounds[3 * field + 2]);
  }

  /** The value of a field of free text; empty if there is none. */
  Optional<String> text(String name) {
    return Optional.ofNullable(value(name)).map(StoredText::unescape);
  }

  /**
   * The value of a field.
   *
   * @throws IllegalArgumentException if there is none
   */
  String required(String name) {
    int field = require(name);
    return text.substring(bounds[3 * field + 1], bounds[3 * field + 2]);
  }

  /**
   * The value of a field of free text.
   *
   * @throws IllegalArgumentException if there is none
   */
  String requiredText(String name) {
    return StoredText.unescape(required(name));
  }

  /**
   * The value of a field that is a number.
   *
   * @throws IllegalArgumentException if there is none, or it is not a number
   */
  long requiredLong(String name, int radix) {
    int field = require(name);
    return Long.parseLong(text, bounds[3 * field + 1], bounds[3 * field + 2], radix);
  }

  private int require(String name) {
    int field = find(name);
    if (field < 0) {
      throw new IllegalArgumentException("no " + name);
    }
    return field;
  }

  /** Passes each field whose name has the prefix to the reader, without the prefix. */
  void withPrefix(String prefix, BiConsumer<String, String> reader) {
    for (int i = 0; i < count; i++) {
      if (text.startsWith(prefix, bounds[3 * i])) {
        reader.accept(
            text.substring(bounds[3 * i] + prefix.length(), bounds[3 * i + 1] - 1),
            text.substring(bounds[3 * i + 1], bounds[3 * i + 2]));
      }
    }
  }

  /** The number of a field; -1 if there is none. */
  private int find(String name) {
    for (int i = 0; i < count; i++) {
      int field = next + i < count ? next + i : next + i - count;
      if (bounds[3 * field + 1] - 1 - bounds[3 * field] == name.length()
          && text.startsWith(name, bounds[3 * field])) {
        next = field + 1 < count ? field + 1 : 0;
        return field;
      }
    }
    return -1;
  }
}
