// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.layout.ObjectNames;
import java.util.Set;
import java.util.TreeSet;

/**
 * The other file systems that have objects in a pool, in the namespace of this one, as far as the
 * pool says so: by its consent to hold their data, or by their superblock. The name of a data
 * object says nothing about the file system that it belongs to, and neither do its attributes. So
 * an object that may be theirs is no garbage only because nothing in this file system leads to it.
 */
final class OtherFileSystems {

  private final String indexPool;
  private final String pool;
  private final Set<String> traces = new TreeSet<>();

  /**
   * @param indexPool of this file system
   * @param pool to look at
   */
  OtherFileSystems(String indexPool, String pool) {
    this.indexPool = indexPool;
    this.pool = pool;
  }

  /** Takes a name from the listing of the pool. */
  void see(String object) {
    boolean consent = ObjectNames.isDataOf(object) && !object.equals(ObjectNames.dataOf(indexPool));
    if (consent || (object.equals(ObjectNames.SUPERBLOCK) && !isIndexPool())) {
      traces.add(object);
    }
  }

  private boolean isIndexPool() {
    return pool.equals(indexPool);
  }

  /** The objects of the pool that tell of other file systems; none if there is no other. */
  Set<String> traces() {
    return traces;
  }

  /**
   * Whether an object may be another file system's. It may be anything where that has its index,
   * and a part of a file where it has only data.
   */
  boolean mayHave(String object) {
    return traces.contains(ObjectNames.SUPERBLOCK)
        || (!traces.isEmpty() && ObjectNames.isStripe(object));
  }

  /** Says which there are. */
  String describe() {
    return "another file system has objects in pool "
        + pool
        + " too, in the same namespace, as '"
        + String.join("' and '", traces)
        + "' there shows; names of objects do not say whose they are";
  }
}
