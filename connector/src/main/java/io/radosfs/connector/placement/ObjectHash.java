// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.placement;

import java.nio.charset.StandardCharsets;

/**
 * The placement group of an object within its pool, as every Ceph client computes it. It is Robert
 * Jenkins' hash of the name (of 1996, "lookup2"; Ceph's {@code rjenkins}, for many years the only
 * hash of new pools), reduced to as many bits as the number of groups needs (Ceph's "stable mod").
 * The name is the namespace, the character 0x1f and the object's name; or only the object's name in
 * the default namespace.
 */
public final class ObjectHash {

  private static final int GOLDEN_RATIO = 0x9e3779b9;
  private static final char SEPARATOR = '\u001f';

  private ObjectHash() {}

  /** Returns the number of the placement group, given the number of groups. */
  public static int placementGroup(String namespace, String object, int groups) {
    String name = namespace.isEmpty() ? object : namespace + SEPARATOR + object;
    int hash = hash(name.getBytes(StandardCharsets.UTF_8));
    int mask = groups <= 1 ? 0 : (Integer.highestOneBit(groups - 1) << 1) - 1;
    int group = hash & mask;
    return group < groups ? group : hash & (mask >>> 1);
  }

  /** The hash of some bytes: three words, into which twelve bytes at a time are mixed. */
  static int hash(byte[] bytes) {
    int[] words = {GOLDEN_RATIO, GOLDEN_RATIO, 0};
    int at = 0;
    for (; bytes.length - at >= 12; at += 12) {
      for (int i = 0; i < 12; i++) {
        words[i / 4] += (bytes[at + i] & 0xff) << (8 * (i % 4));
      }
      mix(words);
    }
    // The lowest byte of the last word is for the length.
    words[2] += bytes.length;
    for (int i = 0; at + i < bytes.length; i++) {
      int place = i < 8 ? i : i + 1;
      words[place / 4] += (bytes[at + i] & 0xff) << (8 * (place % 4));
    }
    mix(words);
    return words[2];
  }

  private static void mix(int[] words) {
    int a = words[0];
    int b = words[1];
    int c = words[2];
    a = (a - b - c) ^ (c >>> 13);
    b = (b - c - a) ^ (a << 8);
    c = (c - a - b) ^ (b >>> 13);
    a = (a - b - c) ^ (c >>> 12);
    b = (b - c - a) ^ (a << 16);
    c = (c - a - b) ^ (b >>> 5);
    a = (a - b - c) ^ (c >>> 3);
    b = (b - c - a) ^ (a << 10);
    c = (c - a - b) ^ (b >>> 15);
    words[0] = a;
    words[1] = b;
    words[2] = c;
  }
}
