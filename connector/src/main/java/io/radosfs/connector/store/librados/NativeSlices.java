// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import java.util.Collection;

/**
 * Several byte strings in the form that librados takes: an array of addresses, an array of lengths,
 * then the bytes, in one piece of an arena.
 */
final class NativeSlices {

  private final long addresses;
  private final long lengths;

  NativeSlices(NativeArena arena, byte[][] slices) {
    int arrayBytes = Math.multiplyExact(slices.length, Long.BYTES);
    int size = Math.multiplyExact(2, arrayBytes);
    for (byte[] slice : slices) {
      size = Math.addExact(size, slice.length);
    }
    addresses = arena.allocate(size);
    lengths = addresses + arrayBytes;
    long next = lengths + arrayBytes;
    for (int i = 0; i < slices.length; i++) {
      long offset = (long) i * Long.BYTES;
      arena.putLong(addresses + offset, next);
      arena.putLong(lengths + offset, slices[i].length);
      if (slices[i].length > 0) {
        arena.put(next, slices[i]);
      }
      next += slices[i].length;
    }
  }

  static NativeSlices ofKeys(NativeArena arena, Collection<String> keys) {
    return new NativeSlices(arena, keys.stream().map(Utf8::bytes).toArray(byte[][]::new));
  }

  /** {@code char const* const*}. */
  long addresses() {
    return addresses;
  }

  /** {@code size_t const*}. */
  long lengths() {
    return lengths;
  }
}
