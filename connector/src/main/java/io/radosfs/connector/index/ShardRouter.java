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
 * Finds the index object that a name of a directory is in, and remembers which directories have
 * shards, so that a look-up costs one read there too.
 *
 * <p>What is remembered may be stale, and never misleads: a shard is removed before the head object
 * that leads to it, and its name is never used again. So a shard that is there, and not being
 * filled, has the names; where there is none, the head object is asked.
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

  /** The shards that a directory has, as far as is remembered. No operation. */
  public Optional<Shards> remembered(FsPath directory) {
    return remembered.get(directory);
  }

  /** The index object that has a name, as far as is remembered. No operation. */
  public IndexObject remembered(FsPath directory, String name) {
    return remembered(directory)
        .map(shards -> shards.of(directory, name))
        .orElseGet(() -> IndexObject.head(directory));
  }

  /** The head of a directory that is open, as far as is remembered. No operation. */
  public IndexHead open(FsPath directory) {
    return new IndexHead(IndexHead.State.OPEN, remembered(directory).orElse(Shards.NONE), "");
  }

  /** Remembers what a view of a directory's head object tells. */
  public void saw(DirectoryView head) throws IOException {
    if (head.isSharded()) {
      remembered.put(head.directory(), head.head().orElseThrow().shards());
    } else {
      remembered.forget(head.directory());
    }
  }

  /** The entry of a name and the intent on it, in the object that has them. One read mostly. */
  public DirectoryView name(FsPath directory, String name) throws IOException {
    return names(directory, List.of(name));
  }

  /**
   * The entries of names and the intents on them, in the object that has them all. Where that is no
   * single one, the view is of the head object ({@link DirectoryView#isSharded}), and what it holds
   * of the names means nothing. One read mostly; two where a directory with shards is met first.
   *
   * <p>The view of a head object with shards is answered too where the directory is closing, or is
   * gone by a transaction that has locked it.
   */
  public DirectoryView names(FsPath directory, Collection<String> names) throws IOException {
    return retries.run("look-up in directory " + directory, () -> tryNames(directory, names));
  }

  /** Empty when the shards were removed between the two looks. */
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
      // Its shards go first, once the transaction that has locked it is committed.
      return Optional.of(head);
    }
    return shard;
  }

  /** Empty when it is not remembered which one, or it is no more. */
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

  /** Whether a shard is there and has names. */
  public static boolean isUsed(DirectoryView shard) throws IOException {
    return shard.head().filter(head -> !head.is(IndexHead.State.FILLING)).isPresent();
  }
}
