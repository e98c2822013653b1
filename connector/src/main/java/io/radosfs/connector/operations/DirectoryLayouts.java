// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.retry.Retries;
import io.radosfs.connector.store.OutcomeUnknownException;
import io.radosfs.connector.superblock.DataPools;
import io.radosfs.connector.transaction.directory.OpenIndexes;
import io.radosfs.connector.transaction.read.VisibleIndex;
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIsNotDirectoryException;

/**
 * The layouts of directories: the pool and the object size for the data of new files. A directory
 * takes its parent's layout when it is made, and keeps it when it is renamed. A change of a layout
 * leaves existing files and directories as they are, and files that are being written.
 *
 * <p>Errors as of {@link Namespace}. Thread-safe.
 */
public final class DirectoryLayouts {

  private final Indexes indexes;
  private final VisibleIndex visible;
  private final FreeNames freeNames;
  private final OpenIndexes openIndexes;
  private final DataPools pools;
  private final WriteProbe probe;
  private final KnownDirectories known;
  private final UnaryOperator<DataLayout> normal;

  /**
   * @param normal leaves out of a layout what is the file system's default
   */
  public DirectoryLayouts(
      Indexes indexes,
      VisibleIndex visible,
      FreeNames freeNames,
      OpenIndexes openIndexes,
      DataPools pools,
      WriteProbe probe,
      KnownDirectories known,
      UnaryOperator<DataLayout> normal) {
    this.indexes = indexes;
    this.visible = visible;
    this.freeNames = freeNames;
    this.openIndexes = openIndexes;
    this.pools = pools;
    this.probe = probe;
    this.known = known;
    this.normal = normal;
  }

  /**
   * What new files of a directory get. One read; one more if nothing was ever in it.
   *
   * @throws java.io.FileNotFoundException when there is nothing at the path
   * @throws org.apache.hadoop.fs.PathIsNotDirectoryException when it is a file
   */
  public DataLayout of(FsPath directory) throws IOException {
    return visible
        .layout(directory)
        .orElseThrow(() -> new FileNotFoundException("there is no directory " + directory));
  }

  /**
   * What new files get in a directory that exists, or will be made: the layout of the nearest one
   * that exists. One read, and two more for each level without an index.
   */
  public DataLayout inherited(FsPath directory) throws IOException {
    for (FsPath path = directory; ; path = path.parent()) {
      Optional<DataLayout> found = findUnlessFile(path);
      if (found.isPresent() || path.isRoot()) {
        return found.orElse(DataLayout.DEFAULT);
      }
    }
  }

  /** Empty also for a file, whose place a directory is to take. */
  private Optional<DataLayout> findUnlessFile(FsPath directory) throws IOException {
    try {
      return visible.layout(directory);
    } catch (PathIsNotDirectoryException e) {
      return Optional.empty();
    }
  }

  /**
   * Gives a directory another layout, by one write to its index, guarded with the layout before. A
   * directory with shards has it in each of them: one read and one write more for each shard, or
   * one read where the shard has this layout. That is not atomic: files that are made meanwhile get
   * the layout of before or the new one.
   *
   * <p>Before that, a pool that the layout names is tried by a write probe, an object that is
   * written and removed, and registered in {@link io.radosfs.connector.superblock.DataPools}; six
   * operations. If nothing was ever in the directory, its index is made first.
   *
   * @param change may be called several times, with what another client has set meanwhile
   * @return what was set
   * @throws java.io.FileNotFoundException when there is nothing at the path
   * @throws org.apache.hadoop.fs.PathIsNotDirectoryException when it is a file
   * @throws IOException naming the pool, also when it does not exist, is full, or may not be
   *     written to; nothing is changed
   * @throws io.radosfs.connector.store.OutcomeUnknownException also if its answer was lost and
   *     others have set another layout since: it is not set twice; or if it failed between two
   *     shards: to set a layout again, this one or that of before, puts all of them right
   */
  public DataLayout change(FsPath directory, UnaryOperator<DataLayout> change) throws IOException {
    Change task = new Change(directory, change);
    try {
      return indexes.retries().run("change of the layout of " + directory, task);
    } catch (FileNotFoundException | PathIsNotDirectoryException e) {
      throw e;
    } catch (IOException e) {
      throw task.ended(e);
    } finally {
      // Also if others have set it before: what this process remembers may be older than that.
      known.forget(directory);
    }
  }

  /** One change, which is tried until no other client comes in between. */
  private final class Change implements Retries.KnowingTask<DataLayout> {
    private final FsPath directory;
    private final UnaryOperator<DataLayout> change;

    /** The pool that was probed, which is done once. */
    private Optional<String> tried = Optional.empty();

    /** The shards that have another layout by this change. */
    private final Set<IndexObject> changed = new HashSet<>();

    private Change(FsPath directory, UnaryOperator<DataLayout> change) {
      this.directory = directory;
      this.change = change;
    }

    @Override
    public Optional<DataLayout> attempt(boolean mayBeMade) throws IOException {
      DirectoryView view = open(directory);
      if (!view.isOpen()) {
        return Optional.empty();
      }
      DataLayout before = view.layout();
      DataLayout wanted = change.apply(before);
      if (mayBeMade) {
        return Optional.of(requireMade(before, normal.apply(wanted)));
      }
      // Even if nothing changes: that is how a data pool of an older radosfs gives its consent.
      if (wanted.pool().isPresent() && !wanted.pool().equals(tried)) {
        probe.run(wanted.pool().get());
        tried = wanted.pool();
      }
      DataLayout after = normal.apply(wanted);
      boolean same = after.equals(before);
      if (!same) {
        pools.register(after);
      }
      if (!changeInShards(view, after)) {
        return Optional.empty();
      }
      return same && changed.isEmpty() || indexes.writer().applyOrLookAgain(replacing(view, after))
          ? Optional.of(after)
          : Optional.empty();
    }

    /**
     * Returns the layout if the head has it. The head may have had it by this change. If it has
     * another one now, that may be what others have set since, so nothing is changed again.
     */
    private DataLayout requireMade(DataLayout now, DataLayout after) throws IOException {
      if (!now.equals(after)) {
        throw new IOException("the layout of " + directory + " is " + now + " by now");
      }
      return after;
    }

    /**
     * Changes the layout in each shard, where clients that make files in it read it. The head comes
     * last, so that a change that stopped half-way can be repeated. It may have stopped under
     * another layout than this one: so the shards are looked at even if the head has this layout.
     * Returns false if it must be tried again.
     */
    private boolean changeInShards(DirectoryView head, DataLayout after) throws IOException {
      if (!head.isSharded()) {
        return true;
      }
      for (IndexObject shard : head.head().orElseThrow().shards().of(head.directory())) {
        DirectoryView view = freeNames.view(shard);
        if (!view.isOpen()) {
          return false;
        }
        if (!view.layout().equals(after)) {
          // Not looked at again if it is unknown: the head would not tell.
          if (!indexes.writer().apply(replacing(view, after))) {
            return false;
          }
          changed.add(shard);
        }
      }
      return true;
    }

    /** What to throw for a failure, which is not all of the truth if shards were changed. */
    private IOException ended(IOException failure) {
      if (changed.isEmpty()
          || failure instanceof OutcomeUnknownException
          || failure instanceof InterruptedIOException) {
        return failure;
      }
      return new OutcomeUnknownException(
          "the layout of %s is changed for the names in %d of its shards only: set it again"
              .formatted(directory, changed.size()),
          failure);
    }
  }

  /**
   * Sets a new fence too, so that processes that remember the directory read it again. The one
   * before is a guard: of two clients that change a directory with shards at once, one must begin
   * again, or the head would end with the layout of one and a shard with that of the other. It also
   * proves what came of the change: a fence never returns, while others may set the layout back.
   */
  private static IndexChange replacing(DirectoryView view, DataLayout after) throws IOException {
    byte[] fence = Uid.random().value().getBytes(StandardCharsets.UTF_8);
    IndexChange change =
        IndexChange.of(view)
            .expect(IndexKeys.LAYOUT, view.value(IndexKeys.LAYOUT))
            .expect(IndexKeys.FENCE, view.value(IndexKeys.FENCE))
            .mayReturn(IndexKeys.LAYOUT)
            .set(IndexKeys.FENCE, fence)
            .seen(view);
    return after.isDefault()
        ? change.remove(IndexKeys.LAYOUT)
        : change.set(IndexKeys.LAYOUT, after.encode());
  }

  private DirectoryView open(FsPath directory) throws IOException {
    DirectoryView view = freeNames.view(directory, List.of());
    if (view.isOpen()) {
      return view;
    }
    try {
      openIndexes.openExisting(directory);
    } catch (ParentNotDirectoryException e) {
      throw (IOException) new PathIsNotDirectoryException(directory.toString()).initCause(e);
    }
    return freeNames.view(directory, List.of());
  }
}
