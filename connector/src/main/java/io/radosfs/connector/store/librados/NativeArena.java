// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Native memory of one operation, allocated in pieces and freed together ({@code malloc}, most
 * often a single one, and {@code free}).
 *
 * <p>Not thread-safe: its owner hands it over with a lock or a happens-before edge. It is freed
 * once; using it later throws {@link IllegalStateException}.
 */
final class NativeArena implements AutoCloseable {

  private static final int ALIGNMENT = 8;
  private static final AtomicInteger LIVE = new AtomicInteger();

  private final List<Chunk> chunks = new ArrayList<>(2);
  private final int chunkSize;
  private boolean closed;

  /** A block of memory and a view of it. */
  private static final class Chunk {
    final long address;
    final ByteBuffer view;
    int used;

    Chunk(int size) {
      address = Native.malloc(size);
      if (address == LibRados.NULL) {
        throw new OutOfMemoryError("no native memory for a RADOS operation: " + size + " bytes");
      }
      view = new Pointer(address).getByteBuffer(0, size).order(ByteOrder.nativeOrder());
    }

    boolean holds(long address) {
      return address >= this.address && address < this.address + used;
    }
  }

  /**
   * @param chunkSize bytes of each {@code malloc}; a larger piece gets one of its own
   */
  NativeArena(int chunkSize) {
    this.chunkSize = chunkSize;
    LIVE.incrementAndGet();
  }

  /** How many arenas are not freed yet, for tests. */
  static int live() {
    return LIVE.get();
  }

  /** Allocates so many bytes, aligned for any C type and not cleared. */
  long allocate(int size) {
    if (closed) {
      throw new IllegalStateException("native memory used after it was freed");
    }
    int rounded = Math.addExact(Math.max(size, 1), ALIGNMENT - 1) & -ALIGNMENT;
    Chunk chunk = chunks.isEmpty() ? null : chunks.get(chunks.size() - 1);
    if (chunk == null || chunk.view.capacity() - chunk.used < rounded) {
      chunk = new Chunk(Math.max(rounded, chunkSize));
      chunks.add(chunk);
    }
    long address = chunk.address + chunk.used;
    chunk.used += rounded;
    return address;
  }

  /** Allocates one word with the value 0. */
  long allocateZeroedLong() {
    long address = allocate(Long.BYTES);
    putLong(address, 0);
    return address;
  }

  /** Allocates a copy of the bytes. */
  long copy(byte[] bytes) {
    long address = allocate(bytes.length);
    put(address, bytes);
    return address;
  }

  /** Allocates a copy of the bytes between position and limit, which do not move. */
  long copy(ByteBuffer bytes) {
    long address = allocate(bytes.remaining());
    Chunk chunk = chunkOf(address);
    chunk.view.put((int) (address - chunk.address), bytes, bytes.position(), bytes.remaining());
    return address;
  }

  /** Allocates a copy of the bytes, with a NUL after them. */
  long copyWithNul(byte[] bytes) {
    long address = allocate(bytes.length + 1);
    put(address, bytes);
    Chunk chunk = chunkOf(address);
    chunk.view.put((int) (address - chunk.address) + bytes.length, (byte) 0);
    return address;
  }

  void put(long address, byte[] bytes) {
    Chunk chunk = chunkOf(address);
    chunk.view.put((int) (address - chunk.address), bytes);
  }

  void putLong(long address, long value) {
    Chunk chunk = chunkOf(address);
    chunk.view.putLong((int) (address - chunk.address), value);
  }

  long getLong(long address) {
    Chunk chunk = chunkOf(address);
    return chunk.view.getLong((int) (address - chunk.address));
  }

  int getInt(long address) {
    Chunk chunk = chunkOf(address);
    return chunk.view.getInt((int) (address - chunk.address));
  }

  byte getByte(long address) {
    Chunk chunk = chunkOf(address);
    return chunk.view.get((int) (address - chunk.address));
  }

  /** Copies bytes of the arena to the buffer's position, without moving the position. */
  void copyOut(long address, ByteBuffer into, int length) {
    Chunk chunk = chunkOf(address);
    into.put(into.position(), chunk.view, (int) (address - chunk.address), length);
  }

  private Chunk chunkOf(long address) {
    if (closed) {
      throw new IllegalStateException("native memory used after it was freed");
    }
    for (int i = chunks.size() - 1; i >= 0; i--) {
      if (chunks.get(i).holds(address)) {
        return chunks.get(i);
      }
    }
    throw new IllegalArgumentException("an address of another arena");
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      chunks.forEach(chunk -> Native.free(chunk.address));
      chunks.clear();
      LIVE.decrementAndGet();
    }
  }
}
