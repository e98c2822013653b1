// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import static io.radosfs.connector.store.librados.LibRados.CMP_EQ;
import static io.radosfs.connector.store.librados.LibRados.NULL;

import io.radosfs.connector.store.WriteOp;
import java.util.List;
import java.util.SortedMap;

/** Makes a {@code rados_write_op_t} of a {@link WriteOp}, by one call for each step. */
final class WriteOpEncoder {

  private final long op;
  private final NativeArena arena;

  private WriteOpEncoder(long op, NativeArena arena) {
    this.op = op;
    this.arena = arena;
  }

  /** Adds the steps to the native operation; what they point at lives in the arena. */
  static void encode(WriteOp write, long op, NativeArena arena) {
    WriteOpEncoder encoder = new WriteOpEncoder(op, arena);
    write.steps().forEach(encoder::add);
  }

  private void add(WriteOp.Step step) {
    if (step instanceof WriteOp.AssertExists) {
      LibRados.rados_write_op_assert_exists(op);
    } else if (step instanceof WriteOp.CreateExclusive) {
      LibRados.rados_write_op_create(op, LibRados.CREATE_EXCLUSIVE, NULL);
    } else if (step instanceof WriteOp.CreateIfMissing) {
      LibRados.rados_write_op_create(op, LibRados.CREATE_IDEMPOTENT, NULL);
    } else if (step instanceof WriteOp.CompareOmap compare) {
      compareOmap(compare.key(), compare.expected());
    } else if (step instanceof WriteOp.CompareXattr compare) {
      long name = arena.copyWithNul(Utf8.cString(compare.name()));
      long value = arena.copy(compare.expected());
      LibRados.rados_write_op_cmpxattr(op, name, CMP_EQ, value, compare.expected().length);
    } else if (step instanceof WriteOp.SetOmap set) {
      setOmap(set.entries());
    } else if (step instanceof WriteOp.RemoveOmapKeys remove) {
      removeKeys(remove.keys());
    } else if (step instanceof WriteOp.SetXattr set) {
      long name = arena.copyWithNul(Utf8.cString(set.name()));
      LibRados.rados_write_op_setxattr(op, name, arena.copy(set.value()), set.value().length);
    } else if (step instanceof WriteOp.WriteFull write) {
      long data = Buffers.addressToReadFrom(write.data(), arena);
      LibRados.rados_write_op_write_full(op, data, write.data().remaining());
    } else if (step instanceof WriteOp.HintWrittenOnce hint) {
      LibRados.rados_write_op_set_alloc_hint2(
          op, hint.size(), WriteOp.HintWrittenOnce.CHECKSUM_BYTES, LibRados.HINT_WRITTEN_ONCE);
    } else if (step instanceof WriteOp.EvenIfFull) {
      return; // a flag of the operation, see PendingWrite
    } else if (step instanceof WriteOp.Remove) {
      LibRados.rados_write_op_remove(op);
    } else {
      throw new IllegalArgumentException("no librados call for " + step);
    }
  }

  private void compareOmap(String key, byte[] expected) {
    byte[] keyBytes = Utf8.bytes(key);
    LibRados.rados_write_op_omap_cmp2(
        op,
        arena.copy(keyBytes),
        CMP_EQ,
        arena.copy(expected),
        keyBytes.length,
        expected.length,
        arena.allocateZeroedLong());
  }

  private void setOmap(SortedMap<String, byte[]> entries) {
    NativeSlices keys = NativeSlices.ofKeys(arena, entries.keySet());
    NativeSlices values = new NativeSlices(arena, entries.values().toArray(byte[][]::new));
    LibRados.rados_write_op_omap_set2(
        op, keys.addresses(), values.addresses(), keys.lengths(), values.lengths(), entries.size());
  }

  private void removeKeys(List<String> names) {
    NativeSlices keys = NativeSlices.ofKeys(arena, names);
    LibRados.rados_write_op_omap_rm_keys2(op, keys.addresses(), keys.lengths(), names.size());
  }
}
