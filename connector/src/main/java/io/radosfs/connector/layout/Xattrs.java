// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Extended attributes of a file or directory: names and their bytes. Equal if the bytes are.
 *
 * <p>All of them are in the child's entry, which every look-up and listing reads. Together they
 * have at most {@value #MAX_BYTES} bytes, names included.
 *
 * <p>A listing may leave them out, as those of a large directory are large. Then only their size is
 * known, and asking for more is a programming error. So the result of a listing is never written
 * back without them.
 *
 * @param encoded values in Base64 (RFC 4648, for URLs, not padded), by name
 * @param leftOut bytes that they take where they are stored, if they are left out here; otherwise 0
 */
public record Xattrs(SortedMap<String, String> encoded, long leftOut) {

  public static final int MAX_BYTES = 16 << 10;

  public static final Xattrs NONE = new Xattrs(new TreeMap<>());

  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  /**
   * @throws IllegalArgumentException if a value is not in Base64
   */
  public Xattrs {
    encoded = Collections.unmodifiableSortedMap(new TreeMap<>(encoded));
    encoded.values().forEach(Xattrs::decode);
  }

  public Xattrs(SortedMap<String, String> encoded) {
    this(encoded, 0);
  }

  /** Those that a listing has left out: only their number of stored bytes is known. */
  public static Xattrs leftOut(long bytes) {
    return new Xattrs(new TreeMap<>(), bytes);
  }

  /**
   * Values in Base64, by name.
   *
   * @throws IllegalStateException if they are left out; so do all methods that need them
   */
  @Override
  public SortedMap<String, String> encoded() {
    if (leftOut > 0) {
      throw new IllegalStateException(
          leftOut + " bytes of extended attributes were left out of a listing: look the name up");
    }
    return encoded;
  }

  /** The names, sorted. */
  public List<String> names() {
    return new ArrayList<>(encoded().keySet());
  }

  /** The bytes of an attribute; empty if there is none of that name. */
  public Optional<byte[]> value(String name) {
    return Optional.ofNullable(encoded().get(name)).map(Xattrs::decode);
  }

  /** Bytes of all names, in UTF-8, and values. */
  public int bytes() {
    int bytes = 0;
    for (var xattr : encoded().entrySet()) {
      bytes += StoredText.bytes(xattr.getKey()).length + decode(xattr.getValue()).length;
    }
    return bytes;
  }

  /** The most bytes of their stored fields, with {@code fixed} bytes each beside name and value. */
  long mostBytes(int fixed) {
    long bytes = leftOut;
    for (var xattr : encoded.entrySet()) {
      bytes += fixed + StoredText.mostBytes(xattr.getKey()) + xattr.getValue().length();
    }
    return bytes;
  }

  public Xattrs with(String name, byte[] value) {
    SortedMap<String, String> changed = new TreeMap<>(encoded());
    changed.put(name, ENCODER.encodeToString(value));
    return new Xattrs(changed);
  }

  public Xattrs without(String name) {
    SortedMap<String, String> changed = new TreeMap<>(encoded());
    changed.remove(name);
    return new Xattrs(changed);
  }

  private static byte[] decode(String value) {
    return Base64.getUrlDecoder().decode(value);
  }
}
