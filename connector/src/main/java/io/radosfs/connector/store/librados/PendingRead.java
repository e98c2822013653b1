// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.ReadResult;
import io.radosfs.connector.store.StoreException;
import java.util.ArrayList;
import java.util.List;

/** A compound read under way ({@code rados_aio_read_op_operate}). */
final class PendingRead extends PendingOp<ReadResult> {

  /** Also keeps the direct buffers of its steps reachable. */
  private final ReadOp read;

  private final boolean inPlace;
  private final List<StepReader> readers = new ArrayList<>();
  private long op;

  /**
   * @param inPlace whether librados may write into the direct buffers of the steps until it calls
   *     back; otherwise only {@link #result} fills them, and never after {@link #abandon}
   */
  PendingRead(
      String object, ReadOp read, boolean inPlace, StoreExceptions exceptions, Owner owner) {
    super(object, exceptions, owner);
    this.read = read;
    this.inPlace = inPlace;
  }

  @Override
  void encode(NativeArena arena) {
    op = LibRados.rados_create_read_op();
    ReadOpEncoder.encode(read, inPlace, op, arena, readers);
  }

  @Override
  int operate(long io, long completion, long object) {
    return LibRados.rados_aio_read_op_operate(op, io, completion, object, flags());
  }

  private int flags() {
    int order = read.afterWrites() ? LibRados.ORDER_READS_WRITES : LibRados.NO_FLAG;
    return switch (read.from()) {
      case PRIMARY -> order;
      case BALANCED -> order | LibRados.BALANCE_READS;
      case NEAREST -> order | LibRados.LOCALIZE_READS;
    };
  }

  /**
   * The operation's return value is that of its first failing step. If librados itself could not
   * use an answer (too long, or garbled), the error is in the step's own return value.
   */
  @Override
  ReadResult result() throws StoreException {
    List<ReadResult.StepResult> results = new ArrayList<>(readers.size());
    for (StepReader reader : readers) {
      if (reader.returnValue() < 0) {
        throw failure(reader.returnValue());
      }
      results.add(reader.result());
    }
    return new ReadResult(results);
  }

  @Override
  StoreException failure(int returnValue) {
    return exceptions().read(returnValue, object(), text());
  }

  @Override
  StoreException poolGone() {
    return exceptions().poolGone(object(), text(), false);
  }

  @Override
  StoreException givenUp(String why) {
    return exceptions().timedOut(object(), text(), why);
  }

  /** On a blocklisted connection, no answer would have been another one. */
  @Override
  StoreException dropped(boolean cutOff) {
    return cutOff ? exceptions().droppedByCutOff(object(), text()) : super.dropped(false);
  }

  @Override
  String text() {
    return OpText.of(read);
  }

  /** Releases the operation first, as librados' handlers in it refer to the iterators. */
  @Override
  void release() {
    if (op != LibRados.NULL) {
      LibRados.rados_release_read_op(op);
      op = LibRados.NULL;
      readers.forEach(StepReader::release);
    }
  }
}
