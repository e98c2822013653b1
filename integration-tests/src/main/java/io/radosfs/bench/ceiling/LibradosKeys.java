// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.ceiling;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads the same omap keys of one object after another, by {@code rados_read_op_operate}: the
 * thread itself waits in librados, until that gives up, and no interrupt ends it. For one thread.
 */
public final class LibradosKeys implements AutoCloseable {

  private final LibradosConnection connection;
  private final int keys;

  /** What the C function takes and gives: addresses of the keys, their lengths, and its results. */
  private final Memory names;

  private final Memory addresses;
  private final Memory lengths;
  private final Memory iterator = new Memory(Long.BYTES);
  private final Memory result = new Memory(Integer.BYTES);

  public LibradosKeys(LibradosConnection connection, List<String> keys) {
    this.connection = connection;
    this.keys = keys.size();
    List<byte[]> all = keys.stream().map(key -> key.getBytes(StandardCharsets.UTF_8)).toList();
    names = new Memory(all.stream().mapToLong(key -> key.length).sum());
    addresses = new Memory((long) Long.BYTES * all.size());
    lengths = new Memory((long) Long.BYTES * all.size());
    long offset = 0;
    for (int i = 0; i < all.size(); i++) {
      byte[] key = all.get(i);
      names.write(offset, key, 0, key.length);
      addresses.setLong((long) Long.BYTES * i, Pointer.nativeValue(names) + offset);
      lengths.setLong((long) Long.BYTES * i, key.length);
      offset += key.length;
    }
  }

  /**
   * Reads the keys of an object. One operation.
   *
   * @return how many of them it has
   */
  public int read(String object) throws IOException {
    long op = LibradosFunctions.rados_create_read_op();
    try {
      LibradosFunctions.rados_read_op_omap_get_vals_by_keys2(
          op,
          Pointer.nativeValue(addresses),
          keys,
          Pointer.nativeValue(lengths),
          Pointer.nativeValue(iterator),
          Pointer.nativeValue(result));
      long found = iterator.getLong(0);
      try {
        LibradosConnection.require(
            LibradosFunctions.rados_read_op_operate(op, connection.io(), object, 0),
            "the read of " + object);
        LibradosConnection.require(result.getInt(0), "the read of keys of " + object);
        return LibradosFunctions.rados_omap_iter_size(found);
      } finally {
        LibradosFunctions.rados_omap_get_end(found);
      }
    } finally {
      LibradosFunctions.rados_release_read_op(op);
    }
  }

  @Override
  public void close() {
    for (Memory memory : List.of(names, addresses, lengths, iterator, result)) {
      memory.close();
    }
  }
}
