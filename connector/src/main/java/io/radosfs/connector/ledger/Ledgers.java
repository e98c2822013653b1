// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.ledger;

import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.SeenStripe;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.store.ObjectStore;
import io.radosfs.connector.store.Reads;
import io.radosfs.connector.store.RepeatableOps;
import io.radosfs.connector.store.StoreException;
import io.radosfs.connector.store.StoreException.Kind;
import io.radosfs.connector.store.WriteOp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/**
 * The ledgers of all processes, for the collection of what dead processes left. All changes can be
 * repeated, by the same or another collector.
 *
 * <p>Thread-safe; holds no state of its own.
 */
public final class Ledgers {

  /** The state of a ledger. */
  public enum State {
    /** It is registered, but not made yet, or half forgotten. */
    MISSING,
    /** It belongs to its process, as far as is known. */
    OPEN,
    /** A collector has taken it over. */
    TAKEN
  }

  /**
   * A ledger as read.
   *
   * @param renewed the last heartbeat of its process, or when it was taken over; 0 if it is missing
   * @param found when a later collection last found anything of its files; 0 if none has
   * @param open what its process was about to write or make, by key; the length of a file is how
   *     far a collection has seen it reach
   * @param removed what a collector has removed already, by key
   * @param unreadable lines that cannot be read: they stay; the others can be worked off
   */
  public record Ledger(
      String object,
      State state,
      long renewed,
      long found,
      SortedMap<String, LedgerEntry> open,
      SortedMap<String, LedgerEntry> removed,
      List<LayoutException> unreadable) {

    /** When a sign of its process was last seen, or it was taken over. */
    public long lastSign() {
      return Math.max(renewed, found);
    }
  }

  private final ObjectStore store;
  private final LedgerLines lines;
  private final LongSupplier clock;

  /**
   * @param store of the index
   * @param clock milliseconds since the epoch
   */
  public Ledgers(ObjectStore store, LongSupplier clock) {
    this.store = store;
    this.lines = new LedgerLines(store);
    this.clock = clock;
  }

  /**
   * A line in {@link ObjectNames#LEDGERS}, as it was read or written. Each removal of a line is
   * guarded with its value. Before a collector makes a missing ledger, or removes one, it changes
   * that value; {@link LedgerLines} says why.
   *
   * @param object the ledger's name
   */
  public record Line(String key, String object, byte[] value) {

    static Line marked(Line line, Uid by) {
      return new Line(line.key, line.object, LedgerKeys.bytes(line.object + " " + by.value()));
    }
  }

  /**
   * Reads the lines of all ledgers. ⌈n/1024⌉ reads.
   *
   * @param failures told of lines that cannot be read
   */
  public List<Line> registered(Failures failures) throws IOException {
    List<Line> ledgers = new ArrayList<>();
    for (Map.Entry<String, byte[]> line : Reads.omap(store, ObjectNames.LEDGERS, "").entrySet()) {
      if (!line.getKey().startsWith(LedgerKeys.JOB_PREFIX)) {
        boolean unused =
            failures.attempt(
                ObjectNames.LEDGERS, () -> ledgers.add(line(line.getKey(), line.getValue())));
      }
    }
    return ledgers;
  }

  /**
   * Decodes a line in {@link ObjectNames#LEDGERS}: the name of a ledger, followed by a uid if the
   * ledger was missing when a collector met it.
   *
   * @throws LayoutException if the line names another object
   */
  public static Line line(String key, byte[] value) throws LayoutException {
    String object = ObjectNames.ledger(key);
    Line line = new Line(key, object, value);
    if (!Arrays.equals(LedgerKeys.bytes(object), value) && !isMarked(line)) {
      throw unreadable(ObjectNames.LEDGERS, key);
    }
    return line;
  }

  private static boolean isMarked(Line line) {
    String text = new String(line.value(), StandardCharsets.UTF_8);
    try {
      Uid by = new Uid(text.substring(text.lastIndexOf(' ') + 1));
      return Arrays.equals(Line.marked(line, by).value(), line.value());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Reads a ledger. ⌈n/1024⌉ reads. */
  public Ledger read(String object) throws IOException {
    return decode(object, Reads.omap(store, object, ""));
  }

  /**
   * Decodes a ledger from its omap, which is empty if the ledger is missing.
   *
   * @throws LayoutException if its state or one of its times cannot be read
   */
  public static Ledger decode(String object, SortedMap<String, byte[]> omap)
      throws LayoutException {
    SortedMap<String, LedgerEntry> open = new TreeMap<>();
    SortedMap<String, LedgerEntry> removed = new TreeMap<>();
    List<LayoutException> unreadable = new ArrayList<>();
    Map<Uid, SeenStripe> seen = new HashMap<>();
    for (Map.Entry<String, byte[]> line : omap.entrySet()) {
      String key = line.getKey();
      try {
        if (key.startsWith(LedgerKeys.OPEN_PREFIX)) {
          open.put(
              key.substring(LedgerKeys.OPEN_PREFIX.length()),
              LedgerEntry.decode(object, key, line.getValue()));
        } else if (key.startsWith(LedgerKeys.REMOVED_PREFIX)) {
          removed.put(
              key.substring(LedgerKeys.REMOVED_PREFIX.length()),
              LedgerEntry.decode(object, key, line.getValue()));
        } else if (key.startsWith(LedgerKeys.SEEN_PREFIX)) {
          SeenStripe stripe = SeenStripe.ofKey(object, key);
          seen.put(stripe.file(), stripe); // the last one is the highest
        }
      } catch (LayoutException e) {
        unreadable.add(e);
      }
    }
    open.replaceAll((key, entry) -> entry.reaching(seen));
    removed.replaceAll((key, entry) -> entry.reaching(seen));
    return new Ledger(
        object,
        state(object, omap),
        renewed(object, omap),
        omap.containsKey(LedgerKeys.FOUND) ? time(object, omap, LedgerKeys.FOUND) : 0,
        open,
        removed,
        unreadable);
  }

  private static State state(String object, SortedMap<String, byte[]> omap) throws LayoutException {
    if (omap.isEmpty()) {
      return State.MISSING;
    }
    byte[] stored = omap.get(LedgerKeys.STATE);
    if (Arrays.equals(stored, LedgerKeys.open())) {
      return State.OPEN;
    }
    if (Arrays.equals(stored, LedgerKeys.taken())) {
      return State.TAKEN;
    }
    throw unreadable(object, LedgerKeys.STATE);
  }

  private static long renewed(String object, SortedMap<String, byte[]> omap)
      throws LayoutException {
    return omap.isEmpty() ? 0 : time(object, omap, LedgerKeys.RENEWED);
  }

  private static long time(String object, SortedMap<String, byte[]> omap, String key)
      throws LayoutException {
    byte[] stored = omap.get(key);
    if (stored == null) {
      throw unreadable(object, key);
    }
    try {
      long time = Long.parseLong(new String(stored, StandardCharsets.UTF_8));
      if (time >= 0) {
        return time;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw unreadable(object, key);
  }

  static LayoutException unreadable(String object, String key) {
    return new LayoutException(
        "cannot read key '"
            + key
            + "' of RADOS object '"
            + object
            + "': it was written by another version of radosfs, or is damaged; nothing was"
            + " changed",
        null);
  }

  /**
   * Takes a ledger from its process, unless the process has used it since it was read. From then on
   * every operation of the process on it fails, so nothing is added to it any more. One write; one
   * read more if it is refused; and one write before it and a read after it if the ledger is
   * missing.
   *
   * @param listed its line, read before the ledger was
   * @return its line now; empty if the process is alive after all, or another client is about to
   *     forget the ledger
   */
  public Optional<Line> takeOver(Line listed, Ledger read) throws IOException {
    if (read.state() == State.TAKEN) {
      return Optional.of(listed);
    }
    Line line = listed;
    if (read.state() == State.MISSING) {
      line = Line.marked(listed, Uid.random());
      if (!lines.mark(listed, line)) {
        return Optional.empty();
      }
    }
    Map<String, byte[]> taken =
        Map.of(
            LedgerKeys.STATE,
            LedgerKeys.taken(),
            LedgerKeys.RENEWED,
            LedgerKeys.time(clock.getAsLong()));
    WriteOp.Builder op =
        read.state() == State.MISSING
            ? WriteOp.builder().evenIfFull().createExclusive()
            : WriteOp.builder()
                .assertExists()
                .compareOmap(LedgerKeys.STATE, LedgerKeys.open())
                .compareOmap(LedgerKeys.RENEWED, LedgerKeys.time(read.renewed()));
    WriteOp change = op.setOmap(taken).build();
    boolean isTaken =
        RepeatableOps.accepted(
                    () -> store.write(read.object(), change),
                    Kind.GUARD_FAILED,
                    Kind.EXISTS,
                    Kind.NOT_FOUND)
                .isAccepted()
            || read(read.object()).state() == State.TAKEN;
    if (!isTaken) {
      return Optional.empty();
    }
    return Optional.of(read.state() == State.MISSING ? lines.keep(line) : line);
  }

  /** Crosses out lines whose objects an index refers to, or never existed. One write. */
  public void crossOut(Ledger taken, Collection<String> keys) throws IOException {
    List<String> lines = new ArrayList<>();
    keys.forEach(key -> lines.add(LedgerKeys.OPEN_PREFIX + key));
    change(taken, lines, Map.of());
  }

  /** Notes that these lines' objects were removed, and must be looked for again. One write. */
  public void markRemoved(Ledger taken, Collection<String> keys) throws IOException {
    List<String> lines = new ArrayList<>();
    Map<String, byte[]> removed = new HashMap<>();
    for (String key : keys) {
      lines.add(LedgerKeys.OPEN_PREFIX + key);
      removed.put(LedgerKeys.REMOVED_PREFIX + key, taken.open().get(key).encode());
    }
    change(taken, lines, removed);
  }

  /** The time that a takeover notes: milliseconds since the epoch. */
  public long now() {
    return clock.getAsLong();
  }

  /** Notes that something of its files was found then: its process may write on. One write. */
  public void noteFound(Ledger taken, long time) throws IOException {
    change(taken, List.of(), Map.of(LedgerKeys.FOUND, LedgerKeys.time(time)));
  }

  /** Notes how far a file reaches that is about to be removed. One write. */
  public void note(Ledger taken, SeenStripe seen) throws IOException {
    change(taken, List.of(), Map.of(seen.key(), LedgerKeys.bytes("1")));
  }

  private void change(Ledger taken, List<String> removals, Map<String, byte[]> sets)
      throws IOException {
    if (removals.isEmpty() && sets.isEmpty()) {
      return;
    }
    WriteOp op = guarded(taken).evenIfFull().removeOmap(removals).setOmap(sets).build();
    boolean unused = isSame(() -> store.write(taken.object(), op));
  }

  /** Refused if the ledger was forgotten and made again since: then it has another time. */
  private static WriteOp.Builder guarded(Ledger taken) {
    return WriteOp.builder()
        .assertExists()
        .compareOmap(LedgerKeys.STATE, LedgerKeys.taken())
        .compareOmap(LedgerKeys.RENEWED, LedgerKeys.time(taken.renewed()));
  }

  /**
   * Makes a change that {@link #guarded} guards, if the ledger is there.
   *
   * @return false if there is another ledger of that name by now
   */
  private static boolean isSame(InvocationRaisingIOE change) throws IOException {
    try {
      RepeatableOps.Answer unused = RepeatableOps.accepted(change, Kind.NOT_FOUND);
      return true;
    } catch (StoreException e) {
      if (e.is(Kind.GUARD_FAILED)) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Forgets a ledger that was taken over, if it is still the same: its process may have made it
   * again since others have forgotten it, or another collector may have found something. Three
   * writes.
   *
   * @param line as {@link #takeOver} returned it; if it has changed since, another client is at
   *     work, and nothing is forgotten
   */
  public void forget(Line line, Ledger taken) throws IOException {
    Line own = Line.marked(line, Uid.random());
    if (!lines.mark(line, own)) {
      return;
    }
    WriteOp.Builder same = guarded(taken);
    WriteOp.Builder unchanged =
        taken.found() == 0
            ? same.absentOmap(LedgerKeys.FOUND)
            : same.compareOmap(LedgerKeys.FOUND, LedgerKeys.time(taken.found()));
    WriteOp removal = unchanged.remove().build();
    if (isSame(() -> store.write(taken.object(), removal))) {
      lines.remove(own);
    }
  }
}
