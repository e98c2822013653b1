// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.operations;

import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.transaction.resolve.FreeNames;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Changes the attributes of what is at a path. */
final class EntryAttributes {

  private final Indexes indexes;
  private final FreeNames freeNames;
  private final UnfinishedFiles unfinished;

  EntryAttributes(Indexes indexes, FreeNames freeNames, UnfinishedFiles unfinished) {
    this.indexes = indexes;
    this.freeNames = freeNames;
    this.unfinished = unfinished;
  }

  /**
   * Changes the attributes of the entry, and of the files that this process is writing under that
   * name: each of them once, also if it is published meanwhile. If those of the entry are not to be
   * changed, none are. One read and one write; one read if there is no entry; as much again for
   * each file that is published meanwhile.
   *
   * @throws FileNotFoundException if there is none of these
   */
  void change(FsPath path, AttributeChange change) throws IOException {
    List<IndexPublisher> beingWritten = unfinished.at(path);
    Optional<Uid> changed = changeEntry(path, any -> true, change);
    boolean there = changed.isPresent();
    for (IndexPublisher file : beingWritten) {
      there |=
          changed.filter(file.uid()::equals).isPresent()
              || file.change(change)
              || changeEntry(path, entry -> entry.uid().equals(file.uid()), change).isPresent();
    }
    if (!there) {
      throw new FileNotFoundException(path + " does not exist");
    }
  }

  /** Returns the uid of the entry that was changed; empty if there is no such entry. */
  private Optional<Uid> changeEntry(FsPath path, Predicate<Entry> which, AttributeChange change)
      throws IOException {
    String name = path.name();
    List<IndexChange> refused = new ArrayList<>();
    return indexes
        .retries()
        .run(
            "change of the attributes of " + path,
            () -> {
              DirectoryView view = freeNames.view(path.parent(), List.of(name));
              Optional<Entry> found = view.isOpen() ? view.entry(name) : Optional.empty();
              if (found.filter(which).isEmpty()) {
                return Optional.of(Optional.empty());
              }
              Entry entry = found.get();
              if (IndexChange.anyIsLastIn(view, refused)) {
                return Optional.of(Optional.of(entry.uid())); // not what the change is to be of
              }
              Entry changed = entry.withAttributes(change.of(entry.attributes()));
              IndexChange made =
                  IndexChange.of(view)
                      .expectFree(name, view.storedEntry(name))
                      .set(IndexKeys.entry(name), EntryCodec.encode(path, changed))
                      .mayReturn(IndexKeys.entry(name))
                      .seen(view);
              if (indexes.writer().apply(made)) {
                return Optional.of(Optional.of(entry.uid()));
              }
              refused.add(made);
              return Optional.empty();
            });
  }
}
