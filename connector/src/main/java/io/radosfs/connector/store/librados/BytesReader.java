// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import io.radosfs.connector.store.ReadResult;
import java.nio.ByteBuffer;

/** A step that returns a number of bytes: of a piece of the object's data, or of all of it. */
final class BytesReader implements StepReader {

  /** librados has written the bytes into the caller's buffer: nothing is left to do. */
  private static final Runnable IN_PLACE = () -> {};

  private final NativeArena arena;
  private final long count;
  private final long prval;
  private Runnable deliver = IN_PLACE;

  private BytesReader(NativeArena arena) {
    this.arena = arena;
    this.count = arena.allocateZeroedLong();
    this.prval = arena.allocateZeroedLong();
  }

  /** {@code rados_read_op_stat}. */
  static BytesReader size(long op, NativeArena arena) {
    BytesReader reader = new BytesReader(arena);
    LibRados.rados_read_op_stat(op, reader.count, LibRados.NULL, reader.prval);
    return reader;
  }

  /**
   * {@code rados_read_op_read}. To an OSD, a length of 0 means the whole object, so a read into an
   * empty buffer only asserts that the object exists ({@code rados_read_op_assert_exists}).
   *
   * @param inPlace whether librados may write into a direct buffer itself, until it calls back
   */
  static BytesReader data(
      long op, NativeArena arena, long offset, ByteBuffer into, boolean inPlace) {
    BytesReader reader = new BytesReader(arena);
    int room = into.remaining();
    if (room == 0) {
      LibRados.rados_read_op_assert_exists(op);
    } else if (into.isDirect() && inPlace) {
      read(op, offset, room, Buffers.address(into), reader);
    } else {
      long copy = arena.allocate(room);
      read(op, offset, room, copy, reader);
      reader.deliver = () -> arena.copyOut(copy, into, (int) arena.getLong(reader.count));
    }
    return reader;
  }

  private static void read(long op, long offset, int length, long buffer, BytesReader reader) {
    LibRados.rados_read_op_read(op, offset, length, buffer, reader.count, reader.prval);
  }

  @Override
  public int returnValue() {
    return arena.getInt(prval);
  }

  @Override
  public ReadResult.StepResult result() {
    deliver.run();
    return new ReadResult.Bytes(arena.getLong(count));
  }
}
