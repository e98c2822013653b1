// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;

/** Addresses of buffers for C. */
final class Buffers {

  private Buffers() {}

  /** The address of a direct buffer's byte at its position. The buffer must be kept reachable. */
  static long address(ByteBuffer direct) {
    return Pointer.nativeValue(Native.getDirectBufferPointer(direct)) + direct.position();
  }

  /** The address of a direct buffer's bytes; a heap buffer's bytes are copied to the arena. */
  static long addressToReadFrom(ByteBuffer data, NativeArena arena) {
    return data.isDirect() ? address(data) : arena.copy(data);
  }
}
