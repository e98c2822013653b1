// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.util.Optional;

/**
 * Where the bytes of a file are: striped over RADOS objects. Their names were fixed when the file
 * was written, and never change, wherever the file is renamed to.
 *
 * @param origin the path that the file was written to
 * @param uid the file's identity; an xattr of its first stripe
 * @param plainFirst whether the origin alone is the first stripe's name (see {@link ObjectNames})
 * @param length bytes in the file, in at most {@link #MAX_STRIPES} stripes
 * @param objectSize bytes in a stripe, except the last one
 * @param pool the data pool, if it is not the file system's default
 * @param restoredFrom the file that the data was written for, if that one was replaced and this one
 *     was made of its data: its uid is in the names and xattrs of the objects ({@link
 *     #OWNER_XATTR})
 */
public record FileData(
    FsPath origin,
    Uid uid,
    boolean plainFirst,
    long length,
    int objectSize,
    Optional<String> pool,
    Optional<Uid> restoredFrom) {

  /** The xattr of the first stripe that holds the uid; removals are guarded with it. */
  public static final String UID_XATTR = "radosfs.uid";

  /** The xattr of each stripe after the first that holds the CRC-32C of its data. */
  public static final String CRC32C_XATTR = "radosfs.crc32c";

  /**
   * The xattr of a first stripe that another program wrote, and that was made a file: the uid, as
   * that adoption has set it. It tells of an adoption that was ended early; nothing else reads it.
   */
  public static final String ADOPTED_XATTR = "radosfs.adopted";

  /**
   * The xattr of each stripe of a file that was made of retained data: the uid of that file.
   * Without it a stripe belongs to the file that it was written for. It is only ever changed by
   * operations that are guarded with what it was, and never goes. Removals are guarded with it.
   */
  public static final String OWNER_XATTR = "radosfs.owner";

  /** The most objects of a file. */
  public static final int MAX_STRIPES = Integer.MAX_VALUE;

  /**
   * @throws IllegalArgumentException if there can be no such file
   */
  public FileData {
    if (length < 0 || objectSize <= 0 || stripes(length, objectSize) > MAX_STRIPES) {
      throw new IllegalArgumentException("length " + length + ", object size " + objectSize);
    }
    if (origin.isRoot() || pool.filter(String::isEmpty).isPresent()) {
      throw new IllegalArgumentException("a file at '" + origin + "' in pool " + pool);
    }
  }

  /** A file whose data was written for it. */
  public FileData(
      FsPath origin,
      Uid uid,
      boolean plainFirst,
      long length,
      int objectSize,
      Optional<String> pool) {
    this(origin, uid, plainFirst, length, objectSize, pool, Optional.empty());
  }

  /** The uid in the names and in {@link #UID_XATTR} of the objects. */
  public Uid written() {
    return restoredFrom.orElse(uid);
  }

  /** The same data as that of another file. */
  public FileData restoredAs(Uid newUid) {
    return new FileData(
        origin, newUid, plainFirst, length, objectSize, pool, Optional.of(written()));
  }

  /** The number of objects: at least one, as an empty file has an empty first stripe. */
  public int stripes() {
    return (int) stripes(length, objectSize);
  }

  private static long stripes(long length, int objectSize) {
    return length == 0 ? 1 : (length - 1) / objectSize + 1;
  }

  /** The name of stripe {@code k}, from 0. */
  public String stripe(int k) {
    if (k > 0) {
      return ObjectNames.stripe(origin, written(), k);
    }
    return plainFirst
        ? ObjectNames.firstStripe(origin)
        : ObjectNames.firstStripe(origin, written());
  }

  public FileData withLength(long newLength) {
    return new FileData(origin, uid, plainFirst, newLength, objectSize, pool, restoredFrom);
  }

  /** With a length that this stripe is part of. */
  public FileData reaching(int stripe) {
    return withLength(Math.max(length, (long) stripe * objectSize + 1));
  }

  /** With this length, and stripes of at least this size. */
  public FileData inOneStripe(int newLength) {
    return new FileData(
        origin, uid, plainFirst, newLength, Math.max(newLength, objectSize), pool, restoredFrom);
  }

  public FileData withPlainFirst(boolean plain) {
    return new FileData(origin, uid, plain, length, objectSize, pool, restoredFrom);
  }
}
