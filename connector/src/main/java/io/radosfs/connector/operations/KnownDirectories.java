// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.LruCache;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Remembers directories in which this process has lately made files under free names, as they were
 * then. So the next file there needs no read first. A view may be of any age: it decides nothing,
 * as the operation that rests on it is guarded with it. But a layout that this process has changed,
 * removed or renamed with its directory must be known here: its next file has the new one.
 *
 * <p>No RADOS operation. Bounded; thread-safe.
 */
public final class KnownDirectories {

  private static final int MOST = 256;

  /** With only the index's own keys: what is known of one name tells nothing of the next. */
  private final LruCache<IndexObject, DirectoryView> views = new LruCache<>(MOST);

  /** The index object as it was when a file was last made in it, without any names. */
  Optional<DirectoryView> recall(IndexObject index) {
    return views.get(index);
  }

  /**
   * Notes that a file was made in the directory.
   *
   * @param view what the change was guarded with
   * @param change the {@link IndexKeys#CHANGE} that it left
   */
  void remember(DirectoryView view, byte[] change) throws IOException {
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

  void forget(IndexObject index) {
    views.forget(index);
  }

  /** Forgets the directories at these paths. */
  void forgetEach(Set<FsPath> paths) {
    views.forgetIf(index -> paths.contains(index.directory()));
  }

  /** Forgets the directory at that path, and all below it. */
  void forgetBelow(FsPath path) {
    views.forgetIf(index -> index.directory().isAtOrBelow(path));
  }
}
