// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Omap entries packed into one array, in the order of their keys' UTF-8 bytes. A reader of many
 * entries holds little more than their bytes, and decodes each entry when its turn comes.
 * Immutable.
 */
public final class OmapEntries {

  public static final OmapEntries NONE = new OmapEntries(new byte[0], new int[0]);

  private final byte[] bytes;

  /** At {@code 2 * i} the end of key {@code i}, then that of its value, which follows the key. */
  private final int[] ends;

  /**
   * @param bytes the first key, its value, the second key, and so on; owned by this from now on
   * @param ends where each of them ends; likewise
   */
  public OmapEntries(byte[] bytes, int[] ends) {
    if (ends.length % 2 != 0 || bytes.length != (ends.length == 0 ? 0 : ends[ends.length - 1])) {
      throw new IllegalArgumentException(ends.length + " ends in " + bytes.length + " bytes");
    }
    this.bytes = bytes;
    this.ends = ends;
  }

  /** Packs the entries of a map, which must be ordered by the bytes of its keys. */
  public static OmapEntries of(SortedMap<String, byte[]> map) {
    byte[][] parts = new byte[2 * map.size()][];
    int[] ends = new int[parts.length];
    int end = 0;
    int i = 0;
    for (Map.Entry<String, byte[]> entry : map.entrySet()) {
      parts[i] = entry.getKey().getBytes(StandardCharsets.UTF_8);
      parts[i + 1] = entry.getValue();
      for (int k = i; k < i + 2; k++) {
        end = Math.addExact(end, parts[k].length);
        ends[k] = end;
      }
      i += 2;
    }
    byte[] bytes = new byte[end];
    for (int k = 0; k < parts.length; k++) {
      System.arraycopy(parts[k], 0, bytes, ends[k] - parts[k].length, parts[k].length);
    }
    return new OmapEntries(bytes, ends);
  }

  public int size() {
    return ends.length / 2;
  }

  public boolean isEmpty() {
    return ends.length == 0;
  }

  /** The bytes of all keys and values. */
  public long length() {
    return bytes.length;
  }

  /** Whether the text occurs in the keys and values, taken one after another. */
  public boolean contains(String text) {
    byte[] some = text.getBytes(StandardCharsets.UTF_8);
    for (int at = 0; at <= bytes.length - some.length; at++) {
      int same = 0;
      while (same < some.length && bytes[at + same] == some[same]) {
        same++;
      }
      if (same == some.length) {
        return true;
      }
    }
    return false;
  }

  /** Returns the same keys, with the changed values. */
  public OmapEntries withValues(UnaryOperator<byte[]> change) {
    byte[][] values = new byte[size()][];
    int[] newEnds = new int[ends.length];
    int end = 0;
    for (int i = 0; i < values.length; i++) {
      values[i] = change.apply(value(i));
      newEnds[2 * i] = Math.addExact(end, ends[2 * i] - start(2 * i));
      end = Math.addExact(newEnds[2 * i], values[i].length);
      newEnds[2 * i + 1] = end;
    }
    byte[] packed = new byte[end];
    for (int i = 0; i < values.length; i++) {
      int length = ends[2 * i] - start(2 * i);
      System.arraycopy(bytes, start(2 * i), packed, newEnds[2 * i] - length, length);
      System.arraycopy(values[i], 0, packed, newEnds[2 * i], values[i].length);
    }
    return new OmapEntries(packed, newEnds);
  }

  /** The key of entry {@code i}, from 0. */
  public String key(int i) {
    int start = start(2 * i);
    return new String(bytes, start, ends[2 * i] - start, StandardCharsets.UTF_8);
  }

  /** The length in bytes of the value of entry {@code i}, from 0. */
  public int valueLength(int i) {
    return ends[2 * i + 1] - ends[2 * i];
  }

  /** A copy of the value of entry {@code i}, from 0. */
  public byte[] value(int i) {
    return Arrays.copyOfRange(bytes, start(2 * i + 1), ends[2 * i + 1]);
  }

  /** The value of entry {@code i}, from 0, as text; for values that are text. */
  public String text(int i) {
    int start = start(2 * i + 1);
    return new String(bytes, start, ends[2 * i + 1] - start, StandardCharsets.UTF_8);
  }

  private int start(int part) {
    return part == 0 ? 0 : ends[part - 1];
  }

  /** Returns the entries as a new map. */
  public SortedMap<String, byte[]> toMap() {
    SortedMap<String, byte[]> map = new TreeMap<>(OmapKeyOrder.INSTANCE);
    for (int i = 0; i < size(); i++) {
      map.put(key(i), value(i));
    }
    return map;
  }
}
