// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.ceiling;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** What is done with the bytes of an object, before it is written or after it was read. */
@FunctionalInterface
public interface ByteWork {

  /** Nothing: the same bytes are handed over again and again, and nobody looks at what was read. */
  ByteWork NONE = object -> {};

  /** Does it with all bytes of a buffer. */
  void of(ByteBuffer object) throws IOException;

  /** Copies bytes of the Java heap into the buffer until it is full, as a stream has to. */
  static ByteWork copyIn(byte[] content) {
    return object -> {
      object.clear();
      while (object.hasRemaining()) {
        object.put(content, 0, Math.min(content.length, object.remaining()));
      }
    };
  }

  /**
   * Copies all bytes out of the buffer to the Java heap, as a stream has to.
   *
   * @param chunk as large as what a reader asks for at a time
   */
  static ByteWork copyOut(byte[] chunk) {
    return object -> {
      object.clear();
      while (object.hasRemaining()) {
        object.get(chunk, 0, Math.min(chunk.length, object.remaining()));
      }
    };
  }

  /** Compares them with what {@link #copyIn} has put there. */
  static ByteWork verify(byte[] content) {
    byte[] chunk = new byte[content.length];
    return object -> {
      object.clear();
      while (object.hasRemaining()) {
        int count = Math.min(chunk.length, object.remaining());
        object.get(chunk, 0, count);
        if (!Arrays.equals(chunk, 0, count, content, 0, count)) {
          throw new IOException("other bytes than were written");
        }
      }
    };
  }
}
