// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.ceiling;

import com.sun.jna.Callback;
import com.sun.jna.CallbackReference;
import com.sun.jna.CallbackThreadInitializer;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import io.radosfs.workbench.PoolName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Objects of a cluster by librados' C interface ({@code rados_aio_write}, {@code rados_aio_read}),
 * on a connection of their own.
 *
 * <p>Native memory is released once: a completion when its operation has ended or has not begun,
 * and the connection at the end. Buffers are Java's, and those of operations under way are
 * reachable from here. librados gives each operation up after a minute, so that each does end.
 */
public final class LibradosObjects implements AsyncObjects, AutoCloseable {

  /** {@code void (*rados_callback_t)(rados_completion_t cb, void *arg)}. */
  private interface OperationEnded extends Callback {
    void callback(long completion, long slot);
  }

  /** An operation that librados has: its buffer must stay where it is. */
  private record UnderWay(long completion, ByteBuffer buffer) {}

  /** {@code rados_aio_write} and {@code rados_aio_read}, which take the same. */
  private interface Operation {
    int begin(long io, String object, long completion, long buffer, long length, long offset);
  }

  private final BlockingQueue<Integer> ended = new LinkedBlockingQueue<>();
  private final Map<Integer, UnderWay> underWay = new LinkedHashMap<>();

  /** A field, as the C function lives only as long as this object. */
  private final OperationEnded callback = (completion, slot) -> ended.add((int) slot);

  private final long function;
  private final Memory out = new Memory(Long.BYTES);
  private final LibradosConnection connection;

  /**
   * Connects as the cluster's admin.
   *
   * @throws IOException with librados' error number
   */
  public LibradosObjects(Path cephConf, PoolName pool) throws IOException {
    Native.setCallbackThreadInitializer(
        callback, new CallbackThreadInitializer(true, false, "ceiling-librados"));
    function = Pointer.nativeValue(CallbackReference.getFunctionPointer(callback));
    connection = new LibradosConnection(cephConf, pool);
  }

  private long outAddress() {
    out.setLong(0, 0);
    return Pointer.nativeValue(out);
  }

  @Override
  public int write(int slot, String object, ByteBuffer from) {
    return begin(slot, object, from, LibradosFunctions::rados_aio_write);
  }

  @Override
  public int read(int slot, String object, ByteBuffer into) {
    return begin(slot, object, into, LibradosFunctions::rados_aio_read);
  }

  private int begin(int slot, String object, ByteBuffer buffer, Operation operation) {
    if (underWay.containsKey(slot)) {
      throw new IllegalStateException("slot " + slot + " has an operation already");
    }
    int made = LibradosFunctions.rados_aio_create_completion2(slot, function, outAddress());
    if (made < 0) {
      return made;
    }
    long completion = out.getLong(0);
    long address = Pointer.nativeValue(Native.getDirectBufferPointer(buffer));
    underWay.put(slot, new UnderWay(completion, buffer));
    int begun = operation.begin(connection.io(), object, completion, address, buffer.capacity(), 0);
    if (begun < 0) {
      // librados does not call back for it.
      LibradosFunctions.rados_aio_release(underWay.remove(slot).completion());
    }
    return begun;
  }

  @Override
  public Ended awaitAny() {
    if (underWay.isEmpty()) {
      throw new IllegalStateException("no operation is under way");
    }
    int slot = takeEnded();
    long completion = underWay.remove(slot).completion();
    int result = LibradosFunctions.rados_aio_get_return_value(completion);
    LibradosFunctions.rados_aio_release(completion);
    return new Ended(slot, result);
  }

  /** An interrupt does not end the wait: librados has the buffer until it calls back. */
  private int takeEnded() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return ended.take();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public int remove(String object) {
    return LibradosFunctions.rados_remove(connection.io(), object);
  }

  /** Waits for what is under way, and disconnects. */
  @Override
  public void close() {
    while (!underWay.isEmpty()) {
      Ended unused = awaitAny();
    }
    connection.close();
  }
}
