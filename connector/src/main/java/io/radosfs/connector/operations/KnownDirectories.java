// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.LruCache;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Predicate;

/**
 * Remembers directories in which this process has lately made files under free names, as they were
 * then. So the next file there needs no read first. A view may be of any age: it decides nothing,
 * as the operation that rests on it is guarded with it. But a layout that this process has changed,
 * removed or renamed with its directory must be known here: its next file has the new one. So what
 * was learned of a directory before it was forgotten is not remembered afterwards: another thread
 * may have read it before the change, and be held up since.
 *
 * <p>No RADOS operation. Bounded; thread-safe.
 */
public final class KnownDirectories {

  private static final int MOST = 256;

  /** With only the index's own keys: what is known of one name tells nothing of the next. */
  private final LruCache<IndexObject, DirectoryView> views = new LruCache<>(MOST);

  /** Those that are not ended; weak, as a stream may be dropped without being closed. */
  private final Set<Learning> learning = Collections.newSetFromMap(new WeakHashMap<>());

  /**
   * What one creation of a file learns of its directory, from the first read on until the file is
   * made or given up.
   */
  final class Learning {
    private final FsPath directory;

    /** Whether the directory was forgotten since. */
    private boolean outdated;

    private Learning(FsPath directory) {
      this.directory = directory;
    }

    /** Begins anew. Call it before the directory is read again. */
    void again() {
      synchronized (KnownDirectories.this) {
        outdated = false;
        learning.add(this);
      }
    }

    /**
     * Notes that a file was made in the directory, unless that was forgotten meanwhile.
     *
     * @param view what the change was guarded with
     * @param change the {@link IndexKeys#CHANGE} that it left
     */
    void remember(DirectoryView view, byte[] change) throws IOException {
      synchronized (KnownDirectories.this) {
        if (!outdated) {
          KnownDirectories.this.remember(view, change);
        }
      }
    }

    void end() {
      synchronized (KnownDirectories.this) {
        outdated = true;
        learning.remove(this);
      }
    }
  }

  /** Begins to learn of a directory. Call it before that is read or recalled. */
  Learning begin(FsPath directory) {
    Learning begun = new Learning(directory);
    begun.again();
    return begun;
  }

  /** The index object as it was when a file was last made in it, without any names. */
  Optional<DirectoryView> recall(IndexObject index) {
    return views.get(index);
  }

  private void remember(DirectoryView view, byte[] change) throws IOException {
    if (view.head().filter(IndexHead.OPEN::equals).isEmpty()) {
      return;
    }
    Map<String, byte[]> values = new HashMap<>();
    view.values()
        .forEach(
            (key, value) -> {
              if (key.startsWith(IndexKeys.HEAD)) {
                values.put(key, value);
              }
            });
    values.put(IndexKeys.CHANGE, change);
    views.put(view.index(), new DirectoryView(view.index(), true, values));
  }

  /**
   * Drops what is remembered, as the next file should read first. What others are learning may be
   * newer, and stays.
   */
  void drop(IndexObject index) {
    views.forget(index);
  }

  /** Forgets a directory whose layout this process has changed. */
  void forget(FsPath directory) {
    forgetIf(directory::equals);
  }

  /** Forgets the directories at these paths. */
  void forgetEach(Set<FsPath> paths) {
    forgetIf(paths::contains);
  }

  /** Forgets the directory at that path, and all below it. */
  public void forgetBelow(FsPath path) {
    forgetIf(directory -> directory.isAtOrBelow(path));
  }

  private synchronized void forgetIf(Predicate<FsPath> unwanted) {
    for (Learning begun : learning) {
      begun.outdated |= unwanted.test(begun.directory);
    }
    views.forgetIf(index -> unwanted.test(index.directory()));
  }
}
