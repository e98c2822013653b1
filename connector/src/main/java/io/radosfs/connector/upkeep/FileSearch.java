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
import io.radosfs.connector.layout.Reclaim;
import io.radosfs.connector.layout.Uid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out which of some files no index refers to, while others go on working.
 *
 * <p>A file can be renamed from a directory not read yet to one that was read already. So the whole
 * index is read again and again, until a reading finds no index object that is new or has another
 * {@code h.transactions} than in the reading before. Every rename sets that anew, in the directory
 * that a name leaves and in the one that it comes to. So a file that two such readings have both
 * missed was not in the index between them, and as nobody can publish it (its directory is fenced),
 * it never will be.
 *
 * <p>Whatever is stored counts: entries, what transactions will add, and what is to be deleted, be
 * it that it is kept for a while.
 */
final class FileSearch {

  /** Readings of the index before it is given up, as names are being renamed all the time. */
  static final int MAX_READINGS = 6;

  private static final Set<String> PREFIXES =
      Set.of(IndexKeys.ENTRY_PREFIX, IndexKeys.CLAIM_PREFIX, IndexKeys.RECLAIM_PREFIX);

  private final IndexReader reader;
  private final KeptData keptData;
  private final Set<Uid> missing;
  private final Set<IndexObject> known = new HashSet<>();
  private final Deque<IndexObject> toRead = new ArrayDeque<>();

  private FileSearch(IndexReader reader, KeptData keptData, Collection<Uid> wanted) {
    this.reader = reader;
    this.keptData = keptData;
    this.missing = new HashSet<>(wanted);
  }

  /**
   * The files that are certainly in no index. Two reads or more of every page of the whole index;
   * none when no file is asked for.
   *
   * @param wanted files that nobody can publish any more
   * @return empty when it could not be found out, as names keep being renamed
   */
  static Optional<Set<Uid>> missing(IndexReader reader, KeptData keptData, Collection<Uid> wanted)
      throws IOException {
    return new FileSearch(reader, keptData, wanted).search();
  }

  private Optional<Set<Uid>> search() throws IOException {
    Map<IndexObject, String> before = null;
    for (int i = 0; i < MAX_READINGS && !missing.isEmpty(); i++) {
      Map<IndexObject, String> now = read();
      if (before != null && before.entrySet().containsAll(now.entrySet())) {
        return Optional.of(missing);
      }
      before = now;
    }
    return missing.isEmpty() ? Optional.of(Set.of()) : Optional.empty();
  }

  /** Reads the whole index; answers what each object's {@code h.transactions} was. */
  private Map<IndexObject, String> read() throws IOException {
    Map<IndexObject, String> versions = new HashMap<>();
    known.clear();
    found(FsPath.ROOT);
    while (!toRead.isEmpty() && !missing.isEmpty()) {
      IndexObject index = toRead.remove();
      versions.put(index, read(index));
    }
    toRead.clear();
    if (!missing.isEmpty()) {
      // Last, as what was replaced goes there from the index, and never back.
      keptData.list(file -> missing.remove(file.uid()));
    }
    return versions;
  }

  private String read(IndexObject index) throws IOException {
    Map<String, String> after = new HashMap<>();
    PREFIXES.forEach(prefix -> after.put(prefix, ""));
    String version = null;
    while (!after.isEmpty()) {
      Map<String, DirectoryPage> pages = reader.pages(index, Set.of(), after);
      for (Map.Entry<String, DirectoryPage> page : pages.entrySet()) {
        DirectoryView view = page.getValue().view();
        version = version == null ? version(view) : version;
        view.head().ifPresent(head -> head.shards().of(index.directory()).forEach(this::found));
        read(page.getKey(), page.getValue());
        if (page.getValue().more()) {
          after.put(page.getKey(), page.getValue().lastKey());
        } else {
          after.remove(page.getKey());
        }
      }
    }
    return version;
  }

  /**
   * The fence is in it, which tells an index from one made anew under the same name; and the head,
   * as names go to the shards that it tells of.
   */
  private static String version(DirectoryView view) {
    return text(view.value(IndexKeys.HEAD))
        + " "
        + text(view.value(IndexKeys.TRANSACTIONS))
        + " "
        + text(view.value(IndexKeys.FENCE));
  }

  private static String text(Optional<byte[]> value) {
    return value.map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse("-");
  }

  private void read(String prefix, DirectoryPage page) throws IOException {
    FsPath directory = page.view().directory();
    for (Map.Entry<String, byte[]> stored : page.entries().entrySet()) {
      String key = stored.getKey();
      if (prefix.equals(IndexKeys.RECLAIM_PREFIX)) {
        Reclaim reclaim = Reclaim.decode(page.view().object(), key, stored.getValue());
        if (reclaim instanceof Reclaim.OfFile file) {
          missing.remove(file.file().uid());
        } else {
          found(((Reclaim.OfDirectory) reclaim).directory());
        }
        continue;
      }
      FsPath path = directory.child(IndexKeys.nameOf(key));
      Optional<Entry> entry =
          prefix.equals(IndexKeys.ENTRY_PREFIX)
              ? Optional.of(EntryCodec.decode(path, stored.getValue()))
              : Claim.decode(path, stored.getValue()).entry();
      if (entry.isPresent() && entry.get() instanceof Entry.OfDirectory) {
        found(path);
      } else {
        entry.ifPresent(file -> missing.remove(file.uid()));
      }
    }
  }

  private void found(FsPath directory) {
    found(IndexObject.head(directory));
  }

  private void found(IndexObject index) {
    if (known.add(index)) {
      toRead.add(index);
    }
  }
}
