// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * What all clients of a file system must agree on, as stored in the omap of {@link
 * ObjectNames#SUPERBLOCK}.
 *
 * @param dataPool the pool that files are written to, if it is not the index pool
 * @param objectSize bytes in one object of a new file
 * @param created when it was made, in milliseconds since the epoch
 */
public record Superblock(Optional<String> dataPool, int objectSize, long created) {

  /** The layout that this version of radosfs reads and writes. */
  public static final String VERSION = "1";

  private static final String VERSION_KEY = "layout.version";
  private static final String DATA_POOL_KEY = "data.pool";
  private static final String OBJECT_SIZE_KEY = "object.size";
  private static final String CREATED_KEY = "created";

  public Superblock {
    if (objectSize <= 0) {
      throw new IllegalArgumentException("object size " + objectSize);
    }
  }

  /**
   * A text for users.
   *
   * @param bytes how a number of bytes is shown
   */
  public String describe(LongFunction<String> bytes) {
    return "layout version "
        + VERSION
        + ", data in "
        + dataPool.map(pool -> "pool " + pool).orElse("the same pool")
        + ", object size "
        + bytes.apply(objectSize);
  }

  /** The omap. */
  public SortedMap<String, byte[]> encode() {
    SortedMap<String, byte[]> omap = new TreeMap<>();
    omap.put(VERSION_KEY, bytes(VERSION));
    omap.put(OBJECT_SIZE_KEY, bytes(Integer.toString(objectSize)));
    omap.put(CREATED_KEY, bytes(Long.toString(created)));
    dataPool.ifPresent(pool -> omap.put(DATA_POOL_KEY, bytes(pool)));
    return omap;
  }

  /**
   * Reads the omap of a superblock.
   *
   * @param where the file system's URI, for the error
   */
  public static Superblock decode(String where, Map<String, byte[]> omap) throws LayoutException {
    String version = text(omap, VERSION_KEY);
    if (version == null) {
      throw garbage(where, "it has no key " + VERSION_KEY);
    }
    if (!version.equals(VERSION)) {
      throw new LayoutException(
          where
              + " has layout version '"
              + StoredText.shown(version)
              + "', and this radosfs reads version "
              + VERSION
              + ": use the version of radosfs that wrote it, or a newer one. Nothing was changed");
    }
    Optional<String> dataPool = Optional.ofNullable(text(omap, DATA_POOL_KEY));
    if (dataPool.filter(String::isEmpty).isPresent()) {
      throw garbage(where, DATA_POOL_KEY + " is empty");
    }
    return new Superblock(
        dataPool,
        (int) number(where, omap, OBJECT_SIZE_KEY, Integer.MAX_VALUE),
        number(where, omap, CREATED_KEY, Long.MAX_VALUE));
  }

  /** A number from 1 to a bound. */
  private static long number(String where, Map<String, byte[]> omap, String key, long most)
      throws LayoutException {
    String text = text(omap, key);
    try {
      long value = Long.parseLong(String.valueOf(text));
      if (value > 0 && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Thrown below.
    }
    throw garbage(where, key + " is '" + StoredText.shown(String.valueOf(text)) + "'");
  }

  private static LayoutException garbage(String where, String why) {
    return new LayoutException(
        "cannot read the superblock of "
            + where
            + " (omap of object '"
            + ObjectNames.SUPERBLOCK
            + "'): "
            + why
            + ". It is damaged, or the object is not radosfs's; nothing was changed."
            + " 'rados listomapvals' shows it");
  }

  private static String text(Map<String, byte[]> omap, String key) {
    byte[] value = omap.get(key);
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
