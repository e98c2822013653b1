package io.radosfs.connector.transaction;

import io.radosfs.connector.data.DataRemover;
import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.index.IndexWriter;
import io.radosfs.connector.layout.Decision;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Reclaim;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.RepeatableOps;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Deletes what nothing refers to any more: the data listed under {@code x/}, and closing
 * directories. Each step can be repeated, by anyone: data is removed by operations guarded with its
 * uid, an index by one guarded with its closing head, and what leads to an object goes after the
 * object.
 */
public final class Reclaimer {

  private static final int MAX_TRIES = 200;

  private final ObjectStore store;
  private final IndexReader reader;
  private final IndexWriter writer;
  private final FreeNames freeNames;
  private final DataRemover data;

  Reclaimer(
      ObjectStore store,
      IndexReader reader,
      IndexWriter writer,
      FreeNames freeNames,
      DataRemover data) {
    this.store = store;
    this.reader = reader;
    this.writer = writer;
    this.freeNames = freeNames;
    this.data = data;
  }

  /** Deletes everything listed in a directory. One read where nothing is. */
  public void reclaim(FsPath directory) throws IOException {
    while (true) {
      DirectoryPage page = reader.page(directory, IndexKeys.RECLAIM_PREFIX, "");
      if (page.entries().isEmpty()) {
        return;
      }
      Map<String, Reclaim> listed = new HashMap<>();
      for (Map.Entry<String, byte[]> entry : page.entries().entrySet()) {
        listed.put(
            entry.getKey(), Reclaim.decode(page.view().object(), entry.getKey(), entry.getValue()));
      }
      delete(listed.values());
      forget(directory, listed.keySet());
    }
  }

  /**
   * Deletes the objects of a removed file, then its place in the list. One write beside the data.
   */
  public void reclaim(FsPath directory, FileData removed) throws IOException {
    reclaim(directory, List.of(removed));
  }

  /** The same for many files of one directory. One write beside the data. */
  public void reclaim(FsPath directory, Collection<FileData> removed) throws IOException {
    data.removeAll(removed);
    List<String> keys = new ArrayList<>();
    removed.forEach(file -> keys.add(IndexKeys.reclaim(file.uid())));
    forget(directory, keys);
  }

  private void forget(FsPath directory, Collection<String> keys) throws IOException {
    WriteOp op = WriteOp.builder().assertExists().removeOmap(keys).build();
    boolean unused =
        RepeatableOps.accepted(
            () -> store.write(ObjectNames.index(directory), op), StoreException.Kind.NOT_FOUND);
  }

  private void delete(Collection<Reclaim> listed) throws IOException {
    List<FileData> files = new ArrayList<>();
    for (Reclaim reclaim : listed) {
      if (reclaim instanceof Reclaim.OfFile file) {
        files.add(file.file().data());
      }
    }
    data.removeAll(files);
    for (Reclaim reclaim : listed) {
      if (reclaim instanceof Reclaim.OfDirectory removed) {
        deleteIndex(removed.directory(), removed.uid());
      }
    }
  }

  /**
   * Finishes the removal of a directory whose index is closing: its entry in the parent goes, then
   * the data of its files, then the index.
   *
   * @param uid of the directory, as in the closing head
   */
  public void finishRemoval(FsPath directory, Uid uid) throws IOException {
    removeEntry(directory, uid);
    deleteIndex(directory, uid);
    forget(directory.parent(), List.of(IndexKeys.reclaim(uid)));
  }

  private void removeEntry(FsPath directory, Uid uid) throws IOException {
    FsPath parent = directory.parent();
    String name = directory.name();
    for (int i = 0; i < MAX_TRIES; i++) {
      DirectoryView view = freeNames.view(parent, List.of(name));
      Optional<Entry> entry = view.entry(name);
      if (entry.isEmpty() || !entry.get().uid().equals(uid)) {
        return;
      }
      IndexChange change =
          IndexChange.of(parent, view.head().orElseThrow())
              .expectFree(name, view.storedEntry(name))
              .remove(IndexKeys.entry(name))
              .set(IndexKeys.reclaim(uid), Reclaim.of(directory, entry.get()).encode());
      if (writer.applyOrLookAgain(change)) {
        return;
      }
    }
    throw new IOException("the entry of " + directory + " keeps changing; try again");
  }

  /**
   * Deletes the data of the files in a closing index, and the index; nothing if it is not closing.
   */
  private void deleteIndex(FsPath directory, Uid uid) throws IOException {
    DirectoryView view = reader.keys(directory, List.of());
    Optional<IndexHead> head = view.head();
    if (head.isPresent() && head.get().is(IndexHead.State.FROZEN)) {
      freeNames.settle(directory, List.of(head.get().tag()), false);
      head = reader.keys(directory, List.of()).head();
    }
    if (head.isEmpty() || !head.get().equals(IndexHead.closing(uid))) {
      return;
    }
    deleteChildren(directory, uid);
    reclaim(directory);
    keepJobs(directory, uid);
    writer.applyOrLookAgain(IndexChange.of(directory, IndexHead.closing(uid)).removeIndex());
  }

  /**
   * Others may have finished the removal since it was last looked at, and the directory may be
   * there anew: each page tells whether it is of the index that is closing.
   */
  private static boolean isClosing(DirectoryPage page, Uid uid) throws IOException {
    return page.view().head().filter(IndexHead.closing(uid)::equals).isPresent();
  }

  private void deleteChildren(FsPath directory, Uid uid) throws IOException {
    String after = "";
    boolean more = true;
    while (more) {
      DirectoryPage page = reader.page(directory, IndexKeys.ENTRY_PREFIX, after);
      if (!isClosing(page, uid)) {
        return;
      }
      List<Reclaim> children = new ArrayList<>();
      for (Map.Entry<String, byte[]> stored : page.entries().entrySet()) {
        FsPath path = directory.child(IndexKeys.nameOf(stored.getKey()));
        children.add(Reclaim.of(path, EntryCodec.decode(path, stored.getValue())));
      }
      delete(children);
      more = page.more();
      after = more ? page.lastKey() : after;
    }
  }

  /**
   * Keeps the records of jobs that were writing to a removed directory reachable: they cannot
   * commit any more, but what they wrote is still to be deleted; of one that is committed, only
   * what it left over, as files of it may have been renamed to elsewhere. So the decision is kept.
   */
  private void keepJobs(FsPath directory, Uid uid) throws IOException {
    Map<String, byte[]> records = new HashMap<>();
    String after = "";
    boolean more = true;
    while (more) {
      DirectoryPage page = reader.page(directory, IndexKeys.DECISION_PREFIX, after);
      if (!isClosing(page, uid)) {
        return;
      }
      for (Map.Entry<String, byte[]> stored : page.entries().entrySet()) {
        String id = stored.getKey().substring(IndexKeys.DECISION_PREFIX.length());
        Decision decision = Decision.decode(page.view().object(), id, stored.getValue());
        if (!decision.owner().startsWith(FreeNames.RENAME_OWNER)) {
          records.put(IndexKeys.REMOVED_JOB_PREFIX + decision.owner(), stored.getValue());
        }
      }
      more = page.more();
      after = more ? page.lastKey() : after;
    }
    if (!records.isEmpty()) {
      RepeatableOps.repeat(
          () ->
              store.write(
                  ObjectNames.LEDGERS,
                  WriteOp.builder().createIfMissing().setOmap(records).build()));
    }
  }
}
