// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Changes the attributes of entries in the index. */
final class EntryAttributes {

  private final Indexes indexes;
  private final FreeNames freeNames;

  EntryAttributes(Indexes indexes, FreeNames freeNames) {
    this.indexes = indexes;
    this.freeNames = freeNames;
  }

  /**
   * Changes the attributes of the entry at a path. One read and one write; one read if there is no
   * such entry.
   *
   * @return whether there is such an entry
   */
  boolean change(FsPath path, Predicate<Entry> which, AttributeChange change) throws IOException {
    String name = path.name();
    return indexes
        .retries()
        .run(
            "change of the attributes of " + path,
            () -> {
              DirectoryView view = freeNames.view(path.parent(), List.of(name));
              Optional<Entry> found = view.isOpen() ? view.entry(name) : Optional.empty();
              if (found.filter(which).isEmpty()) {
                return Optional.of(false);
              }
              Entry entry = found.get();
              Entry changed = entry.withAttributes(change.of(entry.attributes()));
              boolean applied =
                  indexes
                      .writer()
                      .apply(
                          IndexChange.of(view)
                              .expectFree(name, view.storedEntry(name))
                              .set(IndexKeys.entry(name), EntryCodec.encode(path, changed))
                              .mayReturn(IndexKeys.entry(name))
                              .seen(view));
              return applied ? Optional.of(true) : Optional.empty();
            });
  }
}
