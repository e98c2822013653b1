// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.read;

import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.OmapKeyOrder;
import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads children as stored, ignoring transactions: for directories that nobody may change. */
public final class StoredChildren {

  private final IndexReader reader;

  public StoredChildren(IndexReader reader) {
    this.reader = reader;
  }

  /** Takes one child after another. */
  @FunctionalInterface
  public interface Visitor {
    void child(String name, Entry entry) throws IOException;
  }

  /** The children that are directories. */
  public SortedMap<String, Entry.OfDirectory> directories(FsPath directory) throws IOException {
    SortedMap<String, Entry.OfDirectory> directories = new TreeMap<>(OmapKeyOrder.INSTANCE);
    visit(directory, onlyDirectories(directories));
    return directories;
  }

  /** The same, where the first page of the head object has been read. */
  public SortedMap<String, Entry.OfDirectory> directories(DirectoryPage first) throws IOException {
    if (first.view().isSharded()) {
      return directories(first.view().directory());
    }
    SortedMap<String, Entry.OfDirectory> directories = new TreeMap<>(OmapKeyOrder.INSTANCE);
    visit(first, onlyDirectories(directories));
    return directories;
  }

  /** The children in one index object that are directories. */
  public SortedMap<String, Entry.OfDirectory> directories(IndexObject index) throws IOException {
    SortedMap<String, Entry.OfDirectory> directories = new TreeMap<>(OmapKeyOrder.INSTANCE);
    visit(index, onlyDirectories(directories));
    return directories;
  }

  private static Visitor onlyDirectories(SortedMap<String, Entry.OfDirectory> to) {
    return (name, entry) -> {
      if (entry instanceof Entry.OfDirectory directory) {
        to.put(name, directory);
      }
    };
  }

  /** Visits all children, in shards too. A read for each 1,024, and one for each shard. */
  public void visit(FsPath directory, Visitor visitor) throws IOException {
    DirectoryPage page = reader.page(directory, IndexKeys.ENTRY_PREFIX, "");
    if (!page.view().isSharded()) {
      visit(page, visitor);
      return;
    }
    for (IndexObject shard : page.view().head().orElseThrow().shards().of(directory)) {
      visit(shard, visitor);
    }
  }

  /**
   * Visits those children whose entries can be read.
   *
   * @param failures told of the others, and of shards that cannot be read
   */
  public void visitReadable(FsPath directory, Visitor visitor, Failures failures)
      throws IOException {
    DirectoryPage page = reader.page(directory, IndexKeys.ENTRY_PREFIX, "");
    if (!page.view().isSharded()) {
      visit(page, readable(visitor, failures));
      return;
    }
    for (IndexObject shard : page.view().head().orElseThrow().shards().of(directory)) {
      boolean unused =
          failures.attempt(
              "shard '" + shard + "'",
              () ->
                  visit(
                      reader.page(shard, IndexKeys.ENTRY_PREFIX, ""), readable(visitor, failures)));
    }
  }

  private static StoredVisitor readable(Visitor visitor, Failures failures) {
    return (index, key, value) -> {
      Entry entry;
      String name = IndexKeys.nameOf(key);
      try {
        entry = EntryCodec.decode(index.directory().child(name), value);
      } catch (LayoutException | FsPath.InvalidNameException e) {
        failures.add("key '" + key + "' of '" + index + "'", e);
        return;
      }
      visitor.child(name, entry);
    };
  }

  /** Takes one entry as it is stored. */
  private interface StoredVisitor {
    void stored(IndexObject index, String key, byte[] value) throws IOException;
  }

  /** Visits the children that are in one index object. */
  public void visit(IndexObject index, Visitor visitor) throws IOException {
    visit(reader.page(index, IndexKeys.ENTRY_PREFIX, ""), visitor);
  }

  private void visit(DirectoryPage first, Visitor visitor) throws IOException {
    visit(
        first,
        (index, key, value) -> {
          String name = IndexKeys.nameOf(key);
          visitor.child(name, EntryCodec.decode(index.directory().child(name), value));
        });
  }

  private void visit(DirectoryPage first, StoredVisitor visitor) throws IOException {
    IndexObject index = first.view().index();
    DirectoryPage page = first;
    while (true) {
      for (Map.Entry<String, byte[]> stored : page.entries().entrySet()) {
        visitor.stored(index, stored.getKey(), stored.getValue());
      }
      if (!page.more()) {
        return;
      }
      page = reader.page(index, IndexKeys.ENTRY_PREFIX, page.lastKey());
    }
  }
}
