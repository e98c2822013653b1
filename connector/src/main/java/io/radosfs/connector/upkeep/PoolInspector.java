package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.KeptData;
import io.radosfs.connector.layout.Claim;
import io.radosfs.connector.layout.DataLayout;
import io.radosfs.connector.layout.Decision;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.EntryCodec;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Reclaim;
import io.radosfs.connector.layout.TransactionMark;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.LedgerEntry;
import io.radosfs.connector.ledger.Ledgers;
import io.radosfs.connector.transaction.OwnTransactions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Looks at every object of a file system's pools: what leads to it, and whether every file has all
 * its objects (I4). Used once.
 *
 * <p>The objects are listed first, then the ledgers are read, then the index: what is published or
 * renamed meanwhile may still be missed, so what others work on is looked at twice, see {@link
 * PoolCheck}.
 */
public final class PoolInspector {

  private static final Pattern STRIPE = Pattern.compile(".*//~?([0-9a-f]{24})(/[0-9a-f]{8})?");
  private static final Pattern UID = Pattern.compile("(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])");

  /** Objects that a file may have beyond those listed, as it was written since. */
  private static final int MADE_UP = 1 << 16;

  /**
   * What was found.
   *
   * @param findings what is wrong
   * @param notes what is unfinished, as it may be
   * @param kept replaced files whose data is kept for a while, which is nothing wrong either
   */
  public record Result(
      Set<Finding> findings,
      List<String> notes,
      long objects,
      long files,
      long directories,
      Kept kept) {}

  /** Replaced files: how many, and with how much data. */
  public record Kept(long files, long bytes) {}

  private final PoolView.Pools pools;
  private final PoolView index;
  private final boolean withData;
  private final Set<Finding> findings = new LinkedHashSet<>();
  private final List<String> notes = new ArrayList<>();
  private final Map<PoolView, Set<String>> reached = new HashMap<>();
  private final Set<String> unfinished = new HashSet<>();
  private final Set<PoolView> unfinishedIn = new HashSet<>();
  private final Map<String, FsPath> owners = new HashMap<>();
  private final Deque<FsPath> directories = new ArrayDeque<>();
  private long files;
  private long directoryCount;
  private final Map<Uid, FileData> kept = new HashMap<>();

  /**
   * @param withData whether to look at the length of every object too: one read for each
   */
  public PoolInspector(PoolView.Pools pools, boolean withData) throws IOException {
    this.pools = pools;
    this.index = pools.index();
    this.withData = withData;
  }

  /**
   * Looks at everything. Reads alone: the listing, every index and ledger, as asked every object.
   *
   * @param data the pools of files, which are looked at even if no file leads there
   */
  public Result inspect(Collection<PoolView> data) throws IOException {
    reach(index, ObjectNames.SUPERBLOCK);
    reach(index, ObjectNames.LAYOUTS);
    for (PoolView pool : data) {
      Set<String> unused = list(pool);
      if (pool instanceof AbsentPoolView) {
        notes.add("data pool " + pool.pool() + ", which a layout named, is not in the cluster");
      }
    }
    ledgers();
    directories.add(FsPath.ROOT);
    while (!directories.isEmpty()) {
      FsPath directory = directories.remove();
      try {
        directory(directory);
      } catch (LayoutException e) {
        unreadable(ObjectNames.index(directory), e);
      }
    }
    replaced();
    long objects = 0;
    for (PoolView pool : List.copyOf(reached.keySet())) {
      objects += pool.names().size();
      leaks(pool);
    }
    long bytes = kept.values().stream().mapToLong(FileData::length).sum();
    return new Result(
        findings, notes, objects, files, directoryCount, new Kept(kept.size(), bytes));
  }

  /** Has a pool listed, and answers what of it has been reached so far. */
  private Set<String> list(PoolView pool) throws IOException {
    Set<String> names = reached.get(pool);
    if (names == null) {
      Set<String> unused = pool.names();
      names = new HashSet<>();
      reached.put(pool, names);
    }
    return names;
  }

  private void reach(PoolView pool, String object) throws IOException {
    boolean unused = list(pool).add(object);
  }

  private void leaks(PoolView pool) throws IOException {
    Set<String> known = reached.get(pool);
    for (String object : new TreeSet<>(pool.names())) {
      if (known.contains(object)
          || ObjectNames.isDataOf(object)
          || isUnfinished(pool, object)
          || isStaged(pool, object)
          || !pool.exists(object)) {
        continue;
      }
      findings.add(
          new Finding(
              Finding.Kind.LEAK, object, "nothing leads to this object of pool " + pool.pool()));
    }
  }

  private boolean isUnfinished(PoolView pool, String object) throws IOException {
    if (unfinished.isEmpty() || !unfinishedIn.contains(pool)) {
      return false;
    }
    Matcher named = STRIPE.matcher(object);
    if (named.matches()) {
      return unfinished.contains(named.group(1));
    }
    return pool.data(object).flatMap(PoolView.Data::uid).filter(unfinished::contains).isPresent();
  }

  /**
   * Whether an object is the index of a directory that a transaction makes: who settles that finds
   * it by what the transaction's owner has written down.
   */
  private boolean isStaged(PoolView pool, String object) throws IOException {
    if (!pool.equals(index) || !object.endsWith("/")) {
      return false;
    }
    Map<String, byte[]> marks = new HashMap<>();
    index.omap(
        object,
        (key, value) -> {
          if (key.startsWith(IndexKeys.TRANSACTION_PREFIX)) {
            marks.put(IndexKeys.transactionOf(key), value);
          }
        });
    for (Map.Entry<String, byte[]> mark : marks.entrySet()) {
      String deciding;
      try {
        deciding = deciding(object, mark.getKey(), mark.getValue());
      } catch (LayoutException e) {
        unreadable(object, e);
        continue;
      }
      if (index.value(deciding, IndexKeys.decision(mark.getKey())).isPresent()) {
        notes.add("a directory is being made: " + object);
        return true;
      }
    }
    return false;
  }

  private void unfinished(FileData data) throws IOException {
    unfinished.add(data.uid().value());
    unfinishedIn.add(pools.of(data));
  }

  private void ledgers() throws IOException {
    if (!index.exists(ObjectNames.LEDGERS)) {
      return;
    }
    reach(index, ObjectNames.LEDGERS);
    SortedMap<String, byte[]> registered = new TreeMap<>();
    index.omap(ObjectNames.LEDGERS, registered::put);
    for (Map.Entry<String, byte[]> line : registered.entrySet()) {
      try {
        if (line.getKey().startsWith(IndexKeys.REMOVED_JOB_PREFIX)) {
          job(Ledgers.job(line.getKey(), line.getValue()).owner());
        } else {
          ledger(Ledgers.ledger(line.getKey(), line.getValue()));
        }
      } catch (LayoutException e) {
        unreadable(ObjectNames.LEDGERS, e);
      }
    }
  }

  private void ledger(String object) throws IOException {
    SortedMap<String, byte[]> omap = new TreeMap<>();
    index.omap(object, omap::put);
    reach(index, object);
    Ledgers.Ledger ledger;
    try {
      ledger = Ledgers.decode(object, omap);
    } catch (LayoutException e) {
      unreadable(object, e);
      return;
    }
    ledger.unreadable().forEach(line -> unreadable(object, line));
    List<LedgerEntry> entries = new ArrayList<>(ledger.open().values());
    entries.addAll(ledger.removed().values());
    for (LedgerEntry entry : entries) {
      if (entry instanceof LedgerEntry.UnfinishedFile file) {
        unfinished(file.data());
      } else if (entry instanceof LedgerEntry.NewShards made) {
        for (IndexObject shard : made.shards().of(made.directory())) {
          reach(index, shard.name());
        }
      } else {
        directories.add(((LedgerEntry.NewIndex) entry).directory());
      }
    }
    if (!ledger.open().isEmpty()) {
      notes.add(
          "ledger "
              + object
              + " has "
              + ledger.open().size()
              + " entries: files being written, or left by a process that crashed");
    }
  }

  /** What a record leads to is told by the uids in it, whatever form the committer gives it. */
  private void job(String record) throws IOException {
    reach(index, record);
    if (index.exists(record)) {
      notes.add("job record " + record + " is there: the job runs, or waits to be recovered");
    }
    index.omap(
        record,
        (key, value) -> {
          Matcher uids = UID.matcher(key + " " + new String(value, StandardCharsets.UTF_8));
          while (uids.find()) {
            unfinished.add(uids.group());
          }
        });
    unfinishedIn.addAll(reached.keySet());
  }

  private void unreadable(String subject, Exception why) {
    findings.add(new Finding(Finding.Kind.UNREADABLE, subject, why.getMessage()));
  }

  private void directory(FsPath directory) throws IOException {
    String object = ObjectNames.index(directory);
    if (reached.get(index).contains(object)) {
      return;
    }
    Optional<byte[]> stored = index.value(object, IndexKeys.HEAD);
    if (stored.isEmpty()) {
      if (index.exists(object)) {
        reach(index, object);
        findings.add(new Finding(Finding.Kind.UNREADABLE, object, "it is no directory index"));
      }
      return;
    }
    reach(index, object);
    directoryCount++;
    IndexHead head;
    try {
      head = IndexHead.decode(object, stored.get());
    } catch (LayoutException e) {
      unreadable(object, e);
      return;
    }
    boolean gone = isGone(object, head);
    if (head.is(IndexHead.State.SPLITTING)) {
      notes.add("directory " + directory + " is being split into shards");
    }
    for (IndexObject shard : head.shards().of(directory)) {
      if (head.isSharded()) {
        shard(shard, gone);
      } else {
        // Copies, which nobody reads yet.
        reach(index, shard.name());
      }
    }
    // Entries that are in the shards too may still be there, and mean nothing.
    omap(directory, object, gone, key -> head.isSharded() && isEntry(key));
  }

  /** Whether nobody sees its entries any more, so that their data may be deleted by now. */
  private boolean isGone(String object, IndexHead head) throws IOException {
    if (!head.is(IndexHead.State.FROZEN)) {
      return head.is(IndexHead.State.CLOSING);
    }
    String id = head.tag();
    Optional<byte[]> mark = index.value(object, IndexKeys.transaction(id));
    if (mark.isEmpty()) {
      return false;
    }
    try {
      String deciding = deciding(object, id, mark.get());
      Optional<byte[]> decision = index.value(deciding, IndexKeys.decision(id));
      return decision.isPresent()
          && Decision.decode(deciding, id, decision.get()).is(Decision.State.COMMITTED);
    } catch (LayoutException e) {
      unreadable(object, e);
      return false;
    }
  }

  /** The object with the decision of a transaction that has left a mark in another one. */
  private static String deciding(String object, String id, byte[] mark) throws LayoutException {
    return ObjectNames.index(TransactionMark.decode(object, id, mark).decider());
  }

  private static boolean isEntry(String key) {
    return key.startsWith(IndexKeys.ENTRY_PREFIX);
  }

  /** A closing or frozen directory may lack shards already. */
  private void shard(IndexObject shard, boolean gone) throws IOException {
    Optional<byte[]> stored = index.value(shard.name(), IndexKeys.HEAD);
    if (stored.isEmpty()) {
      IndexHead head =
          IndexHead.decode(
              ObjectNames.index(shard.directory()),
              index
                  .value(ObjectNames.index(shard.directory()), IndexKeys.HEAD)
                  .orElse(IndexHead.OPEN.encode()));
      if (head.is(IndexHead.State.OPEN) && head.isSharded()) {
        findings.add(
            new Finding(
                Finding.Kind.MISSING,
                shard.directory().toString(),
                "its index has no shard '" + shard + "'"));
      }
      return;
    }
    reach(index, shard.name());
    omap(shard.directory(), shard.name(), gone, key -> false);
  }

  private void omap(FsPath directory, String object, boolean gone, Predicate<String> ignored)
      throws IOException {
    index.omap(
        object,
        (key, value) -> {
          try {
            if (!ignored.test(key)) {
              key(directory, object, key, value, gone);
            }
          } catch (LayoutException e) {
            unreadable(object, e);
          }
        });
  }

  private void key(FsPath directory, String object, String key, byte[] value, boolean gone)
      throws IOException {
    if (key.startsWith(IndexKeys.ENTRY_PREFIX)) {
      FsPath path = directory.child(IndexKeys.nameOf(key));
      Entry entry = EntryCodec.decode(path, value);
      if (gone || entry instanceof Entry.OfDirectory) {
        leadsTo(path, entry);
      } else {
        file(path, ((Entry.OfFile) entry).data());
      }
    } else if (key.startsWith(IndexKeys.CLAIM_PREFIX)) {
      FsPath path = directory.child(IndexKeys.nameOf(key));
      Optional<Entry> added = Claim.decode(path, value).entry();
      if (added.isPresent()) {
        leadsTo(path, added.get());
      }
    } else if (key.startsWith(IndexKeys.RECLAIM_PREFIX)) {
      Reclaim reclaim = Reclaim.decode(object, key, value);
      if (reclaim instanceof Reclaim.OfFile file) {
        reach(file.file().data());
      } else {
        directories.add(((Reclaim.OfDirectory) reclaim).directory());
      }
      notes.add("data is still to be deleted: " + key + " in " + object);
    } else if (key.startsWith(IndexKeys.TRANSACTION_PREFIX)) {
      notes.add("a transaction is not settled: " + key + " in " + object);
    } else if (key.equals(IndexKeys.LAYOUT)) {
      DataLayout unused = DataLayout.decode(object, key, value);
    } else if (key.startsWith(IndexKeys.DECISION_PREFIX)) {
      decision(object, key, Decision.decode(object, key, value));
    }
  }

  /** After the index, from which they come. One file may be listed twice. */
  private void replaced() throws IOException {
    for (int k = 0; k < KeptData.OBJECTS; k++) {
      int number = k;
      String object = ObjectNames.replaced(k);
      reach(index, object);
      index.omap(
          object,
          (key, value) -> {
            try {
              FileData data = KeptData.decode(number, key, value).file().data();
              reach(data);
              kept.put(data.uid(), data);
            } catch (LayoutException e) {
              unreadable(object, e);
            }
          });
    }
  }

  private void decision(String object, String key, Decision decision) throws IOException {
    String owner = decision.owner();
    if (owner.startsWith(OwnTransactions.REMOVAL)) {
      directories.add(path(object, key, owner.substring(OwnTransactions.REMOVAL.length())));
      notes.add("a removal is " + decision.state() + ": " + key + " in " + object);
    } else if (owner.startsWith(OwnTransactions.RENAME)) {
      String[] paths = owner.substring(OwnTransactions.RENAME.length()).split("//", 2);
      directories.add(path(object, key, paths[0]));
      directories.add(path(object, key, paths[paths.length - 1]));
      notes.add("a rename is " + decision.state() + ": " + key + " in " + object);
    } else {
      job(owner);
    }
  }

  private static FsPath path(String object, String key, String stored) throws LayoutException {
    if (!FsPath.isKey(stored)) {
      throw new LayoutException(
          "cannot read omap key '" + key + "' of RADOS object '" + object + "': it names no path");
    }
    return new FsPath(stored);
  }

  private void leadsTo(FsPath path, Entry entry) throws IOException {
    if (entry instanceof Entry.OfFile file) {
      reach(file.data());
    } else {
      directories.add(path);
    }
  }

  private void reach(FileData data) throws IOException {
    PoolView pool = pools.of(data);
    if (isBeyond(pool, data)) {
      unfinished(data);
      return;
    }
    for (int k = 0; k < data.stripes(); k++) {
      reach(pool, data.stripe(k));
    }
  }

  /** Whether it says that it has more objects than the pool has, by far: a length made up. */
  private static boolean isBeyond(PoolView pool, FileData data) throws IOException {
    return data.stripes() > pool.names().size() + MADE_UP;
  }

  private void file(FsPath path, FileData data) throws IOException {
    files++;
    reach(data);
    FsPath other = owners.put(data.uid().value(), path);
    if (other != null && !isBeingMoved(path) && !isBeingMoved(other)) {
      findings.add(
          new Finding(
              Finding.Kind.SHARED, path.toString(), "has the data " + data.uid() + " of " + other));
    }
    PoolView pool = pools.of(data);
    if (isBeyond(pool, data)) {
      findings.add(
          new Finding(
              Finding.Kind.MISSING,
              path.toString(),
              "it should have " + data.stripes() + " objects, more than there are in its pool"));
      return;
    }
    for (int k = 0; k < data.stripes(); k++) {
      stripe(path, data, k, pool);
    }
  }

  private void stripe(FsPath path, FileData data, int k, PoolView pool) throws IOException {
    String object = data.stripe(k);
    if (!withData && pool.names().contains(object)) {
      return;
    }
    Optional<PoolView.Data> found = pool.data(object);
    long length = Math.min(data.objectSize(), data.length() - (long) k * data.objectSize());
    if (found.isEmpty()) {
      findings.add(
          new Finding(Finding.Kind.MISSING, path.toString(), "it has no object '" + object + "'"));
    } else if (withData && found.get().length() != length) {
      findings.add(
          new Finding(
              Finding.Kind.LENGTH,
              path.toString(),
              "'" + object + "' has " + found.get().length() + " bytes, not " + length));
    } else if (withData
        && k == 0
        && found.get().uid().filter(data.uid().value()::equals).isEmpty()) {
      findings.add(
          new Finding(
              Finding.Kind.FOREIGN, path.toString(), "'" + object + "' is of another file"));
    }
  }

  /** In a frozen tree the entries stay until the move is settled. */
  private boolean isBeingMoved(FsPath path) throws IOException {
    for (FsPath at = path; !at.isRoot(); at = at.parent()) {
      String object = ObjectNames.index(at.parent());
      Optional<byte[]> head = index.value(object, IndexKeys.HEAD);
      if (head.isEmpty()) {
        continue;
      }
      IndexHead decoded = IndexHead.decode(object, head.get());
      if (decoded.isSharded()) {
        object = decoded.shards().of(at.parent(), at.name()).name();
      }
      if (decoded.is(IndexHead.State.FROZEN)
          || index.value(object, IndexKeys.claim(at.name())).isPresent()) {
        return true;
      }
    }
    return false;
  }
}
