// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.WriteOp;

/** A compound write under way ({@code rados_aio_write_op_operate}). */
final class PendingWrite extends PendingOp<Void> {

  /** Also keeps the direct buffers of its steps reachable. */
  private final WriteOp write;

  private long op;

  PendingWrite(String object, WriteOp write, StoreExceptions exceptions, Owner owner) {
    super(object, exceptions, owner);
    this.write = write;
  }

  @Override
  void encode(NativeArena arena) {
    op = LibRados.rados_create_write_op();
    WriteOpEncoder.encode(write, op, arena);
  }

  @Override
  int operate(long io, long completion, long object) {
    return LibRados.rados_aio_write_op_operate(
        op,
        io,
        completion,
        object,
        LibRados.NULL,
        write.isEvenIfFull() ? LibRados.FULL_TRY | LibRados.FULL_FORCE : LibRados.FULL_TRY);
  }

  @Override
  Void result() {
    return null;
  }

  @Override
  StoreException failure(int returnValue) {
    return exceptions().write(returnValue, object(), text());
  }

  @Override
  StoreException poolGone() {
    return exceptions().poolGone(object(), text(), true);
  }

  @Override
  StoreException givenUp(String why) {
    return exceptions().outcomeUnknown(object(), text(), why);
  }

  @Override
  String text() {
    return OpText.of(write);
  }

  @Override
  void release() {
    if (op != LibRados.NULL) {
      LibRados.rados_release_write_op(op);
      op = LibRados.NULL;
    }
  }
}
