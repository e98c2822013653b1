// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.job.JobUpkeep;
import io.radosfs.connector.job.RegisteredJob;
import io.radosfs.connector.layout.DeferredDeletion;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.LayoutException;
import io.radosfs.connector.ledger.Ledgers.Ledger;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Reports what a collection does, one line each, and counts it. Not thread-safe. */
public final class CollectionLog {

  private final Consumer<String> lines;
  private final Set<String> failures = new HashSet<>();
  private int removed;
  private int kept;
  private Replaced replacedRemoved = Replaced.NONE;
  private Replaced replacedKept = Replaced.NONE;

  /** Number of replaced files, bytes of their data, and the time until which the last is kept. */
  private record Replaced(long files, long bytes, long until) {
    static final Replaced NONE = new Replaced(0, 0, 0);

    Replaced and(DeferredDeletion.OfFile file) {
      return new Replaced(
          files + 1, bytes + file.file().data().length(), Math.max(until, file.until()));
    }
  }

  /**
   * @param lines takes each line, for people
   */
  public CollectionLog(Consumer<String> lines) {
    this.lines = lines;
  }

  /** Files and indexes that were removed. */
  public int removed() {
    return removed;
  }

  /** What is garbage, or may be, and could not be removed now. */
  public int kept() {
    return kept;
  }

  void takenOver(Ledger ledger) {
    say("taken over: ledger %s, last used %s", ledger.object(), time(ledger.renewed()));
  }

  void wouldTakeOver(Ledger ledger) {
    say(
        "would take over: ledger %s, last used %s, with %d unfinished and %d removed",
        ledger.object(), time(ledger.renewed()), ledger.open().size(), ledger.removed().size());
    ledger.open().values().forEach(entry -> say("  %s", entry));
  }

  void alive(String ledger) {
    say("left alone: ledger %s, which its process has just used or closed", ledger);
  }

  void removed(FileData file) {
    removed++;
    say("removed: what was written of %s (%s)", file.origin(), file.uid());
  }

  void removedIndex(FsPath directory) {
    removed++;
    say("removed: the index of %s, a directory that is not there", directory);
  }

  void unsettled(FileData file) {
    kept++;
    say("kept: %s (%s), as names keep being renamed; run again", file.origin(), file.uid());
  }

  void unsettled(String key, FsPath directory) {
    kept++;
    say("kept: the index of %s (%s), which a transaction uses", directory, key);
  }

  void removed(DeferredDeletion.OfFile replaced) {
    removed++;
    replacedRemoved = replacedRemoved.and(replaced);
  }

  void keeps(DeferredDeletion.OfFile replaced) {
    replacedKept = replacedKept.and(replaced);
  }

  void wouldRemove(DeferredDeletion.OfFile replaced) {
    FileData data = replaced.file().data();
    say(
        "would remove: replaced data of %s (%s), %d bytes, once it is %s",
        data.origin(), data.uid(), data.length(), time(replaced.until()));
  }

  /** Reports the totals of {@link #removed(DeferredDeletion.OfFile)} and {@link #keeps}. */
  void reportReplaced() {
    if (replacedRemoved.files() > 0) {
      say(
          "removed: data of %d replaced files, %d bytes",
          replacedRemoved.files(), replacedRemoved.bytes());
    }
    if (replacedKept.files() > 0) {
      say(
          "still there: data of %d replaced files, %d bytes, until %s at the latest",
          replacedKept.files(), replacedKept.bytes(), time(replacedKept.until()));
    }
  }

  void forgotten(String ledger) {
    say("forgotten: ledger %s, of which nothing is left", ledger);
  }

  void wouldRecover(RegisteredJob job, long lastHeartbeat) {
    say("would finish: %s, %s, last heartbeat %s", job, job.decision(), time(lastHeartbeat));
  }

  void recovered(RegisteredJob job, JobUpkeep.Recovered recovered) {
    switch (recovered.outcome()) {
      case ALIVE -> say("left alone: %s, whose last heartbeat is recent", job);
      case UNRECORDED -> say("left alone: %s, which seems to be set up just now", job);
      case GONE -> say("left alone: %s, which has ended", job);
      case ABORTED -> say("aborted: %s; what it wrote is removed", job);
      case COMMITTED -> say("finished: %s, which is committed", job);
    }
    boolean ended =
        recovered.outcome() == JobUpkeep.Outcome.ABORTED
            || recovered.outcome() == JobUpkeep.Outcome.COMMITTED;
    if (recovered.rest() && ended) {
      say("  its record stays for a while, as a process of it may still write");
    }
  }

  /** Reports something that could not be dealt with. Each message is reported and counted once. */
  public void failed(String subject, Exception failure) {
    String text = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    // Several steps meet the same unreadable object; its message names the object itself.
    if (failures.add(failure instanceof LayoutException ? text : subject + ": " + text)) {
      kept++;
      say("kept: %s: %s", subject, text);
    }
  }

  /** Reports lines of a ledger that cannot be read. */
  void unreadable(String object, Collection<LayoutException> lines) {
    lines.forEach(line -> failed("ledger " + object, line));
  }

  private void say(String format, Object... arguments) {
    lines.accept(String.format(format, arguments));
  }

  private static String time(long millis) {
    return millis == 0 ? "never" : Instant.ofEpochMilli(millis).toString();
  }
}
