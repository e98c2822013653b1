package io.radosfs.connector.transaction;

import io.radosfs.connector.layout.FsPath;
import java.io.IOException;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * Hands out the children of a directory with shards, one shard after another. Where a transaction
 * that comes in between concerns nothing that was handed out, the rest is read as it has made it;
 * else it fails.
 */
final class ShardedChildren implements RemoteIterator<VisibleChild> {

  /** A bound on going on as of a later instant. */
  private static final int MAX_TRIES = 200;

  private final FsPath directory;
  private ShardedListing shards;
  private ObjectChildren current = ObjectChildren.none();

  private ShardedChildren(FsPath directory, ShardedListing shards) {
    this.directory = directory;
    this.shards = shards;
  }

  /** Empty when the listing must start again, before anything was handed out. */
  static Optional<RemoteIterator<VisibleChild>> of(FsPath directory, ShardedListing shards)
      throws IOException {
    ShardedChildren children = new ShardedChildren(directory, shards);
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
    for (int i = 0; i < MAX_TRIES; i++) {
      Optional<ObjectChildren> children = shards.next();
      if (children.isPresent()) {
        return children.get();
      }
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
    throw VisibleIndex.unsettled(directory, MAX_TRIES);
  }
}
