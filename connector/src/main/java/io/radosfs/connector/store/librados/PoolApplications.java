// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import io.radosfs.connector.store.StoreException;
import java.nio.ByteBuffer;
import java.util.Set;

/** Reads the applications of a pool, which librados has from the map of the cluster. */
final class PoolApplications {

  static final String OPERATION = "application list";

  private static final int FIRST_SIZE = 1024;

  private PoolApplications() {}

  /** {@code rados_application_list}: names, each with a NUL after it. */
  static Set<String> of(long io, StoreExceptions exceptions) throws StoreException {
    int size = FIRST_SIZE;
    while (true) {
      try (NativeArena arena = new NativeArena(size + 2 * Long.BYTES)) {
        long names = arena.allocate(size);
        long length = arena.allocateZeroedLong();
        arena.putLong(length, size);
        int result = LibRados.rados_application_list(io, names, length);
        int needed = Math.toIntExact(arena.getLong(length));
        if (Errno.of(result) == Errno.ERANGE && needed > size) {
          size = needed;
          continue;
        }
        if (result < 0) {
          throw exceptions.read(result, "", OPERATION);
        }
        byte[] text = new byte[needed];
        arena.copyOut(names, ByteBuffer.wrap(text), needed);
        return Utf8.names(text);
      }
    }
  }
}
