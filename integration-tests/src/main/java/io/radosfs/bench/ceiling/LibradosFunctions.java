// SPDX-License-Identifier: Apache-2.0
package io.radosfs.bench.ceiling;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.util.Map;

/**
 * The functions of {@code rados/librados.h} that are used here, by their C names. Pointers and
 * {@code size_t} are {@code long}: librados' clients have 64 bits. The connector's binding is not
 * used: it writes by compound operations, and what those cost is not to be part of this.
 */
final class LibradosFunctions {

  static {
    Native.register(
        LibradosFunctions.class,
        NativeLibrary.getInstance("rados", Map.of(Library.OPTION_STRING_ENCODING, "UTF-8")));
  }

  private LibradosFunctions() {}

  static native int rados_create2(long clusterOut, String clusterName, String name, long flags);

  static native int rados_conf_read_file(long cluster, String path);

  static native int rados_conf_set(long cluster, String option, String value);

  static native int rados_connect(long cluster);

  static native void rados_shutdown(long cluster);

  static native int rados_ioctx_create(long cluster, String pool, long ioOut);

  static native void rados_ioctx_set_namespace(long io, String namespace);

  static native void rados_ioctx_destroy(long io);

  static native int rados_remove(long io, String object);

  static native int rados_aio_create_completion2(long arg, long callback, long completionOut);

  static native int rados_aio_get_return_value(long completion);

  static native void rados_aio_release(long completion);

  static native int rados_aio_write(
      long io, String object, long completion, long buffer, long length, long offset);

  static native int rados_aio_read(
      long io, String object, long completion, long buffer, long length, long offset);

  static native long rados_create_read_op();

  static native void rados_release_read_op(long op);

  static native void rados_read_op_omap_get_vals_by_keys2(
      long op, long keys, long count, long lengths, long iteratorOut, long resultOut);

  static native int rados_read_op_operate(long op, long io, String object, int flags);

  static native int rados_omap_iter_size(long iterator);

  static native void rados_omap_get_end(long iterator);
}
