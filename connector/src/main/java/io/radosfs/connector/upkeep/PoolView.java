// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.layout.FileData;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One namespace of one pool, as a check looks at it: a real one, or a test's. */
public interface PoolView {

  /** The pools of a file system. */
  interface Pools {
    /** Where the index is. */
    PoolView index() throws IOException;

    /** Where this file's data is; the same view each time for the same pool. */
    PoolView of(FileData file) throws IOException;
  }

  /** Takes one omap entry. */
  @FunctionalInterface
  interface OmapReader {
    void read(String key, byte[] value) throws IOException;
  }

  /**
   * What an object's data is like.
   *
   * @param uid the uid that it carries, if it is the first stripe of a file
   */
  record Data(long length, Optional<String> uid) {}

  /** The name of the pool, for people. */
  String pool();

  /** The names of all objects, as listed when this is first called. */
  Set<String> names() throws IOException;

  /** Whether the object is there now. */
  boolean exists(String object) throws IOException;

  /** Some omap values at one instant, of the keys that there are; none without the object. */
  Map<String, byte[]> values(String object, Set<String> keys) throws IOException;

  /** One omap value; empty also when there is no such object. */
  default Optional<byte[]> value(String object, String key) throws IOException {
    return Optional.ofNullable(values(object, Set.of(key)).get(key));
  }

  /** Hands over the whole omap, by the keys' order; nothing when there is no such object. */
  void omap(String object, OmapReader reader) throws IOException;

  /** The object's data; empty when there is no such object. */
  Optional<Data> data(String object) throws IOException;
}
