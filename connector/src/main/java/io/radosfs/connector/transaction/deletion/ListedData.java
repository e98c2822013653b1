// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.deletion;

import io.radosfs.connector.data.DataRemover;
import io.radosfs.connector.data.RetainedData;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.store.FirstFailure;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.RepeatableOps;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.WriteOp;
import io.radosfs.connector.transaction.Retention;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the data of files that an index object lists under {@code x/}, and then the keys. Data of
 * replaced files that is to be retained is handed over to {@link RetainedData}, so that the index
 * does not list it any more and can be removed or moved. Any client can repeat each step: data is
 * removed by operations guarded with its uid, and the key after the data.
 */
public final class ListedData {

  private static final Logger LOG = LoggerFactory.getLogger(ListedData.class);

  private final ObjectStore store;
  private final DataRemover data;
  private final Retention retention;
  private final RetainedData retainedData;

  /**
   * @param store the pool of the index
   */
  public ListedData(
      ObjectStore store, DataRemover data, Retention retention, RetainedData retainedData) {
    this.store = store;
    this.data = data;
    this.retention = retention;
    this.retainedData = retainedData;
  }

  /**
   * Deletes the objects of a file that a change has removed and listed, then the {@code x/} key.
   * One write, plus those for the data; nothing if the change has listed nothing ({@link
   * IndexChange#hasListed}).
   */
  public void delete(IndexChange made, FileData removed) throws IOException {
    delete(made, List.of(removed));
  }

  /** The same for a replaced file: retained data is handed over, by one more write. */
  public void delete(IndexChange made, DeferredDeletion.OfFile listed) throws IOException {
    if (made.hasListed()) {
      FirstFailure failure = new FirstFailure();
      delete(List.of(listed), deleted -> {}, failure);
      failure.rethrow();
      forget(made.index(), List.of(IndexKeys.deferredDeletion(listed.uid())));
    }
  }

  /** The same for many files of one index object. One write, plus those for the data. */
  public void delete(IndexChange made, Collection<FileData> removed) throws IOException {
    if (made.hasListed()) {
      data.removeAll(removed);
      List<String> keys = new ArrayList<>();
      removed.forEach(file -> keys.add(IndexKeys.deferredDeletion(file.uid())));
      forget(made.index(), keys);
    }
  }

  /**
   * Whether others have deleted or replaced a file that was in an index: its data is listed, in the
   * index, or elsewhere where it is retained, or could not be deleted with the directory. One read,
   * and some {@value RetainedData#OBJECTS} more. Where it is not listed it may have been, and be
   * {@linkplain #isGone gone}: so that is asked next.
   */
  public boolean has(IndexObject index, FileData file) throws IOException {
    String key = IndexKeys.deferredDeletion(file.uid());
    boolean listed =
        Reads.find(store, index.name(), ReadOp.builder().omapByKeys(List.of(key)).build())
            .filter(found -> !found.omap(0).isEmpty())
            .isPresent();
    return listed || retainedData.has(file.uid());
  }

  /** Whether the data of a complete file was removed, by whoever it was. One read. */
  public boolean isGone(FileData file) throws IOException {
    return !data.hasFirst(file);
  }

  /**
   * Deletes all data of files that can be deleted, or hands it over; directories stay. The keys
   * stay too, see {@link #forget}. No cost but for the data.
   *
   * @param deleted told of what is deleted, or handed over
   */
  void delete(
      Collection<? extends DeferredDeletion> listed,
      Consumer<DeferredDeletion> deleted,
      FirstFailure failure) {
    Map<FileData, List<DeferredDeletion>> files = new LinkedHashMap<>();
    List<DeferredDeletion.OfFile> kept = new ArrayList<>();
    for (DeferredDeletion deletion : listed) {
      if (deletion instanceof DeferredDeletion.OfFile file) {
        if (retention.keeps(file)) {
          kept.add(file);
        } else {
          files.computeIfAbsent(file.file().data(), any -> new ArrayList<>()).add(file);
        }
      }
    }
    failure.attempt(
        () -> {
          retainedData.keep(kept);
          kept.forEach(deleted);
        });
    failure.attempt(
        () -> data.removeAll(files.keySet().iterator(), file -> files.get(file).forEach(deleted)));
  }

  /**
   * The same for a closing index, which is not to stay for what cannot be deleted: nobody could use
   * the name of the directory. So that is handed over to {@link RetainedData} too, which has it
   * deleted later. One more write, if there is any. Where RADOS does not answer, or has cut this
   * process off, it stays listed: the next client can delete it.
   */
  void deleteOrHandOver(
      Collection<? extends DeferredDeletion> listed,
      Consumer<DeferredDeletion> deleted,
      FirstFailure failure) {
    Set<DeferredDeletion.OfFile> left = new LinkedHashSet<>();
    for (DeferredDeletion deletion : listed) {
      if (deletion instanceof DeferredDeletion.OfFile file) {
        left.add(file);
      }
    }
    FirstFailure own = new FirstFailure();
    delete(
        listed,
        gone -> {
          left.remove(gone);
          deleted.accept(gone);
        },
        own);
    if (left.isEmpty()
        || own.isEnd()
        || own.first().filter(ListedData::isOfConnection).isPresent()) {
      own.first().ifPresent(failure::add);
      return;
    }
    failure.attempt(
        () -> {
          retainedData.keep(
              left.stream().map(file -> retention.keeps(file) ? file : file.atOnce()).toList());
          left.forEach(deleted);
          tellOf(left.size(), own);
        });
  }

  private static boolean isOfConnection(Throwable failure) {
    return failure instanceof StoreException e
        && (e.isUnanswered() || e.is(StoreException.Kind.BLOCKLISTED));
  }

  /**
   * Hands lines of a closing index over that cannot be read. One write, if there are any.
   *
   * @param why they cannot
   */
  void handOver(Map<String, byte[]> unreadable, FirstFailure why) throws IOException {
    if (!unreadable.isEmpty()) {
      Map<String, byte[]> lines = new HashMap<>();
      unreadable.forEach((key, line) -> lines.put(IndexKeys.nameOf(key), line));
      retainedData.keepUnreadable(lines);
      tellOf(lines.size(), why);
    }
  }

  private static void tellOf(int number, FirstFailure why) {
    LOG.warn(
        "data of {} files of a removed directory could not be deleted now; radosfs gc tries again",
        number,
        why.first().orElse(null));
  }

  /**
   * Removes the key of a directory that is deleted. If it was renamed before it was removed, the
   * key lists it under another path, where it is still to be deleted: then the key stays. One
   * write.
   */
  void forget(IndexObject index, DeferredDeletion.OfDirectory removed) throws IOException {
    String key = IndexKeys.deferredDeletion(removed.uid());
    WriteOp op =
        WriteOp.builder()
            .assertExists()
            .compareOmap(key, removed.encode())
            .removeOmap(List.of(key))
            .build();
    RepeatableOps.Answer unused =
        RepeatableOps.accepted(
            () -> store.write(index.name(), op),
            StoreException.Kind.NOT_FOUND,
            StoreException.Kind.GUARD_FAILED);
  }

  /** Removes the keys of what is deleted. One write, if there are any. */
  void forget(IndexObject index, Collection<String> keys) throws IOException {
    if (keys.isEmpty()) {
      return;
    }
    WriteOp op = WriteOp.builder().assertExists().removeOmap(keys).build();
    RepeatableOps.Answer unused =
        RepeatableOps.accepted(() -> store.write(index.name(), op), StoreException.Kind.NOT_FOUND);
  }
}
