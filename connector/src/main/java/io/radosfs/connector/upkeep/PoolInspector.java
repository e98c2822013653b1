// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.RetainedData;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.Lead;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.OwnTransactions;
import io.radosfs.connector.layout.TransactionStatus;
import io.radosfs.connector.layout.Uid;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/**
 * Inspects every object of a file system's pools once: whether something leads to it, and whether
 * every file has all its objects (I4). An instance is used once.
 *
 * <p>It lists the objects first, then reads all references in the order of {@link Leads}, once; so
 * it may miss what is renamed meanwhile. Therefore a file system in use is inspected twice, and
 * {@link Leads} then searches for what seems to leak: see {@link PoolCheck}.
 *
 * <p>Whatever cannot be read is one finding, or one part that is not checked; the rest goes on.
 */
public final class PoolInspector {

  /** How many more objects than were listed a file may have, as it may have been written since. */
  static final int MADE_UP = 1 << 16;

  /**
   * The result of an inspection.
   *
   * @param findings what is wrong
   * @param notes what is unfinished, which is not wrong
   * @param unchecked what could not be read, and why
   * @param kept replaced files whose data is retained, which is not wrong either
   */
  public record Result(
      Set<Finding> findings,
      List<String> notes,
      Set<String> unchecked,
      long objects,
      long files,
      long directories,
      Kept kept) {}

  /** Number of replaced files, and the size of their data. */
  public record Kept(long files, long bytes) {}

  private final PoolView index;
  private final Inspection found;
  private final Reached reached;
  private final Visibility visibility;
  private final FileInspector files;
  private final WrittenDown writtenDown;
  private final Deque<FsPath> directories = new ArrayDeque<>();
  private final Map<Uid, FileData> kept = new HashMap<>();
  private long directoryCount;

  /**
   * @param withData whether to check length and content of every object too: one read for each, in
   *     which an OSD reads all of it
   */
  public PoolInspector(PoolView.Pools pools, boolean withData) throws IOException {
    this(pools, withData, new Inspection());
  }

  /**
   * @param found what was found so far
   */
  PoolInspector(PoolView.Pools pools, boolean withData, Inspection found) throws IOException {
    this.found = found;
    this.index = pools.index();
    this.reached = new Reached(pools, found);
    this.visibility = new Visibility(index);
    this.files = new FileInspector(pools, reached, visibility, found, withData);
    this.writtenDown = new WrittenDown(index);
  }

  /**
   * Inspects everything. Only reads: the listing, indexes, ledgers and, if asked for, objects.
   *
   * @param data the data pools, which are inspected even if no file is in them
   */
  public Result inspect(Collection<PoolView> data) throws IOException {
    boolean unused = reached.add(ObjectNames.SUPERBLOCK) | reached.add(ObjectNames.LAYOUTS);
    for (PoolView pool : data) {
      reached.list(pool);
      if (pool instanceof AbsentPoolView) {
        found.note("data pool " + pool.pool() + ", which a layout named, is not in the cluster");
      }
    }
    attempt(ObjectNames.LEDGERS, () -> writtenDown.processes(taker()));
    directories.add(FsPath.ROOT);
    walk();
    attempt(ObjectNames.LEDGERS, () -> writtenDown.removedJobs(taker()));
    walk();
    replaced();
    reached.findLeaks();
    long bytes = kept.values().stream().mapToLong(FileData::length).sum();
    return new Result(
        found.findings(),
        found.notes(),
        found.unchecked(),
        reached.objects(),
        files.files(),
        directoryCount,
        new Kept(kept.size(), bytes));
  }

  /** Of the findings of {@link #inspect}, the objects that nothing seems to lead to. */
  Map<Finding, PoolView> leaks() {
    return reached.leaks();
  }

  private void attempt(String subject, InvocationRaisingIOE tried) throws IOException {
    boolean unused = found.attempt(subject, tried);
  }

  private void walk() throws IOException {
    while (!directories.isEmpty()) {
      FsPath directory = directories.remove();
      attempt(ObjectNames.index(directory), () -> directory(directory));
    }
  }

  private WrittenDown.Taker taker() {
    return new WrittenDown.Taker() {
      @Override
      public void object(String name) throws IOException {
        boolean unused = reached.add(name);
      }

      @Override
      public void unfinished(FileData data) {
        reached.unfinished(data.written());
      }

      @Override
      public void mentioned(Uid file) {
        reached.unfinished(file);
      }

      @Override
      public void directory(FsPath directory) {
        directories.add(directory);
      }

      @Override
      public void unreadable(String subject, IOException why) {
        found.add(subject, why);
      }

      @Override
      public void note(String text) {
        found.note(text);
      }
    };
  }

  private void directory(FsPath directory) throws IOException {
    IndexObject index = IndexObject.head(directory);
    if (reached.has(index.name())) {
      return;
    }
    // In one read: between two, the directory may be made.
    Optional<Map<String, byte[]>> stored = this.index.find(index.name(), Set.of(IndexKeys.HEAD));
    if (stored.isEmpty()) {
      return;
    }
    boolean unused = reached.add(index.name());
    byte[] encoded = stored.get().get(IndexKeys.HEAD);
    if (encoded == null) {
      throw new LayoutException("it is not a directory index");
    }
    directoryCount++;
    IndexHead head = IndexHead.decode(index.name(), encoded);
    boolean[] gone = new boolean[1];
    attempt(index.name(), () -> gone[0] = visibility.isGone(index.name(), head));
    if (head.is(IndexHead.State.SPLITTING)) {
      found.note("directory " + directory + " is being split into shards");
    }
    for (IndexObject shard : head.shards().of(directory)) {
      if (head.isSharded()) {
        attempt(shard.name(), () -> shard(shard, gone[0]));
      } else {
        // The shards of a split under way hold copies, which nobody reads yet.
        boolean copied = reached.add(shard.name());
      }
    }
    // Entries that were copied to the shards may still be there; they do not count.
    omap(index, gone[0], key -> head.isSharded() && isEntry(key));
  }

  private static boolean isEntry(String key) {
    return key.startsWith(IndexKeys.ENTRY_PREFIX);
  }

  /** A closing or locked directory may have lost shards already. */
  private void shard(IndexObject shard, boolean gone) throws IOException {
    if (index.value(shard.name(), IndexKeys.HEAD).isEmpty()) {
      String object = ObjectNames.index(shard.directory());
      Optional<byte[]> stored = index.value(object, IndexKeys.HEAD);
      IndexHead head = IndexHead.decode(object, stored.orElse(IndexHead.OPEN.encode()));
      if (head.is(IndexHead.State.OPEN) && head.isSharded()) {
        found.find(
            Finding.Kind.MISSING,
            shard.directory().toString(),
            "its index has no shard '" + shard + "'");
      }
      return;
    }
    boolean unused = reached.add(shard.name());
    omap(shard, gone, key -> false);
  }

  private void omap(IndexObject object, boolean gone, Predicate<String> ignored)
      throws IOException {
    MarkInspector marks = new MarkInspector(object);
    index.omap(
        object.name(),
        (key, value) -> {
          if (!ignored.test(key)) {
            attempt(
                object.name(),
                () -> {
                  key(object, key, value, gone);
                  marks.key(key, value);
                });
          }
        });
    marks.tell(index, found);
  }

  private void key(IndexObject object, String key, byte[] value, boolean gone) throws IOException {
    List<Lead> leads;
    try {
      leads = Lead.of(object, key, value);
    } catch (LayoutException e) {
      // Keep the data of the files that it mentions: it may be repaired.
      Lead.said(value).forEach(reached::unfinished);
      throw e;
    }
    for (Lead lead : leads) {
      if (lead instanceof Lead.ToDirectory to) {
        directories.add(to.directory());
      } else if (lead instanceof Lead.ToJob job) {
        attempt(job.record(), () -> writtenDown.job(job.record(), taker()));
      } else if (isEntry(key) && !gone) {
        FsPath path = Lead.path(object, key);
        files.inspect(path, (Entry.OfFile) EntryCodec.decode(path, value));
      } else {
        reached.add(((Lead.ToFile) lead).data());
      }
    }
    note(object, key, value);
  }

  /** Notes what a key shows to be unfinished. */
  private void note(IndexObject object, String key, byte[] value) throws LayoutException {
    String where = key + " in " + object;
    if (key.startsWith(IndexKeys.DEFERRED_DELETION_PREFIX)) {
      found.note("data is still to be deleted: " + where);
    } else if (key.startsWith(IndexKeys.TRANSACTION_PREFIX)) {
      found.note("a transaction is not resolved: " + where);
    } else if (key.equals(IndexKeys.LAYOUT)) {
      DataLayout unused = DataLayout.decode(object.name(), key, value);
    } else if (key.startsWith(IndexKeys.TRANSACTION_STATUS_PREFIX)) {
      String id = IndexKeys.transactionOfStatus(key);
      TransactionStatus status = TransactionStatus.decode(object.name(), id, value);
      if (OwnTransactions.include(id, status.owner())) {
        boolean removal = OwnTransactions.isRemoval(id, status.owner());
        found.note((removal ? "a removal" : "a rename") + " is " + status.state() + ": " + where);
      }
    }
  }

  /** One file may be listed twice. */
  private void replaced() throws IOException {
    for (int k = 0; k < RetainedData.OBJECTS; k++) {
      int number = k;
      String object = ObjectNames.replaced(k);
      boolean unused = reached.add(object);
      attempt(
          object,
          () ->
              index.omap(object, (key, value) -> attempt(object, () -> kept(number, key, value))));
    }
  }

  private void kept(int number, String key, byte[] value) throws IOException {
    FileData data = RetainedData.decode(number, key, value).file().data();
    reached.add(data);
    kept.put(data.uid(), data);
  }
}
