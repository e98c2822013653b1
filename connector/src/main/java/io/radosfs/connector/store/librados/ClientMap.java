// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.ceph.rados.exceptions.RadosException;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * The pools of the OSD map that a client has. No message to the cluster.
 *
 * @param cluster the {@code rados_t}, which must not be shut down meanwhile
 */
record ClientMap(long cluster) {

  private static final int FIRST_SIZE = 4096;

  /** {@code rados_pool_list}: names, each with a NUL after it. */
  Set<String> pools() throws RadosException {
    int size = FIRST_SIZE;
    while (true) {
      try (NativeArena arena = new NativeArena(size)) {
        long names = arena.allocate(size);
        int needed = LibRados.rados_pool_list(cluster, names, size);
        if (needed < 0) {
          throw new RadosException("cannot list the pools of the client's map", needed);
        }
        if (needed <= size) {
          byte[] text = new byte[needed];
          arena.copyOut(names, ByteBuffer.wrap(text), needed);
          return Utf8.names(text);
        }
        size = needed;
      }
    }
  }

  /**
   * Whether the pool of that name has that number ({@code rados_pool_lookup}). Names are listed
   * first, as librados asks the monitors for a name that its map does not have, and waits for them.
   */
  boolean hasPool(String name, long id) throws RadosException {
    if (!pools().contains(name)) {
      return false;
    }
    try (NativeArena arena = new NativeArena(Long.BYTES + name.length())) {
      return LibRados.rados_pool_lookup(cluster, arena.copyWithNul(Utf8.cString(name))) == id;
    }
  }
}
