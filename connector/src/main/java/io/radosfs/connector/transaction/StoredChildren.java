package io.radosfs.connector.transaction;

import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.Utf8Order;
import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Children as stored, whatever transactions make of them: for directories that nobody may change.
 */
final class StoredChildren {

  private final IndexReader reader;

  StoredChildren(IndexReader reader) {
    this.reader = reader;
  }

  /** The children by name; empty where there is no index. ⌈n/1024⌉ reads. */
  SortedMap<String, Entry> of(FsPath directory) throws IOException {
    SortedMap<String, Entry> children = new TreeMap<>(Utf8Order.INSTANCE);
    DirectoryPage page = reader.page(directory, IndexKeys.ENTRY_PREFIX, "");
    while (true) {
      for (Map.Entry<String, byte[]> stored : page.entries().entrySet()) {
        String name = IndexKeys.nameOf(stored.getKey());
        children.put(name, EntryCodec.decode(directory.child(name), stored.getValue()));
      }
      if (!page.more()) {
        return children;
      }
      page = reader.page(directory, IndexKeys.ENTRY_PREFIX, page.lastKey());
    }
  }
}
