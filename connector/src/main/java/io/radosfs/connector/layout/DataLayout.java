// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.util.Optional;

/**
 * The data pool and object size of a directory's new files. The directory's index has it under
 * {@link IndexKeys#LAYOUT}; while there is no index, the directory's entry has it. Existing files
 * keep what their own entries say.
 *
 * <p>Stored as {@code layout 1 pool=hot stripe=1048576}, without what is not set.
 *
 * @param pool the data pool, if it is not the file system's default
 * @param objectSize bytes in a stripe, if not the file system's default
 */
public record DataLayout(Optional<String> pool, Optional<Integer> objectSize) {

  /** Both as in the superblock. */
  public static final DataLayout DEFAULT = new DataLayout(Optional.empty(), Optional.empty());

  static final String POOL = "pool";
  static final String STRIPE = "stripe";

  private static final String VERSION = "layout 1 ";

  public DataLayout {
    if (objectSize.filter(size -> size <= 0).isPresent()
        || pool.filter(String::isEmpty).isPresent()) {
      throw new IllegalArgumentException("object size " + objectSize + ", pool " + pool);
    }
  }

  public boolean isDefault() {
    return equals(DEFAULT);
  }

  public DataLayout withPool(Optional<String> other) {
    return new DataLayout(other, objectSize);
  }

  public DataLayout withObjectSize(Optional<Integer> other) {
    return new DataLayout(pool, other);
  }

  /** The same layout without what equals the defaults. */
  public DataLayout beside(String defaultPool, int defaultObjectSize) {
    return new DataLayout(
        pool.filter(name -> !name.equals(defaultPool)),
        objectSize.filter(size -> size != defaultObjectSize));
  }

  /**
   * Returns a file that has no bytes yet.
   *
   * @param defaultObjectSize the file system's
   */
  public FileData newFile(FsPath origin, Uid uid, boolean plainFirst, int defaultObjectSize) {
    return new FileData(origin, uid, plainFirst, 0, objectSize.orElse(defaultObjectSize), pool);
  }

  /**
   * The layout that a file was written with.
   *
   * @param defaultObjectSize the file system's
   */
  public static DataLayout of(FileData file, int defaultObjectSize) {
    return new DataLayout(
        file.pool(), Optional.of(file.objectSize()).filter(size -> size != defaultObjectSize));
  }

  public byte[] encode() {
    return StoredText.bytes(VERSION + fields().stripLeading());
  }

  /** Reads a stored layout; object and key are for the error. */
  public static DataLayout decode(String object, String key, byte[] stored) throws LayoutException {
    String text = StoredText.text(stored);
    try {
      if (text.startsWith(VERSION)) {
        return of(new StoredFields(text, VERSION.length()));
      }
    } catch (IllegalArgumentException e) {
      throw StoredText.garbage(object, key, stored, e);
    }
    throw StoredText.garbage(object, key, stored, null);
  }

  /** The fields that are set, each with a space before it. */
  String fields() {
    return pool.map(name -> " " + POOL + "=" + StoredText.escape(name)).orElse("")
        + objectSize.map(size -> " " + STRIPE + "=" + size).orElse("");
  }

  static DataLayout of(StoredFields fields) {
    if (!fields.has(POOL) && !fields.has(STRIPE)) {
      return DEFAULT;
    }
    return new DataLayout(
        fields.text(POOL), Optional.ofNullable(fields.value(STRIPE)).map(Integer::valueOf));
  }
}
