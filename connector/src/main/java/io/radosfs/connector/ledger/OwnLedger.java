// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.ledger;

import io.radosfs.connector.layout.ObjectNames;
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
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * One ledger of this process: its object, and its line in the list of ledgers. Each write is
 * guarded with the ledger being this process' still.
 *
 * <p>Thread-safe.
 */
final class OwnLedger {

  private final ObjectStore store;
  private final LedgerLines lines;
  private final LongSupplier clock;
  private final Uid process = Uid.random();

  /** Puts it into the list of ledgers. */
  private final OneForAll registration = new OneForAll("another thread registers the ledger");

  private volatile boolean made;

  /** Whether it is known to be listed since it was made; see {@link #requireListed}. */
  private volatile boolean listed;

  OwnLedger(ObjectStore store, LedgerLines lines, LongSupplier clock) {
    this.store = store;
    this.lines = lines;
    this.clock = clock;
  }

  /** The name of its object. */
  String object() {
    return ObjectNames.ledger(process.value());
  }

  /** As this process lists it. */
  private Ledgers.Line line() {
    return new Ledgers.Line(process.value(), object(), LedgerKeys.bytes(object()));
  }

  /** Lists it, before its object is made, so that no ledger is ever unlisted. Once. */
  void register() throws IOException {
    registration.run(() -> lines.register(line()));
  }

  boolean isRegistered() {
    return registration.isDone();
  }

  /** Whether its object is known to be made. */
  boolean isMade() {
    return made;
  }

  /** Whether it is this process' still, and has a line. One read. */
  boolean has(String key) throws IOException {
    ReadOp op = ReadOp.builder().omapByKeys(Set.of(LedgerKeys.STATE, key)).afterWrites().build();
    return Reads.find(store, object(), op)
        .map(result -> result.omap(0))
        .filter(omap -> Arrays.equals(LedgerKeys.open(), omap.get(LedgerKeys.STATE)))
        .filter(omap -> omap.containsKey(key))
        .isPresent();
  }

  /**
   * Adds lines. One write, which makes the object where it is not known to be made; then one more.
   *
   * @param crossedOut keys that go with it
   * @return refused if the ledger no longer belongs to this process
   */
  Answer write(Set<String> crossedOut, Map<String, byte[]> added) throws IOException {
    Answer created = made ? Answer.REFUSED : create(added);
    if (created.isAccepted()) {
      // Even if another thread has looked: a collector may have forgotten since what that one made.
      list();
      return created;
    }
    Answer answer = update(crossedOut, added);
    if (answer != Answer.REFUSED || created != Answer.REFUSED) {
      return answer == Answer.REFUSED ? created : answer;
    }
    return hasAny(added.keySet()) ? Answer.REFUSED_AFTER_OPEN_TRY : Answer.REFUSED;
  }

  /**
   * Whether it has one of these lines, for the collector that has taken it over: an OSD that had
   * forgotten that it has written them has refused to do so again. One read.
   */
  private boolean hasAny(Set<String> written) throws IOException {
    Set<String> keys = new HashSet<>(written);
    written.forEach(line -> keys.add(LedgerKeys.removed(line)));
    ReadOp op = ReadOp.builder().omapByKeys(keys).afterWrites().build();
    return Reads.find(store, object(), op).filter(result -> !result.omap(0).isEmpty()).isPresent();
  }

  /** Refused if the object exists, which only this process or a collector makes. */
  private Answer create(Map<String, byte[]> added) throws IOException {
    WriteOp op =
        WriteOp.builder()
            .evenIfFull()
            .createExclusive()
            .setOmap(LedgerKeys.STATE, LedgerKeys.open())
            .setOmap(LedgerKeys.RENEWED, LedgerKeys.time(clock.getAsLong()))
            .setOmap(added)
            .build();
    return seen(RepeatableOps.accepted(() -> store.write(object(), op), Kind.EXISTS));
  }

  /**
   * Changes lines of an object that is made, and renews it. One write. Refused if the ledger no
   * longer belongs to this process.
   */
  Answer update(Set<String> crossedOut, Map<String, byte[]> added) throws IOException {
    WriteOp op =
        WriteOp.builder()
            .assertExists()
            .compareOmap(LedgerKeys.STATE, LedgerKeys.open())
            .removeOmap(keys(crossedOut))
            .setOmap(LedgerKeys.RENEWED, LedgerKeys.time(clock.getAsLong()))
            .setOmap(added)
            .build();
    return seen(
        RepeatableOps.accepted(() -> store.write(object(), op), Kind.GUARD_FAILED, Kind.NOT_FOUND));
  }

  /** A write that the ledger's object has accepted shows that it is made. */
  private Answer seen(Answer answer) {
    if (answer.isAccepted()) {
      made = true;
    }
    return answer;
  }

  private static Set<String> keys(Set<String> crossedOut) {
    Set<String> keys = new HashSet<>();
    crossedOut.forEach(key -> keys.add(LedgerKeys.OPEN_PREFIX + key));
    return keys;
  }

  /**
   * Lists it again unless it is known to be listed since it was made: if the process is held up
   * between listing and making it, a collector makes a ledger of that name, takes it over, and
   * forgets it with its line. One write, or none.
   */
  void requireListed() throws IOException {
    if (!listed) {
      list();
    }
  }

  private void list() throws IOException {
    Ledgers.Line unused = lines.keep(line());
    listed = true;
  }

  /**
   * Removes the object and its line, unless it was taken over: then it is the collector's. Two
   * writes.
   */
  void remove() throws IOException {
    WriteOp removal =
        WriteOp.builder()
            .assertExists()
            .compareOmap(LedgerKeys.STATE, LedgerKeys.open())
            .remove()
            .build();
    try {
      RepeatableOps.repeat(() -> store.write(object(), removal));
    } catch (StoreException e) {
      if (e.is(Kind.GUARD_FAILED)) {
        return;
      }
      if (!e.is(Kind.NOT_FOUND)) {
        throw e;
      }
    }
    // If a collector has marked the line, it makes the ledger again and owns the line.
    lines.remove(line());
  }
}
