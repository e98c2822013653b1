// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.RetainedData;
import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Lead;
import io.radosfs.connector.layout.Uid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out whether anything leads to an object at this instant. Every caller that would call an
 * object garbage asks here.
 *
 * <p><b>The places, in the order in which they are read.</b> A reference to an object moves while
 * other clients work. But it moves only to a place further down in this list, and is in the new
 * place before it leaves the old one (I4). So if a search in this order meets the reference in no
 * place, there was an instant at which it was in none. A search in another order might read each
 * place just when the reference is in another.
 *
 * <ol>
 *   <li>The ledgers of processes. A line is crossed out once the index has the file or directory,
 *       in the operation that writes the next line.
 *   <li>The records of jobs, each when its registration is met in the index, before the instant
 *       (see below). A job's files go to the index, as intents or as entries. Then the record goes,
 *       and its registration last. So if a record is gone when it is read, its files are in the
 *       index by then, or nowhere.
 *   <li>The index, at one instant: entries, intents, deferred deletions, status records. Within the
 *       index references move in all directions, so it takes an instant.
 *   <li>The list of jobs whose destination was removed, and their records: a registration moves
 *       there from the index, before the index goes.
 *   <li>The lists of retained data: a line moves there from {@code x/} of an index, and never back.
 *       A file that {@link Restoration} makes of such data is another file, and begins in a ledger;
 *       the line stays until it is due. It may be due before it is read here: then the objects have
 *       another owner than before the search, and who asks about objects looks at that ({@link
 *       LeakedObjects#rest}).
 * </ol>
 *
 * <p>Not every question needs all places. <em>Files that their process can no longer publish</em>
 * ({@link #inIndex}) have no reference but their ledger's line, unless they are or were in the
 * index; no job refers to them. For <em>any object that existed before</em> ({@link #anywhere}) all
 * places are read. An object with a reference at any time of the search counts as referenced. That
 * is enough: an object without a reference never gets one again.
 *
 * <p>Other callers ask other questions. A client that <em>removes an index</em> asks whether the
 * index leads anywhere, in the operation that removes it ({@link
 * io.radosfs.connector.index.IndexLeads}), and before that whether the parent has the directory: as
 * the index does not change any more, the order does not matter. A client that <em>locks</em> a
 * directory asks which transactions are at work in it. To work off {@code x/} no question is
 * needed: the last reference was the entry that went in the same operation, and the objects are
 * guarded with their uid. All of them share {@link Lead}, which says what a key leads to.
 *
 * <p><b>The instant.</b> A file can be renamed from a directory not read yet to one already read.
 * So one reading proves nothing. A proof needs an <em>instant</em> at which every index object was
 * as it was read. Every change sets {@code h.change} anew. So if an index object is read whole
 * before the instant, and has the same {@code h.change} after it, it was at the instant as it was
 * read. An object that is read at the instant itself, by one operation, is not checked again. If
 * this holds for all objects, the tree of that instant is the one that was read, from the root
 * down. ({@code h.transactions}, which not every change sets anew, would not do: a file may be in a
 * directory that is made after its parent was read, and goes before the parent is read again.)
 *
 * <p>The whole index is read once. After that only objects that have changed, the <em>busy</em>
 * ones, are read again; the instant is the last such read. The busy ones are checked first, and
 * nothing else is read while they change. When a check of all of them finds no change, all others
 * are checked, by one small read each; those that have changed are busy too. So the search ends
 * when the busy directories do not change for a few operations, and one busy directory alone never
 * prevents that. Without such a pause the search gives up after a bound, and says so. No search
 * that makes no client wait can do better: a file that is always renamed to a directory just read
 * cannot be told from a file that is nowhere.
 */
final class Leads {

  /** Maximum number of checks of the whole index. */
  static final int MOST_ROUNDS = 6;

  /** Maximum number of checks of the busy objects, in all. */
  static final int MOST_TRIES = 1000;

  private static final Set<String> OF_FILES =
      Set.of(IndexKeys.ENTRY_PREFIX, IndexKeys.INTENT_PREFIX, IndexKeys.DEFERRED_DELETION_PREFIX);

  private final IndexReader reader;
  private final RetainedData retainedData;
  private final Optional<WrittenDown> writtenDown;
  private final Suspects suspects;

  /** Every index object found, with its version when it was last read whole. */
  private final Map<IndexObject, String> read = new LinkedHashMap<>();

  private final Set<IndexObject> toRead = new LinkedHashSet<>();
  private final Set<String> records = new HashSet<>();

  private Leads(
      IndexReader reader,
      RetainedData retainedData,
      Optional<WrittenDown> writtenDown,
      Suspects suspects) {
    this.reader = reader;
    this.retainedData = retainedData;
    this.writtenDown = writtenDown;
    this.suspects = suspects;
  }

  /**
   * Clears those suspects that something leads to; no process can publish them any more. Reads each
   * page of the whole index, and checks each object of it once more, or up to {@value #MOST_ROUNDS}
   * times if the index changes. No read if there are no suspects.
   *
   * @return whether nothing leads to the rest; false if that could not be found out, as names keep
   *     being renamed
   */
  static boolean inIndex(IndexReader reader, RetainedData retainedData, Suspects suspects)
      throws IOException {
    return new Leads(reader, retainedData, Optional.empty(), suspects).search();
  }

  /**
   * The same for any objects that existed before the call, with references from all places. In
   * addition one read or more for each ledger, and for each job's record.
   */
  static boolean anywhere(
      IndexReader reader, RetainedData retainedData, WrittenDown writtenDown, Suspects suspects)
      throws IOException {
    return new Leads(reader, retainedData, Optional.of(writtenDown), suspects).search();
  }

  private boolean search() throws IOException {
    if (suspects.none()) {
      return true;
    }
    if (writtenDown.isPresent()) {
      writtenDown.get().processes(taker());
    }
    boolean certain = hasInstant();
    if (writtenDown.isPresent()) {
      writtenDown.get().removedJobs(taker());
    }
    List<FileData> kept = new ArrayList<>();
    retainedData.list(file -> kept.add(file.file().data()), suspects::unreadable);
    for (FileData data : kept) {
      suspects.retained(data);
    }
    return certain || suspects.none();
  }

  /** Returns whether there was an instant at which the index was as it was read. */
  private boolean hasInstant() throws IOException {
    Set<IndexObject> busy = new LinkedHashSet<>();
    found(IndexObject.head(FsPath.ROOT));
    int tries = 0;
    for (int round = 0; round < MOST_ROUNDS; round++) {
      Set<IndexObject> changed;
      Set<IndexObject> atInstant;
      do {
        if (tries++ == MOST_TRIES) {
          return false;
        }
        atInstant = readAll();
        if (suspects.none() || suspects.inVain()) {
          return true;
        }
        changed = changed(busy, atInstant);
        toRead.addAll(changed);
      } while (!changed.isEmpty());
      Set<IndexObject> others = new LinkedHashSet<>(read.keySet());
      others.removeAll(busy);
      changed = changed(others, atInstant);
      if (changed.isEmpty()) {
        return true;
      }
      busy.addAll(changed);
      toRead.addAll(changed);
    }
    return false;
  }

  /** Returns those of the objects that have changed since they were read. */
  private Set<IndexObject> changed(Collection<IndexObject> objects, Set<IndexObject> atInstant)
      throws IOException {
    Set<IndexObject> changed = new LinkedHashSet<>();
    for (IndexObject index : objects) {
      if (!atInstant.contains(index)
          && !read.get(index).equals(version(reader.keys(index, List.of())))) {
        changed.add(index);
      }
    }
    return changed;
  }

  /**
   * Reads all objects to be read, and the objects that they lead to. Returns the last one if one
   * operation read it: the instant of that read is after all others.
   */
  private Set<IndexObject> readAll() throws IOException {
    Set<IndexObject> last = Set.of();
    while (!toRead.isEmpty() && !suspects.none()) {
      IndexObject index = toRead.iterator().next();
      toRead.remove(index);
      last = readWhole(index) ? Set.of(index) : Set.of();
    }
    return last;
  }

  /** Returns whether one operation read it. */
  private boolean readWhole(IndexObject index) throws IOException {
    Map<String, String> after = new HashMap<>();
    prefixes().forEach(prefix -> after.put(prefix, ""));
    int operations = 0;
    while (!after.isEmpty()) {
      Map<String, DirectoryPage> pages = reader.pages(index, Set.of(), after);
      operations++;
      DirectoryView view = pages.values().iterator().next().view();
      if (operations == 1) {
        read.put(index, version(view));
        if (view.exists()) {
          suspects.object(index.name());
        }
      }
      try {
        view.head().ifPresent(head -> head.shards().of(index.directory()).forEach(this::found));
      } catch (LayoutException e) {
        suspects.unreadable(index.name(), e);
      }
      for (Map.Entry<String, DirectoryPage> page : pages.entrySet()) {
        read(page.getKey(), page.getValue());
        if (page.getValue().more()) {
          after.put(page.getKey(), page.getValue().lastKey());
        } else {
          after.remove(page.getKey());
        }
      }
    }
    return operations == 1;
  }

  /** A value that differs if anything in the object does. */
  private static String version(DirectoryView view) {
    return text(view.value(IndexKeys.HEAD)) + " " + text(view.value(IndexKeys.CHANGE));
  }

  private static String text(Optional<byte[]> value) {
    return value.map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse("-");
  }

  /** Without the records of jobs, only keys that lead to files are read. */
  private Set<String> prefixes() {
    return writtenDown.isPresent() ? Lead.PREFIXES : OF_FILES;
  }

  private void read(String prefix, DirectoryPage page) throws IOException {
    IndexObject index = page.view().index();
    for (Map.Entry<String, byte[]> stored : page.entries().entrySet()) {
      try {
        for (Lead lead : Lead.of(index, stored.getKey(), stored.getValue())) {
          follow(lead);
        }
      } catch (LayoutException e) {
        unread(prefix, index, stored.getKey(), stored.getValue(), e);
      }
    }
  }

  private void follow(Lead lead) throws IOException {
    if (lead instanceof Lead.ToFile file) {
      suspects.file(file.data());
    } else if (lead instanceof Lead.ToDirectory directory) {
      found(directory.directory());
    } else if (records.add(((Lead.ToJob) lead).record())) {
      writtenDown.orElseThrow().job(((Lead.ToJob) lead).record(), taker());
    }
  }

  /**
   * Handles a value that cannot be read. If it holds a uid, it is taken for that file's, and
   * perhaps for a directory, which is then read; else it may refer to anything.
   */
  private void unread(
      String prefix, IndexObject index, String key, byte[] value, LayoutException failure)
      throws IOException {
    List<Uid> said = Lead.said(value);
    said.forEach(suspects::file);
    String name = IndexKeys.nameOf(key);
    boolean isName = FsPath.isKey(name) && name.indexOf('/') < 0 && !name.isEmpty();
    if (said.size() == 1 && isName && !prefix.equals(IndexKeys.DEFERRED_DELETION_PREFIX)) {
      found(Lead.path(index, key));
    } else {
      suspects.unreadable("key '" + key + "' of '" + index + "'", failure);
    }
  }

  private WrittenDown.Taker taker() {
    return new WrittenDown.Taker() {
      @Override
      public void object(String name) throws IOException {
        suspects.object(name);
      }

      @Override
      public void unfinished(FileData data) {
        suspects.file(data.uid());
        suspects.file(data.written());
      }

      @Override
      public void mentioned(Uid file) {
        suspects.file(file);
      }

      @Override
      public void directory(FsPath directory) {
        found(directory);
      }

      @Override
      public void unreadable(String subject, IOException why) throws IOException {
        suspects.unreadable(subject, why);
      }

      @Override
      public void note(String text) {}
    };
  }

  private void found(FsPath directory) {
    found(IndexObject.head(directory));
  }

  private void found(IndexObject index) {
    if (!read.containsKey(index)) {
      toRead.add(index);
    }
  }
}
