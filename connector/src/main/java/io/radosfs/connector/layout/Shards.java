// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.layout;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The objects over which the names of a directory are spread.
 *
 * @param count how many; 1 if the names are in the head object
 * @param generation a uid, new each time that a directory is split. It is in the shards' names, so
 *     that a shard is never taken for that of a later directory of the same path. Empty if the
 *     names are in the head object
 */
public record Shards(int count, String generation) {

  /** All names are in the head object. */
  public static final Shards NONE = new Shards(1, "");

  /** The most shards of a directory. */
  public static final int MAX_COUNT = 4096;

  public Shards {
    if (count > MAX_COUNT) {
      throw new IllegalArgumentException(count + " shards, more than " + MAX_COUNT);
    }
    if (generation.isEmpty() ? count != 1 : count < 2) {
      throw new IllegalArgumentException(count + " shards of generation '" + generation + "'");
    }
  }

  public static Shards of(int count) {
    return new Shards(count, Uid.random().value());
  }

  /** Whether the names are in shards, outside the head object. */
  public boolean exist() {
    return !generation.isEmpty();
  }

  /**
   * The number of the shard of a name: the first four bytes of the SHA-256 of the name in UTF-8, as
   * an unsigned big-endian number, modulo the number of shards. Part of the layout: never changed.
   */
  public int shardOf(String name) {
    return shardOf(name, sha256());
  }

  /**
   * A number by which to sort names, unsigned. The names of one shard then follow each other for
   * any power of two shards, so that work on many names deals with few shards at a time.
   */
  public static int order(String name) {
    return Integer.reverse(number(name, sha256()));
  }

  private int shardOf(String name, MessageDigest sha256) {
    return Integer.remainderUnsigned(number(name, sha256), count);
  }

  private static int number(String name, MessageDigest sha256) {
    return ByteBuffer.wrap(sha256.digest(name.getBytes(StandardCharsets.UTF_8))).getInt();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The shard of a name. */
  public IndexObject of(FsPath directory, String name) {
    return IndexObject.shard(directory, this, shardOf(name));
  }

  /** The shards of these names, each with its names, in their order. */
  public SortedMap<IndexObject, List<String>> byShard(FsPath directory, Collection<String> names) {
    MessageDigest sha256 = sha256();
    SortedMap<Integer, List<String>> numbers = new TreeMap<>();
    for (String name : names) {
      numbers.computeIfAbsent(shardOf(name, sha256), any -> new ArrayList<>()).add(name);
    }
    SortedMap<IndexObject, List<String>> shards = new TreeMap<>();
    numbers.forEach((k, some) -> shards.put(IndexObject.shard(directory, this, k), some));
    return shards;
  }

  /** All shards. */
  public List<IndexObject> of(FsPath directory) {
    List<IndexObject> all = new ArrayList<>();
    for (int k = 0; exist() && k < count; k++) {
      all.add(IndexObject.shard(directory, this, k));
    }
    return all;
  }
}
