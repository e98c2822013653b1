// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.ledger;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.Shards;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.RepeatableOps.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The intent log of one process (one mounted file system): object {@code //ledger/<processId>},
 * with one omap key for each file being written. It is registered in {@code //ledgers} so that it
 * is found after a crash.
 *
 * <p>An entry is crossed out in the operation that writes the next one, so a file costs one write.
 * If the process crashes before, a collector finds the file in the index.
 *
 * <p>A call that ends without having crossed its entry out leaves it ({@link #leave}): a removal
 * has failed, or it is not known what came of an operation. Such entries are moved, with the next
 * heartbeat, to a ledger that the process never renews. So a collector takes them as those of a
 * dead process, by the same steps, although this one lives. An entry is in the one ledger before it
 * is crossed out in the other.
 *
 * <p>It is written even in a full pool: removals need it too, and the write that follows it fails
 * if there is no room.
 *
 * <p>A collector may take the ledger over, by one operation, after which no operation of the
 * process on it succeeds ({@link Ledgers#takeOver}). The process notices when it next records a
 * file, before the first byte, and goes on with a new ledger. For files already begun see {@link
 * #requireOwned}.
 *
 * <p>Thread-safe.
 */
public final class ProcessLedger implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ProcessLedger.class);

  /** Ledgers tried if each is taken over at once, which no correct collector does. */
  private static final int MAX_LEDGERS = 5;

  private static final int LINES_AT_ONCE = 500;

  private final ObjectStore store;
  private final LedgerLines lines;
  private final LongSupplier clock;

  /** Entries that the process is at work on. */
  private final Map<String, LedgerEntry> open = new HashMap<>();

  /** Entries that it has left, and that are still in this ledger alone. */
  private final Map<String, LedgerEntry> left = new HashMap<>();

  /** The ledger of a move of those that has failed; for the thread of the heartbeats. */
  private Optional<OwnLedger> forLeft = Optional.empty();

  private final Set<String> crossedOut = new HashSet<>(); // they go with the next line

  /**
   * The ledger that is written to. Once it is taken over, or closed with nothing in it, another one
   * replaces it for good. A thread that has begun to write to the old one finds it gone, and writes
   * to the new one. So ending one ledger never affects the next.
   */
  private OwnLedger current;

  /**
   * @param clock milliseconds since the epoch, for display and for the choice of what to collect
   */
  public ProcessLedger(ObjectStore store, LongSupplier clock) {
    this.store = store;
    this.lines = new LedgerLines(store);
    this.clock = clock;
    this.current = newLedger();
  }

  private OwnLedger newLedger() {
    return new OwnLedger(store, lines, clock);
  }

  /** The name of the ledger's object. */
  public synchronized String object() {
    return current.object();
  }

  /**
   * Records a file before its first byte goes to RADOS. One write; one more, and a read, for the
   * first file of the process.
   */
  public void begin(FileData unfinished, int window) throws IOException {
    add(unfinished.uid().value(), new LedgerEntry.UnfinishedFile(unfinished, window));
  }

  /**
   * Records a file before it is made of retained data. One write; one more, and a read, for the
   * first file of the process.
   *
   * @param path where it is to appear
   */
  public void beginRestored(FsPath path, Entry.OfFile file) throws IOException {
    add(file.uid().value(), new LedgerEntry.RestoredFile(path, file));
  }

  /** Records an index object before it is made; returns the key to cross out. One write. */
  public String beginIndex(FsPath directory) throws IOException {
    String key = Uid.random().value();
    add(key, new LedgerEntry.NewIndex(directory));
    return key;
  }

  /** The same as {@link #beginIndex} for several; one write for up to {@value #LINES_AT_ONCE}. */
  public List<String> beginIndexes(Collection<FsPath> directories) throws IOException {
    List<String> keys = new ArrayList<>();
    Map<String, LedgerEntry> entries = new HashMap<>();
    for (FsPath directory : directories) {
      String key = Uid.random().value();
      keys.add(key);
      entries.put(key, new LedgerEntry.NewIndex(directory));
      if (entries.size() == LINES_AT_ONCE) {
        add(entries);
        entries.clear();
      }
    }
    if (!entries.isEmpty()) {
      add(entries);
    }
    return keys;
  }

  /** Records shards before they are made; returns the key to cross out. One write. */
  public String beginShards(FsPath directory, Shards shards) throws IOException {
    String key = Uid.random().value();
    add(key, new LedgerEntry.NewShards(directory, shards));
    return key;
  }

  /** Crosses out an entry: an index refers to its object, or the object is gone. No write. */
  public synchronized void crossOut(String key) {
    boolean was = open.remove(key) != null;
    was |= left.remove(key) != null;
    if (was) {
      crossedOut.add(key);
    }
  }

  public void crossOut(Uid file) {
    crossOut(file.value());
  }

  /**
   * Notes that this process is done with an entry, and will never publish its file: unless it is
   * crossed out, it is left to collectors. No RADOS operation.
   */
  public synchronized void leave(String key) {
    LedgerEntry entry = open.remove(key);
    if (entry != null) {
      left.put(key, entry);
    }
  }

  public void leave(Uid file) {
    leave(file.value());
  }

  /**
   * Checks that this process may still publish a file that it has begun. One read.
   *
   * <p>The caller must have read the fence that guards the publication ({@link
   * io.radosfs.connector.layout.IndexKeys#FENCE}) before: a collector first takes the ledger over,
   * then changes the fence, then looks for the file.
   *
   * @throws LedgerTakenOverException if it may not
   */
  public void requireOwned(Uid file) throws IOException {
    String key = LedgerKeys.OPEN_PREFIX + file;
    OwnLedger ledger = current();
    if (!ledger.has(key)) {
      throw new LedgerTakenOverException(
          "file "
              + file
              + " cannot be published: its process was taken for dead, its ledger '"
              + ledger.object()
              + "' was taken over by `radosfs gc`, and what was written of the file is removed."
              + " Nothing of it was visible; write it again. If the process was not held up for"
              + " long, run gc with a larger --older-than");
    }
  }

  /**
   * Records a heartbeat of the process, if it is at work on an entry. One write, or none; two
   * writes and a read more if any were left since the last time.
   */
  public void renew() throws IOException {
    OwnLedger ledger;
    boolean alive;
    synchronized (this) {
      ledger = current;
      alive = ledger.isMade() && !open.isEmpty();
    }
    if (alive) {
      Answer unused = ledger.update(Set.of(), Map.of());
    }
    moveLeft();
  }

  /** What fails here is tried again with the next heartbeat: an entry may be in several ledgers. */
  private void moveLeft() throws IOException {
    Map<String, byte[]> lines = new HashMap<>();
    List<String> keys;
    synchronized (this) {
      keys = left.keySet().stream().limit(LINES_AT_ONCE).toList();
      keys.forEach(key -> lines.put(LedgerKeys.OPEN_PREFIX + key, left.get(key).encode()));
    }
    if (keys.isEmpty()) {
      return;
    }
    OwnLedger neverRenewed = forLeft.orElseGet(this::newLedger);
    forLeft = Optional.of(neverRenewed); // the same one, however often this fails
    neverRenewed.register();
    if (neverRenewed.write(Set.of(), lines).isAccepted()) {
      neverRenewed.requireListed();
      keys.forEach(this::crossOut);
    }
    forLeft = Optional.empty();
  }

  private void add(String key, LedgerEntry entry) throws IOException {
    add(Map.of(key, entry));
  }

  private void add(Map<String, LedgerEntry> entries) throws IOException {
    boolean added = false;
    try {
      tryToAdd(entries);
      added = true;
    } finally {
      if (!added) {
        entries.keySet().forEach(this::leave);
      }
    }
  }

  private void tryToAdd(Map<String, LedgerEntry> entries) throws IOException {
    Map<String, byte[]> lines = new HashMap<>();
    entries.forEach((key, entry) -> lines.put(LedgerKeys.OPEN_PREFIX + key, entry.encode()));
    for (int i = 0; i < MAX_LEDGERS; i++) {
      Entered entered = enter(entries);
      OwnLedger ledger = entered.ledger();
      Answer answer = Answer.REFUSED;
      try {
        answer = ledger.write(entered.crossedOut(), lines);
      } finally {
        if (!answer.isAccepted()) {
          giveBack(entered.crossedOut());
        }
      }
      if (answer.isAccepted()) {
        ledger.requireListed();
        return;
      }
      startAnew(ledger);
      if (answer == Answer.REFUSED_AFTER_OPEN_TRY) {
        throw new LedgerTakenOverException(
            "the ledger '"
                + ledger.object()
                + "' was taken over by `radosfs gc` while a line was added to it, and may have that"
                + " line: what it names cannot be begun any more, as gc removes it. Nothing of it"
                + " was written yet; write it again");
      }
    }
    throw new LedgerTakenOverException(
        "each ledger of this process is taken over as soon as it is made; is a `radosfs gc` with a"
            + " very small --older-than running in a loop?");
  }

  private synchronized void startAnew(OwnLedger gone) {
    if (current == gone) {
      LOG.warn(
          "The ledger {} of this process was taken over by `radosfs gc`, which took the "
              + "process for dead. Files that are being written now will fail when they are"
              + " closed; new ones go to a new ledger",
          gone.object());
      current = newLedger();
    }
  }

  private synchronized void giveBack(Set<String> taken) {
    crossedOut.addAll(taken);
  }

  /**
   * The ledger to write lines to.
   *
   * @param crossedOut keys to be crossed out in the same operation
   */
  private record Entered(OwnLedger ledger, Set<String> crossedOut) {}

  /**
   * Announces new lines, so that {@link #close} does not remove the ledger. It is registered before
   * it is made, so that no ledger is ever unlisted.
   */
  private Entered enter(Map<String, LedgerEntry> entries) throws IOException {
    while (true) {
      OwnLedger ledger = current();
      ledger.register();
      synchronized (this) {
        // Closed meanwhile, or taken over: lines go to the next one.
        if (ledger == current) {
          open.putAll(entries);
          return new Entered(ledger, takeCrossedOut());
        }
      }
    }
  }

  private synchronized OwnLedger current() {
    return current;
  }

  private Set<String> takeCrossedOut() {
    Set<String> taken = new HashSet<>(crossedOut);
    crossedOut.clear();
    return taken;
  }

  /**
   * Removes the ledger if all is crossed out; else leaves the other entries in it. Two writes; none
   * if nothing was ever recorded. A ledger that was taken over is left to the collector. What
   * begins meanwhile, or after, is written to another ledger.
   */
  @Override
  public void close() throws IOException {
    OwnLedger ledger;
    boolean everything;
    Set<String> taken;
    synchronized (this) {
      ledger = current;
      if (!ledger.isRegistered()) {
        return;
      }
      everything = open.isEmpty() && left.isEmpty();
      taken = takeCrossedOut();
      if (everything) {
        current = newLedger();
      }
    }
    if (everything) {
      ledger.remove();
    } else if (!taken.isEmpty()) {
      Answer unused = ledger.update(taken, Map.of());
    }
  }
}
