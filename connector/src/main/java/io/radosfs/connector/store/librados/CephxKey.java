// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;

/**
 * The text of a Ceph user's key, as {@code ceph auth print-key} shows it. It is checked before
 * librados gets it, as librados prints a key that it cannot read (by default to standard error).
 */
final class CephxKey {

  /** Type (2 bytes), time of creation (8) and the secret's length (2), in little-endian order. */
  private static final int HEADER = 12;

  private CephxKey() {}

  static boolean isWellFormed(String text) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return false;
    }
    if (bytes.length <= HEADER) {
      return false;
    }
    int length = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getShort(HEADER - 2);
    return bytes.length == HEADER + length;
  }
}
