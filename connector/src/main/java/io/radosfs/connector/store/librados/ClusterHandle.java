// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.ceph.rados.Rados;
import com.ceph.rados.exceptions.RadosException;
import com.sun.jna.Pointer;
import java.util.Optional;

/**
 * rados-java's cluster handle, and what is missing in it: the native pointer, Ceph's own search for
 * ceph.conf, and strings in UTF-8 whatever the locale.
 */
final class ClusterHandle extends Rados {

  private static final String JNA_ENCODING = "jna.encoding";

  /** Bytes of an option's value that are tried first, and at last. */
  private static final int SHORT_VALUE = 256;

  private static final int LONGEST_VALUE = 1 << 20;

  static {
    loadInUtf8();
  }

  /** {@code rados_create2}; rados-java ignores its failure, and leaves a null pointer. */
  ClusterHandle(String entityName) {
    super("ceph", entityName, 0);
  }

  boolean isCreated() {
    return clusterPtr != null;
  }

  /** The {@code rados_t}. */
  long pointer() {
    return Pointer.nativeValue(clusterPtr);
  }

  /** The map that this client has; not of a handle that is abandoned. */
  ClientMap map() {
    return new ClientMap(pointer());
  }

  /** {@code rados_getaddrs}. */
  String addresses() throws RadosException {
    try (NativeArena arena = new NativeArena(64)) {
      long out = arena.allocateZeroedLong();
      int result = LibRados.rados_getaddrs(pointer(), out);
      if (result < 0) {
        throw new RadosException("cannot tell this client's address", result);
      }
      long text = arena.getLong(out);
      try {
        return new Pointer(text).getString(0, "UTF-8");
      } finally {
        LibRados.rados_buffer_free(text);
      }
    }
  }

  /**
   * {@code rados_conf_get}, of a value of any length: the monitors of a cluster take more than the
   * 255 bytes of rados-java's. Empty if the option is not set, or Ceph has none of this name.
   */
  String option(String name) {
    for (int size = SHORT_VALUE; size <= LONGEST_VALUE; size *= 2) {
      try (NativeArena arena = new NativeArena(size)) {
        long value = arena.allocate(size);
        int result =
            LibRados.rados_conf_get(pointer(), arena.copyWithNul(Utf8.cString(name)), value, size);
        if (result >= 0) {
          return new Pointer(value).getString(0, "UTF-8").trim();
        }
        if (Errno.of(result) != Errno.ENAMETOOLONG) {
          return "";
        }
      }
    }
    return "";
  }

  /** Leaves the native handle open for ever; otherwise rados-java's finalizer shuts it down. */
  void abandon() {
    clusterPtr = null;
  }

  /** {@code rados_conf_read_file}; rados-java's takes no null, which means Ceph's own search. */
  int readConf(Optional<String> path) {
    try (NativeArena arena = new NativeArena(256)) {
      long nativePath =
          path.isPresent() ? arena.copyWithNul(Utf8.cString(path.get())) : LibRados.NULL;
      return LibRados.rados_conf_read_file(pointer(), nativePath);
    }
  }

  /**
   * Loads librados with UTF-8 strings. rados-java maps it with JNA's default encoding, US-ASCII
   * under {@code LC_ALL=C}. JNA fixes a library's encoding when it loads it, so the property is set
   * for that moment only: other users of JNA in this JVM keep theirs.
   */
  private static void loadInUtf8() {
    String before = System.getProperty(JNA_ENCODING);
    System.setProperty(JNA_ENCODING, "UTF-8");
    try {
      Rados.getVersion();
    } finally {
      if (before == null) {
        System.clearProperty(JNA_ENCODING);
      } else {
        System.setProperty(JNA_ENCODING, before);
      }
    }
  }
}
