package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.KeptData;
import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.layout.Claim;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Reclaim;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.Failures;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds out which of some files no index refers to, while others go on working.
 *
 * <p>A file can be renamed from a directory not read yet to one that was read already. So reading
 * once proves nothing; what does is an <em>instant</em> at which every index object was as it was
 * read. Every change sets {@code h.change} anew. So an index object that was read whole before the
 * instant, and has the same {@code h.change} after it, had at the instant what was read. An object
 * that is read by one operation at the very instant needs no look after it. If all objects are so,
 * the tree of that instant is the one that was read, from the root down. A file that was not in it
 * was in no index at the instant, and as nobody can publish it (its directory is fenced), it never
 * will be. ({@code h.transactions}, which renames alone set anew, would not do: a file may be in a
 * directory that was made after its parent was read, and goes before it is read again.)
 *
 * <p>The whole index is read once. From then on only objects that have changed since are read
 * again, the <em>busy</em> ones, and the instant is the last such read. The busy ones are looked at
 * first: as long as they change, nothing else is asked for. Once they have stood still for as long
 * as it takes to look at them, all others are looked at, by one small read each; what of them has
 * changed is busy too. So it ends when the busy directories stand still for a few operations, and
 * one busy directory alone never keeps it from ending. Where there is not even that pause, it is
 * given up after a bound, with an answer that removes nothing. No search can do better that makes
 * nobody wait: a file that is always renamed to where was just looked is, to one who reads object
 * by object, the same as one that is nowhere.
 *
 * <p>Whatever is stored counts: entries, what transactions will add, and what is to be deleted, be
 * it that it is kept for a while. What cannot be read may be any file, unless it says in so many
 * words which it is; so where there is such a thing, nothing is missing for certain.
 */
final class FileSearch {

  /** Looks at all of the index before it is given up. */
  static final int MOST_ROUNDS = 6;

  /** Looks at the busy part of it, in all, before it is given up. */
  static final int MOST_TRIES = 1000;

  private static final Set<String> PREFIXES =
      Set.of(IndexKeys.ENTRY_PREFIX, IndexKeys.CLAIM_PREFIX, IndexKeys.RECLAIM_PREFIX);

  /** The uid in an entry of any version. */
  private static final Pattern UID = Pattern.compile("(?<= )uid=([0-9a-f]{24})(?= |$)");

  private final IndexReader reader;
  private final KeptData keptData;
  private final Failures failures;
  private final Set<Uid> missing;

  /** Every object found, with its version when it was last read whole. */
  private final Map<IndexObject, String> read = new LinkedHashMap<>();

  private final Set<IndexObject> toRead = new LinkedHashSet<>();
  private boolean unreadable;

  private FileSearch(
      IndexReader reader, KeptData keptData, Collection<Uid> wanted, Failures failures) {
    this.reader = reader;
    this.keptData = keptData;
    this.missing = new HashSet<>(wanted);
    this.failures = failures;
  }

  /**
   * The files that are certainly in no index. Each page of the whole index is read, and each object
   * of it looked at once more, or up to {@value #MOST_ROUNDS} times where it changes; none when no
   * file is asked for.
   *
   * @param wanted files that nobody can publish any more
   * @param failures told of what cannot be read
   * @return empty when it could not be found out, as names keep being renamed, or something cannot
   *     be read
   */
  static Optional<Set<Uid>> missing(
      IndexReader reader, KeptData keptData, Collection<Uid> wanted, Failures failures)
      throws IOException {
    return new FileSearch(reader, keptData, wanted, failures).search();
  }

  private Optional<Set<Uid>> search() throws IOException {
    boolean certain = missing.isEmpty() || hasInstant();
    if (!missing.isEmpty()) {
      // Last, as what was replaced goes there from the index, and never back.
      keptData.list(file -> missing.remove(file.uid()), this::unreadable);
    }
    return missing.isEmpty() || certain && !unreadable ? Optional.of(missing) : Optional.empty();
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
        if (missing.isEmpty() || unreadable) {
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
    while (!toRead.isEmpty() && !missing.isEmpty()) {
      IndexObject index = toRead.iterator().next();
      toRead.remove(index);
      last = readWhole(index) ? Set.of(index) : Set.of();
    }
    return last;
  }

  /** Answers whether it took one operation. */
  private boolean readWhole(IndexObject index) throws IOException {
    Map<String, String> after = new HashMap<>();
    PREFIXES.forEach(prefix -> after.put(prefix, ""));
    int operations = 0;
    while (!after.isEmpty()) {
      Map<String, DirectoryPage> pages = reader.pages(index, Set.of(), after);
      operations++;
      DirectoryView view = pages.values().iterator().next().view();
      if (operations == 1) {
        read.put(index, version(view));
      }
      try {
        view.head().ifPresent(head -> head.shards().of(index.directory()).forEach(this::found));
      } catch (LayoutException e) {
        unreadable(index.name(), e);
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

  private void read(String prefix, DirectoryPage page) throws IOException {
    for (Map.Entry<String, byte[]> stored : page.entries().entrySet()) {
      try {
        read(prefix, page.view(), stored.getKey(), stored.getValue());
      } catch (LayoutException | FsPath.InvalidNameException e) {
        unread(prefix, page.view(), stored.getKey(), stored.getValue(), e);
      }
    }
  }

  private void read(String prefix, DirectoryView view, String key, byte[] value)
      throws IOException {
    if (prefix.equals(IndexKeys.RECLAIM_PREFIX)) {
      Reclaim reclaim = Reclaim.decode(view.object(), key, value);
      if (reclaim instanceof Reclaim.OfFile file) {
        missing.remove(file.file().uid());
      } else {
        found(((Reclaim.OfDirectory) reclaim).directory());
      }
      return;
    }
    FsPath path = view.directory().child(IndexKeys.nameOf(key));
    Optional<Entry> entry =
        prefix.equals(IndexKeys.ENTRY_PREFIX)
            ? Optional.of(EntryCodec.decode(path, value))
            : Claim.decode(path, value).entry();
    if (entry.isPresent() && entry.get() instanceof Entry.OfDirectory) {
      found(path);
    } else {
      entry.ifPresent(file -> missing.remove(file.uid()));
    }
  }

  /**
   * Something that cannot be read: another file's, if it says so, and perhaps a directory, which is
   * then looked into; else it may be anything.
   */
  private void unread(
      String prefix, DirectoryView view, String key, byte[] value, IOException failure)
      throws IOException {
    List<Uid> said = new ArrayList<>();
    Matcher uids = UID.matcher(new String(value, StandardCharsets.UTF_8));
    while (uids.find()) {
      said.add(new Uid(uids.group(1)));
    }
    said.forEach(missing::remove);
    String name = IndexKeys.nameOf(key);
    boolean isName = FsPath.isKey(name) && name.indexOf('/') < 0 && !name.isEmpty();
    if (said.size() == 1 && isName && !prefix.equals(IndexKeys.RECLAIM_PREFIX)) {
      found(view.directory().child(name));
    } else {
      unreadable("key '" + key + "' of '" + view.object() + "'", failure);
    }
  }

  private void unreadable(String subject, IOException failure) throws IOException {
    unreadable = true;
    failures.add(subject, failure);
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
