// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.index;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.Shards;
import io.radosfs.connector.retry.Retries;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Finds the index object that holds a name. It remembers which directories have shards, so that a
 * look-up costs one read there too.
 *
 * <p>What it remembers may be stale, but never misleads. A shard is removed before the head object
 * that leads to it, and its name is never used again. So a shard that exists and is not being
 * filled has the names. If there is no such shard, the head object is asked.
 *
 * <p>Thread-safe.
 */
public final class ShardRouter {

  private static final int REMEMBERED = 10_000;

  private final IndexReader reader;
  private final Retries retries;
  private final LruCache<FsPath, Shards> remembered = new LruCache<>(REMEMBERED);

  public ShardRouter(IndexReader reader, Retries retries) {
    this.reader = reader;
    this.retries = retries;
  }

  /** The shards of a directory, as far as remembered. No operation. */
  public Optional<Shards> remembered(FsPath directory) {
    return remembered.get(directory);
  }

  /** The index object that has a name, as far as remembered. No operation. */
  public IndexObject remembered(FsPath directory, String name) {
    return remembered(directory)
        .map(shards -> shards.of(directory, name))
        .orElseGet(() -> IndexObject.head(directory));
  }

  /** The head of a directory if it is open, with the shards as remembered. No operation. */
  public IndexHead open(FsPath directory) {
    return new IndexHead(IndexHead.State.OPEN, remembered(directory).orElse(Shards.NONE), "");
  }

  /** Remembers which shards a view of a directory's head object shows. */
  public void saw(DirectoryView head) throws IOException {
    if (head.isSharded()) {
      remembered.put(head.directory(), head.head().orElseThrow().shards());
    } else {
      remembered.forget(head.directory());
    }
  }

  /** The entry and the intent of a name, in the object that has them. Mostly one read. */
  public DirectoryView name(FsPath directory, String name) throws IOException {
    return names(directory, List.of(name));
  }

  /**
   * The entries and intents of names, in the one object that has them all. If there is no such
   * object, the view is of the head object ({@link DirectoryView#isSharded}) and tells nothing
   * about the names. Mostly one read; two when a directory with shards is met for the first time.
   *
   * <p>It also returns the view of a head object with shards if the directory is closing, or if the
   * transaction that locked it has removed the shards.
   */
  public DirectoryView names(FsPath directory, Collection<String> names) throws IOException {
    return retries.run("look-up in directory " + directory, () -> tryNames(directory, names));
  }

  /** Empty if the shards were removed between the two reads. */
  private Optional<DirectoryView> tryNames(FsPath directory, Collection<String> names)
      throws IOException {
    Optional<DirectoryView> shard = inShard(directory, names);
    if (shard.isPresent()) {
      return shard;
    }
    DirectoryView head = reader.names(IndexObject.head(directory), names);
    saw(head);
    if (!head.isSharded()
        || head.head().orElseThrow().is(IndexHead.State.CLOSING)
        || head.head().orElseThrow().shards().byShard(directory, names).size() != 1) {
      return Optional.of(head);
    }
    shard = inShard(directory, names);
    if (shard.isEmpty() && head.head().orElseThrow().is(IndexHead.State.FROZEN)) {
      // Once the transaction that locked it is committed, its shards are removed first.
      return Optional.of(head);
    }
    return shard;
  }

  /** Empty if no single shard is remembered, or that shard is gone or being filled. */
  private Optional<DirectoryView> inShard(FsPath directory, Collection<String> names)
      throws IOException {
    Optional<Shards> shards = remembered(directory);
    if (shards.isEmpty()) {
      return Optional.empty();
    }
    SortedMap<IndexObject, List<String>> objects = shards.get().byShard(directory, names);
    if (objects.size() != 1) {
      return Optional.empty();
    }
    DirectoryView view = reader.names(objects.firstKey(), names);
    if (isUsed(view)) {
      return Optional.of(view);
    }
    boolean unused = remembered.forget(directory, shards.get());
    return Optional.empty();
  }

  /** Whether a shard exists and is not being filled. */
  public static boolean isUsed(DirectoryView shard) throws IOException {
    return shard.head().filter(head -> !head.is(IndexHead.State.FILLING)).isPresent();
  }
}
