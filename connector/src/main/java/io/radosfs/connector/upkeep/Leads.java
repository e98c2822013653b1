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
 * Who leads to an object at this instant: the one answer, for whoever would call it garbage.
 *
 * <p><b>The places, in the order in which they are read.</b> What leads to an object moves while
 * others work, but only ever from a place to one that comes after it here, and it is in the new
 * place before it leaves the old one (I4). So whoever reads the places in this order, and meets it
 * in none, knows that there was an instant at which it was in none. Read in another order, it may
 * be in each place only while another is read.
 *
 * <ol>
 *   <li>The ledgers of processes. A line goes when the index has the file or directory, by the next
 *       line that is written.
 *   <li>The records of jobs, each when its registration is met in the index, before the instant of
 *       which see below. A job's files go to the index, prepared as intents or at once; the record
 *       goes after that, its registration last. So of a record that has gone when it is to be read
 *       the files are in the index by then, or nowhere.
 *   <li>The index, at one instant: entries, intents, what is listed to be deleted, status records.
 *       Within it things move in all directions, which is why it takes an instant.
 *   <li>The list of jobs whose destination was removed, and their records: a registration goes
 *       there from the index, before the index goes.
 *   <li>The lists of replaced data that is kept: a line goes there from {@code x/} of an index, and
 *       never back.
 * </ol>
 *
 * <p>Not every question needs all of them. Of <em>files that their process can publish no more</em>
 * ({@link #inIndex}) it is known that their ledger's line is all there is, unless they are in the
 * index or have been; no job has a part in them. Of <em>any object that was there before</em>
 * ({@link #anywhere}) all places are asked. What was led to at some time of the reading counts as
 * led to: the answer is about what nothing leads to, and never comes back to be led to.
 *
 * <p>Others ask other questions. Whoever <em>removes an index</em> asks whether the index leads
 * anywhere, in the operation that removes it ({@link io.radosfs.connector.index.IndexLeads}), and
 * before that whether its directory is there, by its parent alone: as the index does not change any
 * more, the order is of no matter. Whoever <em>locks</em> a directory asks who is at work in it.
 * Who works off {@code x/} asks nobody: what is listed there was led to last by the entry that went
 * in the same operation, and its objects are guarded with their uid. What all of them share is
 * {@link Lead}, what a key leads to.
 *
 * <p><b>The instant.</b> A file can be renamed from a directory not read yet to one that was read
 * already. So reading once proves nothing; what does is an <em>instant</em> at which every index
 * object was as it was read. Every change sets {@code h.change} anew. So an index object that was
 * read whole before the instant, and has the same {@code h.change} after it, had at the instant
 * what was read. An object that is read by one operation at the very instant needs no look after
 * it. If all objects are so, the tree of that instant is the one that was read, from the root down.
 * ({@code h.transactions}, which renames alone set anew, would not do: a file may be in a directory
 * that was made after its parent was read, and goes before it is read again.)
 *
 * <p>The whole index is read once. From then on only objects that have changed since are read
 * again, the <em>busy</em> ones, and the instant is the last such read. The busy ones are looked at
 * first: as long as they change, nothing else is asked for. Once they have stood still for as long
 * as it takes to look at them, all others are looked at, by one small read each; what of them has
 * changed is busy too. So it ends when the busy directories stand still for a few operations, and
 * one busy directory alone never keeps it from ending. Where there is not even that pause, it is
 * given up after a bound, with an answer that says so. No search can do better that makes nobody
 * wait: a file that is always renamed to where was just looked is, to one that reads object by
 * object, the same as one that is nowhere.
 */
final class Leads {

  /** Looks at all of the index before it is given up. */
  static final int MOST_ROUNDS = 6;

  /** Looks at the busy part of it, in all, before it is given up. */
  static final int MOST_TRIES = 1000;

  private static final Set<String> OF_FILES =
      Set.of(IndexKeys.ENTRY_PREFIX, IndexKeys.INTENT_PREFIX, IndexKeys.DEFERRED_DELETION_PREFIX);

  private final IndexReader reader;
  private final RetainedData retainedData;
  private final Optional<WrittenDown> writtenDown;
  private final Suspects suspects;

  /** Every object found, with its version when it was last read whole. */
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
   * Clears the files that something leads to, of some that nobody can publish any more. Each page
   * of the whole index is read, and each object of it looked at once more, or up to {@value
   * #MOST_ROUNDS} times where it changes; no read when there are no suspects.
   *
   * @return whether nothing leads to the rest; false when that could not be found out, as names
   *     keep being renamed
   */
  static boolean inIndex(IndexReader reader, RetainedData retainedData, Suspects suspects)
      throws IOException {
    return new Leads(reader, retainedData, Optional.empty(), suspects).search();
  }

  /**
   * The same for any objects that were there before this is called, and by everything. A read or
   * more beside for each ledger, and for each job's record.
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
      suspects.file(data);
    }
    return certain || suspects.none();
  }

  /** Answers whether there was an instant at which all was as it was read. */
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

  /** Of these, those that are not any more as they were read before, or at, the instant. */
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
   * Reads all that is to be read, and what that leads to. Answers the last one, if it was read by
   * one operation: the instant of that one is after all the others'.
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

  /** Answers whether it took one operation. */
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

  /** What differs if anything in the object does. */
  private static String version(DirectoryView view) {
    return text(view.value(IndexKeys.HEAD)) + " " + text(view.value(IndexKeys.CHANGE));
  }

  private static String text(Optional<byte[]> value) {
    return value.map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse("-");
  }

  /** A job has no part in a file of a process. */
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
   * Something that cannot be read: another file's, if it says so, and perhaps a directory, which is
   * then looked into; else it may be anything.
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
