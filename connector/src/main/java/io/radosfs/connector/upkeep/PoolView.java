// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.StoredStripe;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.store.RadosCommands;
import io.radosfs.connector.store.ReadOp;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/** One namespace of one pool, as a check reads it: a real one, or a test's. */
public interface PoolView {

  /** The pools of a file system. */
  interface Pools {
    /** Where the index is. */
    PoolView index() throws IOException;

    /** Where this file's data is; the same view each time for the same pool. */
    PoolView of(FileData file) throws IOException;
  }

  /** Takes one omap entry after the other. */
  @FunctionalInterface
  interface OmapVisitor {
    void visit(String key, byte[] value) throws IOException;
  }

  /** The name of the pool, for display. */
  default String pool() {
    return commands().pool();
  }

  /** What an administrator can do to its objects by hand. */
  RadosCommands commands();

  /** The names of all objects, as listed when this is first called. */
  Set<String> names() throws IOException;

  /** Whether the object is there now. */
  boolean exists(String object) throws IOException;

  /** Reads those of the keys that exist, at one instant; empty if there is no such object. */
  Optional<Map<String, byte[]>> find(String object, Set<String> keys) throws IOException;

  /**
   * Omap values and an xattr of one object, as they were at one instant.
   *
   * @param omap those of the keys that exist
   */
  record Values(Map<String, byte[]> omap, Optional<byte[]> xattr) {}

  /** The same as {@link #find(String, Set)}, and an xattr. */
  Optional<Values> find(String object, Set<String> keys, String xattr) throws IOException;

  /** The same; no values if there is no such object. */
  default Map<String, byte[]> values(String object, Set<String> keys) throws IOException {
    return find(object, keys).orElse(Map.of());
  }

  /** Reads one omap value; empty also if there is no such object. */
  default Optional<byte[]> value(String object, String key) throws IOException {
    return Optional.ofNullable(values(object, Set.of(key)).get(key));
  }

  /** Hands over the whole omap in the order of the keys; nothing if there is no such object. */
  default void omap(String object, OmapVisitor visitor) throws IOException {
    omap(object, after -> ReadOp.MAX_RANGE, visitor);
  }

  /**
   * The same, for values that may be large.
   *
   * @param page how many entries are read at once after a key, which is empty at first
   */
  void omap(String object, ToIntFunction<String> page, OmapVisitor visitor) throws IOException;

  /**
   * Looks at an object of a file; empty if there is no such object.
   *
   * @param content whether its checksum is taken too
   */
  Optional<StoredStripe> stripe(String object, boolean content) throws IOException;
}
