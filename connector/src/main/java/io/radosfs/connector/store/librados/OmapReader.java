// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.sun.jna.Pointer;
import io.radosfs.connector.store.OmapEntries;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;

/** A step that returns omap entries, through a {@code rados_omap_iter_t}. */
final class OmapReader implements StepReader {

  private final NativeArena arena;
  private final long iteratorOut;
  private final long moreOut;
  private final long prval;

  private OmapReader(NativeArena arena) {
    this.arena = arena;
    this.iteratorOut = arena.allocateZeroedLong();
    this.moreOut = arena.allocateZeroedLong();
    this.prval = arena.allocateZeroedLong();
  }

  /** {@code rados_read_op_omap_get_vals_by_keys2}. */
  static OmapReader byKeys(long op, NativeArena arena, ReadOp.OmapByKeys step) {
    OmapReader reader = new OmapReader(arena);
    NativeSlices keys = NativeSlices.ofKeys(arena, step.keys());
    LibRados.rados_read_op_omap_get_vals_by_keys2(
        op, keys.addresses(), step.keys().size(), keys.lengths(), reader.iteratorOut, reader.prval);
    return reader;
  }

  /**
   * {@code rados_read_op_omap_get_vals2}. The OSD seeks to the later of prefix and {@code
   * startAfter}, and stops at the first key without the prefix: other keys cost nothing.
   */
  static OmapReader range(long op, NativeArena arena, ReadOp.OmapRange step) {
    OmapReader reader = new OmapReader(arena);
    long startAfter = arena.copyWithNul(Utf8.cString(step.startAfter()));
    long prefix = arena.copyWithNul(Utf8.cString(step.prefix()));
    LibRados.rados_read_op_omap_get_vals2(
        op, startAfter, prefix, step.max(), reader.iteratorOut, reader.moreOut, reader.prval);
    return reader;
  }

  @Override
  public int returnValue() {
    return arena.getInt(prval);
  }

  /** {@code rados_omap_get_next2} for each entry: keys and values may hold any byte. */
  @Override
  public ReadResult.StepResult result() {
    long iterator = arena.getLong(iteratorOut);
    long key = arena.allocate(4 * Long.BYTES);
    long value = key + Long.BYTES;
    long keyLength = value + Long.BYTES;
    long valueLength = keyLength + Long.BYTES;
    int parts = 2 * LibRados.rados_omap_iter_size(iterator);
    long[] addresses = new long[parts];
    int[] ends = new int[parts];
    long end = 0;
    for (int i = 0; i < parts; i += 2) {
      LibRados.rados_omap_get_next2(iterator, key, value, keyLength, valueLength);
      addresses[i] = arena.getLong(key);
      end += arena.getLong(keyLength);
      ends[i] = Math.toIntExact(end);
      addresses[i + 1] = arena.getLong(value);
      end += arena.getLong(valueLength);
      ends[i + 1] = Math.toIntExact(end);
    }
    byte[] bytes = new byte[(int) end];
    int start = 0;
    for (int i = 0; i < parts; i++) {
      if (ends[i] > start) {
        new Pointer(addresses[i]).read(0, bytes, start, ends[i] - start);
      }
      start = ends[i];
    }
    return new ReadResult.Omap(new OmapEntries(bytes, ends), arena.getByte(moreOut) != 0);
  }

  @Override
  public void release() {
    long iterator = arena.getLong(iteratorOut);
    if (iterator != LibRados.NULL) {
      LibRados.rados_omap_get_end(iterator);
    }
  }
}
