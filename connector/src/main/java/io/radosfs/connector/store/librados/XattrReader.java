// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.sun.jna.Pointer;
import io.radosfs.connector.store.ReadResult;
import java.util.Optional;

/**
 * A step that returns one xattr. The C interface has no {@code getxattr} for compound reads, so the
 * step fetches all ({@code rados_read_op_getxattrs}) and picks one.
 */
final class XattrReader implements StepReader {

  private final NativeArena arena;
  private final String name;
  private final long iteratorOut;
  private final long prval;

  XattrReader(long op, NativeArena arena, String name) {
    this.arena = arena;
    this.name = name;
    this.iteratorOut = arena.allocateZeroedLong();
    this.prval = arena.allocateZeroedLong();
    LibRados.rados_read_op_getxattrs(op, iteratorOut, prval);
  }

  @Override
  public int returnValue() {
    return arena.getInt(prval);
  }

  /** {@code rados_getxattrs_next}, which ends with a name that is null. */
  @Override
  public ReadResult.StepResult result() {
    long iterator = arena.getLong(iteratorOut);
    long nameOut = arena.allocate(3 * Long.BYTES);
    long valueOut = nameOut + Long.BYTES;
    long lengthOut = valueOut + Long.BYTES;
    while (LibRados.rados_getxattrs_next(iterator, nameOut, valueOut, lengthOut) == 0
        && arena.getLong(nameOut) != LibRados.NULL) {
      if (new Pointer(arena.getLong(nameOut)).getString(0, "UTF-8").equals(name)) {
        int length = Math.toIntExact(arena.getLong(lengthOut));
        byte[] value =
            length == 0
                ? new byte[0]
                : new Pointer(arena.getLong(valueOut)).getByteArray(0, length);
        return new ReadResult.XattrValue(Optional.of(value));
      }
    }
    return new ReadResult.XattrValue(Optional.empty());
  }

  @Override
  public void release() {
    long iterator = arena.getLong(iteratorOut);
    if (iterator != LibRados.NULL) {
      LibRados.rados_getxattrs_end(iterator);
    }
  }
}
