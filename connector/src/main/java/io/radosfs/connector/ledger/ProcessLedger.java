// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.ledger;

import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Shards;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.OneForAll;
import io.radosfs.connector.store.ReadOp;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.RepeatableOps;
import io.radosfs.connector.store.RepeatableOps.Answer;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
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
  private final Set<String> open = new HashSet<>();
  private final Set<String> crossedOut = new HashSet<>(); // they go with the next line

  private Current current = new Current();

  /**
   * The ledger that is written to. Once it is taken over, or closed with nothing in it, another one
   * replaces it for good. A thread that has begun to write to the old one finds it gone, and writes
   * to the new one. So ending one ledger never affects the next.
   */
  private static final class Current {

    private final Uid process = Uid.random();

    /** Puts it into the list of ledgers. */
    private final OneForAll registration = new OneForAll("another thread registers the ledger");

    private volatile boolean made;

    /** Whether it is known to be listed since it was made; see {@link #requireListed}. */
    private volatile boolean listed;

    private String object() {
      return ObjectNames.ledger(process.value());
    }

    /** As this process lists it. */
    private Ledgers.Line line() {
      return new Ledgers.Line(process.value(), object(), LedgerKeys.bytes(object()));
    }
  }

  /**
   * @param clock milliseconds since the epoch, for display and for the choice of what to collect
   */
  public ProcessLedger(ObjectStore store, LongSupplier clock) {
    this.store = store;
    this.lines = new LedgerLines(store);
    this.clock = clock;
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
    if (open.remove(key)) {
      crossedOut.add(key);
    }
  }

  public void crossOut(Uid file) {
    crossOut(file.value());
  }

  /**
   * Checks that this process may still publish a file that it has begun. One read. * *
   *
   * <p>The caller must have read the fence that guards the publication ({@link
   * io.radosfs.connector.layout.IndexKeys#FENCE}) before: a collector first takes the ledger over,
   * then changes the fence, then looks for the file.
   *
   * @throws LedgerTakenOverException if it may not
   */
  public void requireOwned(Uid file) throws IOException {
    String key = LedgerKeys.OPEN_PREFIX + file;
    ReadOp op = ReadOp.builder().omapByKeys(Set.of(LedgerKeys.STATE, key)).afterWrites().build();
    String object = object();
    Optional<SortedMap<String, byte[]>> owned =
        Reads.find(store, object, op)
            .map(result -> result.omap(0))
            .filter(omap -> Arrays.equals(LedgerKeys.open(), omap.get(LedgerKeys.STATE)))
            .filter(omap -> omap.containsKey(key));
    if (owned.isEmpty()) {
      throw new LedgerTakenOverException(
          "file "
              + file
              + " cannot be published: its process was taken for dead, its ledger '"
              + object
              + "' was taken over by `radosfs gc`, and what was written of the file is removed."
              + " Nothing of it was visible; write it again. If the process was not held up for"
              + " long, run gc with a larger --older-than");
    }
  }

  /** Records a heartbeat of the process, if the ledger has an open entry. One write, or none. */
  public void renew() throws IOException {
    Current ledger;
    synchronized (this) {
      ledger = current;
      if (!ledger.made || open.isEmpty()) {
        return;
      }
    }
    Answer unused = writeOwned(ledger, Set.of(), Map.of());
  }

  private void add(String key, LedgerEntry entry) throws IOException {
    add(Map.of(key, entry));
  }

  private void add(Map<String, LedgerEntry> entries) throws IOException {
    Map<String, byte[]> lines = new HashMap<>();
    entries.forEach((key, entry) -> lines.put(LedgerKeys.OPEN_PREFIX + key, entry.encode()));
    for (int i = 0; i < MAX_LEDGERS; i++) {
      Entered entered = enter(entries.keySet());
      Current ledger = entered.ledger();
      Answer answer = Answer.REFUSED;
      try {
        answer = write(ledger, entered.crossedOut(), lines);
      } finally {
        if (!answer.isAccepted()) {
          giveBack(entered.crossedOut());
        }
      }
      if (answer.isAccepted()) {
        if (!ledger.listed) {
          requireListed(ledger);
        }
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

  private Answer write(Current ledger, Set<String> crossedOut, Map<String, byte[]> lines)
      throws IOException {
    Answer created = ledger.made ? Answer.REFUSED : create(ledger, lines);
    if (created.isAccepted()) {
      // Even if another thread has looked: a collector may have forgotten since what that one made.
      requireListed(ledger);
      return created;
    }
    Answer answer = writeOwned(ledger, crossedOut, lines);
    return answer == Answer.REFUSED ? created : answer;
  }

  /** Refused if the object exists, which only this process or a collector makes. */
  private Answer create(Current ledger, Map<String, byte[]> lines) throws IOException {
    WriteOp op =
        WriteOp.builder()
            .evenIfFull()
            .createExclusive()
            .setOmap(LedgerKeys.STATE, LedgerKeys.open())
            .setOmap(LedgerKeys.RENEWED, LedgerKeys.time(clock.getAsLong()))
            .setOmap(lines)
            .build();
    return isMade(
        ledger, RepeatableOps.accepted(() -> store.write(ledger.object(), op), Kind.EXISTS));
  }

  /** Refused if the ledger no longer belongs to this process. */
  private Answer writeOwned(Current ledger, Set<String> crossedOut, Map<String, byte[]> lines)
      throws IOException {
    WriteOp op =
        WriteOp.builder()
            .assertExists()
            .compareOmap(LedgerKeys.STATE, LedgerKeys.open())
            .removeOmap(keys(crossedOut))
            .setOmap(LedgerKeys.RENEWED, LedgerKeys.time(clock.getAsLong()))
            .setOmap(lines)
            .build();
    return isMade(
        ledger,
        RepeatableOps.accepted(
            () -> store.write(ledger.object(), op), Kind.GUARD_FAILED, Kind.NOT_FOUND));
  }

  /** A write that the ledger's object has accepted shows that it is made. */
  private static Answer isMade(Current ledger, Answer answer) {
    if (answer.isAccepted()) {
      ledger.made = true;
    }
    return answer;
  }

  private static Set<String> keys(Set<String> crossedOut) {
    Set<String> keys = new HashSet<>();
    crossedOut.forEach(key -> keys.add(LedgerKeys.OPEN_PREFIX + key));
    return keys;
  }

  private synchronized void startAnew(Current gone) {
    if (current == gone) {
      LOG.warn(
          "The ledger {} of this process was taken over by `radosfs gc`, which took the "
              + "process for dead. Files that are being written now will fail when they are"
              + " closed; new ones go to a new ledger",
          gone.object());
      current = new Current();
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
  private record Entered(Current ledger, Set<String> crossedOut) {}

  /**
   * Announces new lines, so that {@link #close} does not remove the ledger. It is registered before
   * it is made, so that no ledger is ever unlisted.
   */
  private Entered enter(Collection<String> newKeys) throws IOException {
    while (true) {
      Current ledger = current();
      ledger.registration.run(() -> lines.register(ledger.line()));
      synchronized (this) {
        // Closed meanwhile, or taken over: lines go to the next one.
        if (ledger == current) {
          open.addAll(newKeys);
          return new Entered(ledger, takeCrossedOut());
        }
      }
    }
  }

  private synchronized Current current() {
    return current;
  }

  /**
   * Lists a ledger again that was listed before it was made, but may not be any more: if the
   * process is held up in between, a collector makes a ledger of that name, takes it over, and
   * forgets it with its line.
   */
  private void requireListed(Current ledger) throws IOException {
    Ledgers.Line unused = lines.keep(ledger.line());
    ledger.listed = true;
  }

  private Set<String> takeCrossedOut() {
    Set<String> taken = new HashSet<>(crossedOut);
    crossedOut.clear();
    return taken;
  }

  /**
   * Removes the ledger if all is crossed out; else leaves the open entries in it. Two writes; none
   * if nothing was ever recorded. A ledger that was taken over is left to the collector. What
   * begins meanwhile, or after, is written to another ledger.
   */
  @Override
  public void close() throws IOException {
    Current ledger;
    boolean everything;
    Set<String> taken;
    synchronized (this) {
      ledger = current;
      if (!ledger.registration.isDone()) {
        return;
      }
      everything = open.isEmpty();
      taken = takeCrossedOut();
      if (everything) {
        current = new Current();
      }
    }
    if (everything) {
      remove(ledger);
    } else if (!taken.isEmpty()) {
      Answer unused = writeOwned(ledger, taken, Map.of());
    }
  }

  private void remove(Current ledger) throws IOException {
    WriteOp removal =
        WriteOp.builder()
            .assertExists()
            .compareOmap(LedgerKeys.STATE, LedgerKeys.open())
            .remove()
            .build();
    try {
      RepeatableOps.repeat(() -> store.write(ledger.object(), removal));
    } catch (StoreException e) {
      if (e.is(Kind.GUARD_FAILED)) {
        return;
      }
      if (!e.is(Kind.NOT_FOUND)) {
        throw e;
      }
    }
    // If a collector has marked the line, it makes the ledger again and owns the line.
    lines.remove(ledger.line());
  }
}
