// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import io.radosfs.connector.store.ReadOp;
import java.util.List;

/** Makes a {@code rados_read_op_t} of a {@link ReadOp}, by one call for each step. */
final class ReadOpEncoder {

  private ReadOpEncoder() {}

  /**
   * Adds the steps to the native operation; what they point at lives in the arena.
   *
   * @param inPlace whether librados may write into the direct buffers of the steps
   * @param readers gets each step's reader, to be released once librados is done with the operation
   */
  static void encode(
      ReadOp read, boolean inPlace, long op, NativeArena arena, List<StepReader> readers) {
    for (ReadOp.Step step : read.steps()) {
      readers.add(add(step, inPlace, op, arena));
    }
  }

  private static StepReader add(ReadOp.Step step, boolean inPlace, long op, NativeArena arena) {
    if (step instanceof ReadOp.CompareXattr compare) {
      long name = arena.copyWithNul(Utf8.cString(compare.name()));
      long value = arena.copy(compare.expected());
      LibRados.rados_read_op_cmpxattr(op, name, LibRados.CMP_EQ, value, compare.expected().length);
      return new GuardReader();
    }
    if (step instanceof ReadOp.OmapByKeys byKeys) {
      return OmapReader.byKeys(op, arena, byKeys);
    }
    if (step instanceof ReadOp.OmapRange range) {
      return OmapReader.range(op, arena, range);
    }
    if (step instanceof ReadOp.Data data) {
      return BytesReader.data(op, arena, data.offset(), data.into(), inPlace);
    }
    if (step instanceof ReadOp.Size) {
      return BytesReader.size(op, arena);
    }
    if (step instanceof ReadOp.Crc32c) {
      return new ChecksumReader(op, arena);
    }
    if (step instanceof ReadOp.Xattr xattr) {
      return new XattrReader(op, arena, xattr.name());
    }
    throw new IllegalArgumentException("no librados call for " + step);
  }
}
