// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.sun.jna.Pointer;
import io.radosfs.connector.store.ObjectStore.NameReader;
import java.io.IOException;

/** Lists the objects of a namespace. rados-java's own listing takes any error for the end. */
final class ObjectListing {

  private static final String OPERATION = "list";

  private ObjectListing() {}

  static void run(long io, StoreExceptions exceptions, NameReader names) throws IOException {
    try (NativeArena arena = new NativeArena(64)) {
      long contextOut = arena.allocateZeroedLong();
      require(LibRados.rados_nobjects_list_open(io, contextOut), exceptions);
      long context = arena.getLong(contextOut);
      try {
        long nameOut = arena.allocateZeroedLong();
        while (true) {
          int result =
              LibRados.rados_nobjects_list_next(context, nameOut, LibRados.NULL, LibRados.NULL);
          if (Errno.of(result) == Errno.ENOENT) {
            return;
          }
          require(result, exceptions);
          names.read(new Pointer(arena.getLong(nameOut)).getString(0, "UTF-8"));
        }
      } finally {
        LibRados.rados_nobjects_list_close(context);
      }
    }
  }

  private static void require(int result, StoreExceptions exceptions) throws IOException {
    if (result < 0) {
      throw exceptions.read(result, "", OPERATION);
    }
  }
}
