// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;

/**
 * A command to the monitors ({@code rados_mon_command}). rados-java's version neither frees the
 * answer nor reads it as UTF-8.
 *
 * @param returnValue negative errno if the command failed
 * @param output the output of the command
 */
record MonCommand(int returnValue, byte[] output) {

  /** Waits for the answer, within {@code rados_mon_op_timeout}. */
  static MonCommand run(long cluster, String json) {
    try (NativeArena arena = new NativeArena(1024)) {
      NativeSlices commands =
          new NativeSlices(arena, new byte[][] {(json + '\0').getBytes(StandardCharsets.UTF_8)});
      long outputOut = arena.allocateZeroedLong();
      long outputLength = arena.allocateZeroedLong();
      long statusOut = arena.allocateZeroedLong();
      long statusLength = arena.allocateZeroedLong();
      int result =
          LibRados.rados_mon_command(
              cluster,
              commands.addresses(),
              1,
              arena.allocateZeroedLong(),
              0,
              outputOut,
              outputLength,
              statusOut,
              statusLength);
      byte[] output = take(arena.getLong(outputOut), arena.getLong(outputLength));
      take(arena.getLong(statusOut), arena.getLong(statusLength));
      return new MonCommand(result, output);
    }
  }

  /** Copies what librados has allocated, and frees it ({@code rados_buffer_free}). */
  private static byte[] take(long address, long length) {
    if (address == LibRados.NULL) {
      return new byte[0];
    }
    byte[] bytes = new Pointer(address).getByteArray(0, Math.toIntExact(length));
    LibRados.rados_buffer_free(address);
    return bytes;
  }
}
