// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.store.librados;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.util.Map;

/**
 * The functions of {@code rados/librados.h} that are missing in rados-java, by their C names,
 * mapped directly.
 *
 * <p>Pointers and {@code size_t} are {@code long}: librados clients have 64 bits, and a {@code
 * long} costs no object. Strings are addresses of NUL-terminated UTF-8 in a {@link NativeArena}, so
 * no default charset is involved.
 */
final class LibRados {

  /** {@code LIBRADOS_CMPXATTR_OP_EQ}. */
  static final byte CMP_EQ = 1;

  /** {@code LIBRADOS_CREATE_IDEMPOTENT}. */
  static final int CREATE_IDEMPOTENT = 0;

  /**
   * {@code LIBRADOS_ALLOC_HINT_FLAG_SEQUENTIAL_WRITE}, {@code SEQUENTIAL_READ} and {@code
   * IMMUTABLE}.
   */
  static final int HINT_WRITTEN_ONCE = 1 | 4 | 32;

  /** {@code LIBRADOS_CREATE_EXCLUSIVE}. */
  static final int CREATE_EXCLUSIVE = 1;

  /** {@code LIBRADOS_OPERATION_NOFLAG}. */
  static final int NO_FLAG = 0;

  /** {@code LIBRADOS_OPERATION_BALANCE_READS}: any copy may answer. */
  static final int BALANCE_READS = 1;

  /** {@code LIBRADOS_OPERATION_LOCALIZE_READS}: the nearest copy is to answer. */
  static final int LOCALIZE_READS = 2;

  /**
   * {@code LIBRADOS_OPERATION_ORDER_READS_WRITES}: the OSD makes the read wait where a write would
   * wait, so the read stays behind waiting writes.
   */
  static final int ORDER_READS_WRITES = 4;

  /**
   * {@code LIBRADOS_OPERATION_FULL_TRY}: on a full pool, fail what grows it with ENOSPC or EDQUOT,
   * and let deletions pass. Without it librados would hold back every write until there is room.
   */
  static final int FULL_TRY = 64;

  /** {@code LIBRADOS_OPERATION_FULL_FORCE}: on a full pool, let even what grows it pass. */
  static final int FULL_FORCE = 128;

  /** {@code LIBRADOS_CHECKSUM_TYPE_CRC32C}. */
  static final int CHECKSUM_CRC32C = 2;

  static final long NULL = 0;

  static {
    Native.register(
        LibRados.class,
        NativeLibrary.getInstance(
            "rados",
            Map.of(
                Library.OPTION_STRING_ENCODING,
                "UTF-8",
                Library.OPTION_CLASSLOADER,
                LibRados.class.getClassLoader())));
  }

  private LibRados() {}

  static native int rados_conf_read_file(long cluster, long path);

  static native int rados_conf_get(long cluster, long option, long value, long valueLength);

  static native int rados_mon_command(
      long cluster,
      long commands,
      long count,
      long input,
      long inputLength,
      long outputOut,
      long outputLengthOut,
      long statusOut,
      long statusLengthOut);

  static native int rados_wait_for_latest_osdmap(long cluster);

  static native int rados_pool_list(long cluster, long names, long length);

  static native long rados_pool_lookup(long cluster, long name);

  static native int rados_getaddrs(long cluster, long addressesOut);

  static native void rados_buffer_free(long buffer);

  static native int rados_aio_create_completion2(long arg, long callback, long completionOut);

  static native int rados_aio_cancel(long io, long completion);

  static native int rados_aio_get_return_value(long completion);

  static native void rados_aio_release(long completion);

  static native int rados_aio_write_op_operate(
      long op, long io, long completion, long object, long mtime, int flags);

  static native int rados_aio_read_op_operate(
      long op, long io, long completion, long object, int flags);

  static native long rados_create_write_op();

  static native void rados_release_write_op(long op);

  static native void rados_write_op_assert_exists(long op);

  static native void rados_write_op_create(long op, int exclusive, long category);

  static native void rados_write_op_omap_cmp2(
      long op, long key, byte operator, long value, long keyLength, long valueLength, long prval);

  static native void rados_write_op_cmpxattr(
      long op, long name, byte operator, long value, long valueLength);

  static native void rados_write_op_omap_set2(
      long op, long keys, long values, long keyLengths, long valueLengths, long count);

  static native void rados_write_op_omap_rm_keys2(long op, long keys, long keyLengths, long count);

  static native void rados_write_op_setxattr(long op, long name, long value, long valueLength);

  static native void rados_write_op_write_full(long op, long buffer, long length);

  static native void rados_write_op_set_alloc_hint2(
      long op, long expectedObjectSize, long expectedWriteSize, int flags);

  static native void rados_write_op_remove(long op);

  static native long rados_create_read_op();

  static native void rados_release_read_op(long op);

  static native void rados_read_op_assert_exists(long op);

  static native void rados_read_op_cmpxattr(
      long op, long name, byte operator, long value, long valueLength);

  static native void rados_read_op_stat(long op, long sizeOut, long mtimeOut, long prval);

  static native void rados_read_op_read(
      long op, long offset, long length, long buffer, long bytesReadOut, long prval);

  static native void rados_read_op_checksum(
      long op,
      int type,
      long initValue,
      long initValueLength,
      long offset,
      long length,
      long chunkSize,
      long checksumOut,
      long checksumLength,
      long prval);

  static native void rados_read_op_getxattrs(long op, long iteratorOut, long prval);

  static native void rados_read_op_omap_get_vals2(
      long op, long startAfter, long prefix, long max, long iteratorOut, long moreOut, long prval);

  static native void rados_read_op_omap_get_vals_by_keys2(
      long op, long keys, long count, long keyLengths, long iteratorOut, long prval);

  static native int rados_application_list(long io, long names, long lengthInOut);

  static native int rados_nobjects_list_open(long io, long contextOut);

  static native int rados_nobjects_list_next(
      long context, long entryOut, long locatorOut, long namespaceOut);

  static native void rados_nobjects_list_close(long context);

  static native int rados_omap_iter_size(long iterator);

  static native int rados_omap_get_next2(
      long iterator, long keyOut, long valueOut, long keyLengthOut, long valueLengthOut);

  static native void rados_omap_get_end(long iterator);

  static native int rados_getxattrs_next(
      long iterator, long nameOut, long valueOut, long lengthOut);

  static native void rados_getxattrs_end(long iterator);
}
