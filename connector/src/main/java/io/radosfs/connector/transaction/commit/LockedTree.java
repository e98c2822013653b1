// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.transaction.commit;

import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.store.BatchLimit;
import io.radosfs.connector.store.OmapKeyOrder;
import io.radosfs.connector.transaction.DirectoryChange;
import io.radosfs.connector.transaction.TransactionChanges.Visitor;
import io.radosfs.connector.transaction.read.StoredChildren;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A locked directory and all that is below it. Its directories are held; other children while they
 * are few, so that a tree is usually read once. Beyond that, the children of a directory are read
 * again when needed, page by page. Nobody changes them meanwhile, unless the transaction was given
 * up; then nothing comes of it. For one thread.
 */
public final class LockedTree {

  /** How many operations' worth of bytes is held at most. */
  private static final int OPERATIONS_HELD = 4;

  private final StoredChildren stored;
  private final BatchLimit limit;
  private final Map<FsPath, Locked> directories = new LinkedHashMap<>();
  private long room;

  /**
   * A directory of the tree.
   *
   * @param names how many children it has
   * @param held all of them; null if they are read again
   * @param layout that of its index, which counts rather than that of its entry
   */
  private record Locked(int names, SortedMap<String, Entry> held, DataLayout layout) {}

  LockedTree(StoredChildren stored, BatchLimit limit) {
    this.stored = stored;
    this.limit = limit;
    this.room = OPERATIONS_HELD * limit.bytes();
  }

  /** Adds an empty directory, which had no index. */
  void addEmpty(FsPath directory, DataLayout layout) {
    directories.put(directory, new Locked(0, new TreeMap<>(), layout));
  }

  /**
   * Adds a directory whose index is locked. ⌈n/1024⌉ reads.
   *
   * @return the directories in it, without their extended attributes
   */
  SortedMap<String, Entry.OfDirectory> add(FsPath directory, DataLayout layout) throws IOException {
    Reading reading = new Reading();
    stored.visit(directory, reading::take);
    directories.put(directory, new Locked(reading.names, reading.held, layout));
    return reading.below;
  }

  /** What is read of a directory, as far as there is room to hold it. */
  private final class Reading {
    private final SortedMap<String, Entry.OfDirectory> below = new TreeMap<>(OmapKeyOrder.INSTANCE);
    private SortedMap<String, Entry> held = new TreeMap<>(OmapKeyOrder.INSTANCE);
    private long bytes;
    private int names;

    void take(String name, Entry entry) {
      names++;
      if (entry instanceof Entry.OfDirectory directory) {
        below.put(name, directory.withAttributes(directory.attributes().withoutXattrs()));
      }
      if (held == null) {
        return;
      }
      long more = EntryCodec.mostBytes(name, entry);
      if (more > room) {
        held = null;
        room += bytes;
        return;
      }
      held.put(name, entry);
      bytes += more;
      room -= more;
    }
  }

  /** All directories, parents before children. */
  public Set<FsPath> directories() {
    return directories.keySet();
  }

  public DataLayout layout(FsPath directory) {
    return directories.get(directory).layout();
  }

  /** How many children a directory has. */
  public int names(FsPath directory) {
    return directories.get(directory).names();
  }

  /**
   * Visits the children that a directory's new index must have, in batches that each fit one
   * operation. The new index of an empty directory among them is made when needed, from its entry.
   */
  public void inBatches(FsPath directory, Visitor work) throws IOException {
    Locked locked = directories.get(directory);
    Batch batch = new Batch(directory, work);
    if (locked.held() == null) {
      stored.visit(directory, batch::take);
    } else {
      for (Map.Entry<String, Entry> child : locked.held().entrySet()) {
        batch.take(child.getKey(), child.getValue());
      }
    }
    batch.end();
  }

  /** Collects children until they are as many as one operation takes. */
  private final class Batch {
    private final FsPath directory;
    private final Visitor work;
    private Map<String, Entry> children = new HashMap<>();
    private long bytes;

    Batch(FsPath directory, Visitor work) {
      this.directory = directory;
      this.work = work;
    }

    void take(String name, Entry entry) throws IOException {
      long more = EntryCodec.mostBytes(name, entry);
      if (!limit.allows(children.size() + 1L, bytes + more)) {
        end();
      }
      bytes += more;
      if (entry instanceof Entry.OfDirectory child) {
        Locked locked = directories.get(directory.child(name));
        if (locked == null) {
          // The transaction was given up meanwhile.
          throw IntendedChange.changed(directory.child(name));
        }
        children.put(name, child.withLayout(locked.layout()));
      } else {
        children.put(name, entry);
      }
    }

    /**
     * Directories are added like files. They are the ones that exist, so no client may share them
     * that makes directories of these names: the rename may fail.
     */
    void end() throws IOException {
      if (!children.isEmpty()) {
        work.visit(new DirectoryChange(children, Map.of(), Map.of(), layout(directory)));
        children = new HashMap<>();
        bytes = 0;
      }
    }
  }
}
