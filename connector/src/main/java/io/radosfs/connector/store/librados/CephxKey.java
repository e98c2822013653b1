// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.Optional;

/**
 * The text of a Ceph user's key, as {@code ceph auth print-key} shows it. It is checked before
 * librados gets it, as librados prints a key that it cannot read (to standard error, by default).
 */
final class CephxKey {

  /** The cipher of a key. A librados or a cluster may know, or allow, only one of them. */
  enum Type {
    /** AES-128, which every librados reads. */
    AES(1, "aes"),
    /** AES-256 (CVE-2025-30156), known from Ceph 19.2.6 and 20.2.4 on. */
    AES256K(2, "aes256k");

    private final int stored;
    private final String cephName;

    Type(int stored, String cephName) {
      this.stored = stored;
      this.cephName = cephName;
    }

    /** As Ceph's commands name it. */
    @Override
    public String toString() {
      return cephName;
    }
  }

  /** Type (2 bytes), time of creation (8) and the secret's length (2), in little-endian order. */
  private static final int HEADER = 12;

  private CephxKey() {}

  static boolean isWellFormed(String text) {
    return decoded(text).isPresent();
  }

  /** Returns the type of a key; empty if the text is no key, or of a type unknown here. */
  static Optional<Type> type(String text) {
    Optional<ByteBuffer> key = decoded(text);
    for (Type type : Type.values()) {
      if (key.isPresent() && key.get().getShort(0) == type.stored) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }

  private static Optional<ByteBuffer> decoded(String text) {
    ByteBuffer key;
    try {
      key = ByteBuffer.wrap(Base64.getDecoder().decode(text)).order(ByteOrder.LITTLE_ENDIAN);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    boolean whole =
        key.limit() > HEADER && key.limit() == HEADER + key.getShort(HEADER - Short.BYTES);
    return whole ? Optional.of(key) : Optional.empty();
  }
}
