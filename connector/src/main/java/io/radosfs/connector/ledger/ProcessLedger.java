// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.ledger;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.Shards;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.ObjectStore;
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
 * The ledger of one process (one mounted file system): object {@code //ledger/<processId>}, one
 * omap key for each file being written, registered in {@code //ledgers} so that it is found after a
 * crash.
 *
 * <p>An entry is crossed out together with the next one that is written, so a file costs one write;
 * what a crash leaves crossed out in memory alone is recognised by the index, which refers to it.
 *
 * <p>It is made also in a full pool: removals need it too, and what it is written before says
 * whether there is room.
 *
 * <p>A collector may take the ledger over, with one operation after which no operation of the
 * process on it succeeds ({@link Ledgers#takeOver}). The process notices when it next writes a file
 * down, before the first byte, and goes on with a new ledger; for files already begun see {@link
 * #requireOwned}.
 *
 * <p>Thread-safe.
 */
public final class ProcessLedger implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ProcessLedger.class);

  /** Ledgers tried until one is not taken over at once, which no sound collector does. */
  private static final int MAX_LEDGERS = 5;

  private static final int LINES_AT_ONCE = 500;

  private final ObjectStore store;
  private final LongSupplier clock;
  private final Set<String> open = new HashSet<>();
  private final Set<String> settled = new HashSet<>();
  private Current current = new Current();

  /**
   * The ledger that is written to. Once it is taken over, or closed with nothing in it, there is
   * another one in its place, and it never comes back: whoever has begun to write to it finds it
   * gone, and writes to the new one. So nobody who ends one of them can touch the next.
   */
  private static final class Current {

    private final Uid process = Uid.random();

    /** Whether it is in the list; guarded by the process' ledger, as its place in it is. */
    private boolean registered;

    private volatile boolean made;

    private String object() {
      return ObjectNames.ledger(process.value());
    }
  }

  /**
   * @param clock milliseconds since the epoch, for people and for the choice of what to collect
   */
  public ProcessLedger(ObjectStore store, LongSupplier clock) {
    this.store = store;
    this.clock = clock;
  }

  /** The name of the ledger's object. */
  public synchronized String object() {
    return current.object();
  }

  /**
   * Writes down a file before its first byte goes to RADOS. One write; one more for the first file
   * of the process.
   */
  public void begin(FileData unfinished, int window) throws IOException {
    add(unfinished.uid().value(), new LedgerEntry.UnfinishedFile(unfinished, window));
  }

  /** Writes down an index object before it is made; answers the key to settle. One write. */
  public String beginIndex(FsPath directory) throws IOException {
    String key = Uid.random().value();
    add(key, new LedgerEntry.NewIndex(directory));
    return key;
  }

  /** The same for several; one write for up to {@value #LINES_AT_ONCE}. */
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

  /** Writes down shards before they are made; answers the key to settle. One write. */
  public String beginShards(FsPath directory, Shards shards) throws IOException {
    String key = Uid.random().value();
    add(key, new LedgerEntry.NewShards(directory, shards));
    return key;
  }

  /** Crosses out an entry: an index refers to its object, or there is none any more. No write. */
  public synchronized void settle(String key) {
    if (open.remove(key)) {
      settled.add(key);
    }
  }

  public void settle(Uid file) {
    settle(file.value());
  }

  /**
   * Makes sure that a file begun is still this process' to publish. One read.
   *
   * <p>What the publication is then guarded with ({@link
   * io.radosfs.connector.layout.IndexKeys#FENCE}) must have been read before this is called: a
   * collector first takes the ledger over, then changes the fence, then looks for the file.
   *
   * @throws LedgerTakenOverException when it is not
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

  /** Says that the process is alive, if it has anything written down. One write, or none. */
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
      return created;
    }
    Answer answer = writeOwned(ledger, crossedOut, lines);
    return answer == Answer.REFUSED ? created : answer;
  }

  /** Refused when the object is there, which only this process or a collector makes. */
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

  /** Refused when the ledger is this process' no more. */
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

  /** What was accepted by the ledger's object shows that it is made. */
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

  private synchronized void giveBack(Set<String> crossedOut) {
    settled.addAll(crossedOut);
  }

  /**
   * Where lines are to be written.
   *
   * @param crossedOut what is to be crossed out with them
   */
  private record Entered(Current ledger, Set<String> crossedOut) {}

  /**
   * Announces new lines, so that the ledger is not closed over them. The registration comes before
   * the ledger, so that no ledger is ever unknown.
   */
  private synchronized Entered enter(Collection<String> newKeys) throws IOException {
    Current ledger = current;
    if (!ledger.registered) {
      byte[] value = LedgerKeys.bytes(ledger.object());
      // A try that comes late takes no collector's mark off the line.
      WriteOp line =
          WriteOp.builder()
              .evenIfFull()
              .createIfMissing()
              .absentOmap(ledger.process.value())
              .setOmap(ledger.process.value(), value)
              .build();
      RepeatableOps.Answer unused =
          RepeatableOps.accepted(() -> store.write(ObjectNames.LEDGERS, line), Kind.GUARD_FAILED);
      ledger.registered = true;
    }
    open.addAll(newKeys);
    return new Entered(ledger, takeSettled());
  }

  private Set<String> takeSettled() {
    Set<String> taken = new HashSet<>(settled);
    settled.clear();
    return taken;
  }

  /**
   * Removes the ledger when all is crossed out; else leaves what is not. Two writes, none when
   * nothing was ever written down. A ledger that was taken over is the collector's. What begins
   * meanwhile, or after, is written to another ledger.
   */
  @Override
  public void close() throws IOException {
    Current ledger;
    boolean everything;
    Set<String> crossedOut;
    synchronized (this) {
      ledger = current;
      if (!ledger.registered) {
        return;
      }
      everything = open.isEmpty();
      crossedOut = takeSettled();
      if (everything) {
        current = new Current();
      }
    }
    if (everything) {
      remove(ledger);
    } else if (!crossedOut.isEmpty()) {
      Answer unused = writeOwned(ledger, crossedOut, Map.of());
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
    // Where a collector has marked the line, it makes the ledger again, and the line is its own.
    String key = ledger.process.value();
    WriteOp line =
        WriteOp.builder()
            .assertExists()
            .compareOmap(key, LedgerKeys.bytes(ledger.object()))
            .removeOmap(key)
            .build();
    RepeatableOps.Answer unused =
        RepeatableOps.accepted(
            () -> store.write(ObjectNames.LEDGERS, line), Kind.GUARD_FAILED, Kind.NOT_FOUND);
  }
}
