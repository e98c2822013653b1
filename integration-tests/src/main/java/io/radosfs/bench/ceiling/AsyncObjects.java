// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.ceiling;

import java.nio.ByteBuffer;

/**
 * Objects that are written and read without waiting. An operation has a slot until it has ended,
 * and a slot has one operation at a time. For one thread.
 */
public interface AsyncObjects {

  /**
   * Begins to write an object. When this returns, the buffer may be used for something else.
   *
   * @param from a direct buffer, of which all bytes are written
   * @return an error number below 0 if it has not begun: then it has no slot
   */
  int write(int slot, String object, ByteBuffer from);

  /**
   * Begins to read an object. Until the operation has ended, its buffer belongs to it.
   *
   * @param into a direct buffer, as large as the object
   * @return an error number below 0 if it has not begun: then it has no slot
   */
  int read(int slot, String object, ByteBuffer into);

  /** Waits until any operation has ended, however long that takes. */
  Ended awaitAny();

  /** Removes an object, and waits for that; an error number below 0 if it could not. */
  int remove(String object);

  /**
   * An operation that has ended.
   *
   * @param result of a read the number of bytes, of a write 0; below 0 it is an error number
   */
  record Ended(int slot, int result) {}
}
