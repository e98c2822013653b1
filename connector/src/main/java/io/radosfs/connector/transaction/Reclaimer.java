package io.radosfs.connector.transaction;

import io.radosfs.connector.data.DataRemover;
import io.radosfs.connector.data.KeptData;
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
import io.radosfs.connector.layout.LayoutException;
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
 * directories. Data of replaced files that is kept for a while it hands over to {@link KeptData},
 * so that the index of their directory is rid of it, and can be removed or moved. Each step can be
 * repeated, by anyone: data is removed by operations guarded with its uid, an index by one guarded
 * with its closing head, and what leads to an object goes after the object.
 */
public final class Reclaimer {

  private static final int MAX_TRIES = 200;

  private final ObjectStore store;
  private final IndexReader reader;
  private final IndexWriter writer;
  private final FreeNames freeNames;
  private final DataRemover data;
  private final Retention retention;
  private final KeptData keptData;

  Reclaimer(
      ObjectStore store,
      IndexReader reader,
      IndexWriter writer,
      FreeNames freeNames,
      DataRemover data,
      Retention retention,
      KeptData keptData) {
    this.store = store;
    this.reader = reader;
    this.writer = writer;
    this.freeNames = freeNames;
    this.data = data;
    this.retention = retention;
    this.keptData = keptData;
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

  /** The same for something that was just listed: kept data is handed over, by one more write. */
  public void reclaim(FsPath directory, Reclaim.OfFile listed) throws IOException {
    delete(List.of(listed));
    forget(directory, List.of(IndexKeys.reclaim(listed.uid())));
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

  private void delete(Collection<? extends Reclaim> listed) throws IOException {
    List<FileData> files = new ArrayList<>();
    List<Reclaim.OfFile> kept = new ArrayList<>();
    for (Reclaim reclaim : listed) {
      if (reclaim instanceof Reclaim.OfFile file) {
        if (retention.keeps(file)) {
          kept.add(file);
        } else {
          files.add(file.file().data());
        }
      }
    }
    keptData.keep(kept);
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
   * Deletes the data of the files in a closing index, or hands it over, and the index; nothing if
   * it is not closing.
   */
  private void deleteIndex(FsPath directory, Uid uid) throws IOException {
    DirectoryView view = reader.keys(directory, List.of(IndexKeys.KEPT_UNTIL));
    Optional<IndexHead> head = view.head();
    if (head.isPresent() && head.get().is(IndexHead.State.FROZEN)) {
      freeNames.settle(directory, List.of(head.get().tag()), false);
      view = reader.keys(directory, List.of(IndexKeys.KEPT_UNTIL));
      head = view.head();
    }
    if (head.isEmpty() || !head.get().equals(IndexHead.closing(uid))) {
      return;
    }
    deleteChildren(directory, uid, keptUntil(view));
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

  /** Of a directory whose files were replaced; of one that was deleted nothing is kept. */
  private static long keptUntil(DirectoryView closing) throws LayoutException {
    Optional<byte[]> stored = closing.value(IndexKeys.KEPT_UNTIL);
    return stored.isEmpty()
        ? Reclaim.AT_ONCE
        : Reclaim.decodeUntil(closing.object(), IndexKeys.KEPT_UNTIL, stored.get());
  }

  private void deleteChildren(FsPath directory, Uid uid, long until) throws IOException {
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
        children.add(Reclaim.of(path, EntryCodec.decode(path, stored.getValue()), until));
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
