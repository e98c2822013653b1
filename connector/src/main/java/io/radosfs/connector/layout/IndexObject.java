// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

/**
 * One object of a directory's index: its head, which every index has, or one of its {@link Shards}.
 * Both have the same keys, but only heads have status records.
 *
 * @param name the name of the RADOS object
 */
public record IndexObject(FsPath directory, String name) implements Comparable<IndexObject> {

  public static IndexObject head(FsPath directory) {
    return new IndexObject(directory, ObjectNames.index(directory));
  }

  static IndexObject shard(FsPath directory, Shards shards, int k) {
    return new IndexObject(directory, ObjectNames.shard(directory, shards.generation(), k));
  }

  public boolean isHead() {
    return name.equals(ObjectNames.index(directory));
  }

  @Override
  public int compareTo(IndexObject other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
