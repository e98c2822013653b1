// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.read;

import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.retry.Retries;
import java.io.IOException;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Hands out the children of a directory with shards, one shard after another. If a transaction
 * comes in between that concerns nothing that was handed out, the rest is read as that transaction
 * left it. If it concerns any of that, the iterator throws a {@link PathIOException}.
 */
final class ShardedChildren implements RemoteIterator<VisibleChild> {

  private final FsPath directory;
  private ShardedListing shards;
  private ObjectChildren current = ObjectChildren.none();

  private final Retries retries;

  private ShardedChildren(FsPath directory, ShardedListing shards, Retries retries) {
    this.directory = directory;
    this.shards = shards;
    this.retries = retries;
  }

  /** Empty if the listing must start again; nothing is handed out then. */
  static Optional<RemoteIterator<VisibleChild>> of(
      FsPath directory, ShardedListing shards, Retries retries) throws IOException {
    ShardedChildren children = new ShardedChildren(directory, shards, retries);
    while (!children.current.hasNext() && shards.hasNext()) {
      Optional<ObjectChildren> some = shards.next();
      if (some.isEmpty()) {
        return Optional.empty();
      }
      children.current = some.get();
    }
    return Optional.of(children);
  }

  @Override
  public boolean hasNext() throws IOException {
    while (!current.hasNext() && shards.hasNext()) {
      current = nextShard();
    }
    return current.hasNext();
  }

  @Override
  public VisibleChild next() throws IOException {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return current.next();
  }

  private ObjectChildren nextShard() throws IOException {
    return retries.run(VisibleIndex.listingOf(directory), this::tryNextShard);
  }

  /** Empty if a transaction came in between that concerns nothing that was handed out. */
  private Optional<ObjectChildren> tryNextShard() throws IOException {
    Optional<ObjectChildren> children = shards.next();
    if (children.isEmpty()) {
      shards =
          shards
              .later()
              .orElseThrow(
                  () ->
                      new PathIOException(
                          directory.toString(),
                          "was changed by a transaction while it was listed, after a part was"
                              + " handed out; list it again, or all at once (listStatus), which"
                              + " begins again by itself"));
    }
    return children;
  }
}
