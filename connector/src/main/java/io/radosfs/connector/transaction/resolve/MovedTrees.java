// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.resolve;

import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.WriteIntent;
import io.radosfs.connector.transaction.read.StoredChildren;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Resolves the indexes of a renamed directory tree, the old ones (locked) and the new ones.
 * <em>Every client</em> does so from the leaves up: if an index is missing, or has no mark of the
 * rename, nothing is left to resolve below it. So the client that finishes the rename finds all
 * that is left from the top. It forgets the status record only when no mark is left, as a mark
 * without a status record means that the rename was given up.
 */
public final class MovedTrees {

  private final IndexReader reader;
  private final StoredChildren children;
  private final Resolver resolver;

  public MovedTrees(IndexReader reader, Resolver resolver) {
    this.reader = reader;
    this.children = new StoredChildren(reader);
    this.resolver = resolver;
  }

  /**
   * Resolves a decided rename in one index object, and before that in all that is below it. Three
   * operations for each directory, and a read for each 1,024 names.
   */
  public void resolve(IndexObject index, Move move, boolean committed) throws IOException {
    if (index.directory().isAtOrBelow(move.destination())) {
      resolveNew(index, move.id(), committed);
    } else if (index.directory().isAtOrBelow(move.source())) {
      resolveOld(index, move.id(), committed);
    } else {
      resolver.resolve(index, move.id(), committed);
    }
  }

  private void resolveNew(IndexObject index, String id, boolean committed) throws IOException {
    String mark = IndexKeys.transaction(id);
    DirectoryView view = reader.keys(index, Set.of(mark));
    if (!view.isSharded() && view.value(mark).isEmpty()) {
      return;
    }
    Set<String> below = new TreeSet<>();
    for (IndexObject object : objects(view)) {
      addIntended(object, id, below);
      if (committed) {
        // If the names were not all resolved at once, the first of them are entries by now.
        below.addAll(children.directories(object).keySet());
      }
    }
    for (String name : below) {
      resolveNew(IndexObject.head(index.directory().child(name)), id, committed);
    }
    resolver.resolve(index, id, committed);
  }

  private void resolveOld(IndexObject index, String id, boolean committed) throws IOException {
    DirectoryView view = reader.keys(index, Set.of());
    if (view.head().filter(head -> head.isFrozenBy(id)).isEmpty()) {
      return;
    }
    Set<String> below = new TreeSet<>();
    for (IndexObject object : objects(view)) {
      below.addAll(children.directories(object).keySet());
    }
    for (String name : below) {
      resolveOld(IndexObject.head(index.directory().child(name)), id, committed);
    }
    resolver.resolve(index, id, committed);
  }

  /** The objects that have the names of a directory; for a shard, the shard itself. */
  private static List<IndexObject> objects(DirectoryView view) throws IOException {
    return view.isSharded()
        ? view.head().orElseThrow().shards().of(view.directory())
        : List.of(view.index());
  }

  private void addIntended(IndexObject index, String id, Set<String> names) throws IOException {
    DirectoryPage page = reader.page(index, IndexKeys.INTENT_PREFIX, "");
    while (true) {
      for (Map.Entry<String, byte[]> stored : page.entries().entrySet()) {
        String name = IndexKeys.nameOf(stored.getKey());
        WriteIntent intent = WriteIntent.decode(index.directory().child(name), stored.getValue());
        if (intent.isBy(id)
            && intent.entry().filter(Entry.OfDirectory.class::isInstance).isPresent()) {
          names.add(name);
        }
      }
      if (!page.more()) {
        return;
      }
      page = reader.page(index, IndexKeys.INTENT_PREFIX, page.lastKey());
    }
  }
}
