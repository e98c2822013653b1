// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.ceiling;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.radosfs.workbench.PoolName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A connection to a cluster by librados' C interface, as its admin, and one pool of it. Native
 * memory is released once, at the end; nothing must be under way then.
 */
public final class LibradosConnection implements AutoCloseable {

  private static final String ADMIN = "client.admin";

  /**
   * As the connector's: the limits of operations are those of the window alone. librados gives each
   * operation up after a minute.
   */
  private static final Map<String, String> OPTIONS =
      Map.of(
          "client_mount_timeout", "30",
          "rados_mon_op_timeout", "60",
          "rados_osd_op_timeout", "60",
          "objecter_inflight_op_bytes", "0",
          "objecter_inflight_ops", "0");

  private final long cluster;
  private final long io;
  private boolean closed;

  /**
   * Connects.
   *
   * @throws IOException with librados' error number
   */
  public LibradosConnection(Path cephConf, PoolName pool) throws IOException {
    try (Memory out = new Memory(Long.BYTES)) {
      long address = Pointer.nativeValue(out);
      require(LibradosFunctions.rados_create2(address, "ceph", ADMIN, 0), "rados_create2");
      cluster = out.getLong(0);
      try {
        connect(cephConf);
        require(
            LibradosFunctions.rados_ioctx_create(cluster, pool.pool(), address),
            "rados_ioctx_create of pool " + pool.pool());
      } catch (IOException e) {
        LibradosFunctions.rados_shutdown(cluster);
        throw e;
      }
      io = out.getLong(0);
    }
    LibradosFunctions.rados_ioctx_set_namespace(io, pool.namespace());
  }

  private void connect(Path cephConf) throws IOException {
    require(
        LibradosFunctions.rados_conf_read_file(cluster, cephConf.toString()),
        "rados_conf_read_file");
    for (Map.Entry<String, String> option : OPTIONS.entrySet()) {
      require(
          LibradosFunctions.rados_conf_set(cluster, option.getKey(), option.getValue()),
          "rados_conf_set of " + option.getKey());
    }
    require(LibradosFunctions.rados_connect(cluster), "rados_connect");
  }

  /**
   * @throws IOException if a call has failed, with its error number
   */
  static void require(int result, String call) throws IOException {
    if (result < 0) {
      throw new IOException(call + " failed with error number " + -result);
    }
  }

  /** The pool, a {@code rados_ioctx_t}; any number of threads may use it. */
  long io() {
    return io;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      LibradosFunctions.rados_ioctx_destroy(io);
      LibradosFunctions.rados_shutdown(cluster);
    }
  }
}
