package io.radosfs.connector.store.librados;

import com.sun.jna.Pointer;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;

/** A step that answers omap entries, through a {@code rados_omap_iter_t}. */
final class OmapReader implements StepReader {

  private static final byte[] EMPTY = new byte[0];

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
   * {@code rados_read_op_omap_get_vals2}. The OSD seeks to the later of the prefix and the key to
   * start after, and stops at the first key without the prefix: other keys cost nothing.
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
    SortedMap<String, byte[]> entries = new TreeMap<>(Utf8.ORDER);
    long key = arena.allocate(4 * Long.BYTES);
    long value = key + Long.BYTES;
    long keyLength = value + Long.BYTES;
    long valueLength = keyLength + Long.BYTES;
    int size = LibRados.rados_omap_iter_size(iterator);
    for (int i = 0; i < size; i++) {
      LibRados.rados_omap_get_next2(iterator, key, value, keyLength, valueLength);
      byte[] name = bytes(arena.getLong(key), arena.getLong(keyLength));
      entries.put(
          new String(name, StandardCharsets.UTF_8),
          bytes(arena.getLong(value), arena.getLong(valueLength)));
    }
    return new ReadResult.Omap(entries, arena.getByte(moreOut) != 0);
  }

  private static byte[] bytes(long address, long length) {
    return length == 0 ? EMPTY : new Pointer(address).getByteArray(0, Math.toIntExact(length));
  }

  @Override
  public void release() {
    long iterator = arena.getLong(iteratorOut);
    if (iterator != LibRados.NULL) {
      LibRados.rados_omap_get_end(iterator);
    }
  }
}
