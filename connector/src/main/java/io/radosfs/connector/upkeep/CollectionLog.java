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
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** Reports what a collection does, an event each, and counts it. Not thread-safe. */
public final class CollectionLog {

  private final Consumer<Event> events;
  private final LongFunction<String> sizes;
  private final Set<String> failures = new HashSet<>();
  private int removed;
  private int kept;
  private int jobsEnded;
  private int jobsLeftAlone;
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

  /** What is done with something. */
  public enum Action {
    TAKEN_OVER,
    WOULD_TAKE_OVER,
    WOULD_LOOK_AT,
    LEFT_ALONE,
    REMOVED,
    WOULD_REMOVE,
    /** What is garbage, or may be, and could not be removed now. */
    KEPT,
    /** What is no garbage yet. */
    STILL_THERE,
    FORGOTTEN,
    WOULD_FINISH,
    FINISHED,
    ABORTED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * One thing that was done, or could not be.
   *
   * @param subject what it was done with
   * @param detail more of it, or why; may be empty
   */
  public record Event(Action action, String subject, String detail) {

    /** A line for people. */
    @Override
    public String toString() {
      String why = action == Action.KEPT ? ": " : ", ";
      return action + ": " + subject + (detail.isEmpty() ? "" : why + detail);
    }
  }

  /** With exact sizes. */
  public CollectionLog(Consumer<Event> events) {
    this(events, bytes -> bytes + " bytes");
  }

  /**
   * @param events takes each event
   * @param sizes how sizes are told
   */
  public CollectionLog(Consumer<Event> events, LongFunction<String> sizes) {
    this.events = events;
    this.sizes = sizes;
  }

  /** Files and indexes that were removed. */
  public int removed() {
    return removed;
  }

  /** What is garbage, or may be, and could not be removed now. */
  public int kept() {
    return kept;
  }

  /** Jobs that were brought to their end. */
  public int jobsEnded() {
    return jobsEnded;
  }

  /** Jobs that seem alive, or had ended before. */
  public int jobsLeftAlone() {
    return jobsLeftAlone;
  }

  void takenOver(Ledger ledger) {
    say(Action.TAKEN_OVER, named(ledger), "last used %s", time(ledger.renewed()));
  }

  void wouldTakeOver(Ledger ledger) {
    say(
        Action.WOULD_TAKE_OVER,
        named(ledger),
        "last used %s, with %d unfinished and %d removed",
        time(ledger.renewed()),
        ledger.open().size(),
        ledger.removed().size());
    ledger.open().values().forEach(entry -> say(Action.WOULD_LOOK_AT, entry.toString(), ""));
  }

  private static String named(Ledger ledger) {
    return "ledger " + ledger.object();
  }

  void alive(String ledger) {
    say(Action.LEFT_ALONE, "ledger " + ledger, "which its process has just used or closed");
  }

  void removed(FileData file) {
    removed++;
    say(
        Action.REMOVED,
        String.format("what was written of %s (%s)", file.origin(), file.uid()),
        "");
  }

  void gaveBack(FileData file) {
    say(
        Action.STILL_THERE,
        String.format("data of %s (%s)", file.origin(), file.written()),
        "which `radosfs restore` was making a file of; it is kept as replaced data again");
  }

  void removedIndex(FsPath directory) {
    removed++;
    say(Action.REMOVED, "the index of " + directory, "a directory that is not there");
  }

  void stillRenamed(FileData file) {
    kept++;
    say(
        Action.KEPT,
        String.format("%s (%s)", file.origin(), file.uid()),
        "names keep being renamed; run again");
  }

  void stillUsed(String key, FsPath directory) {
    kept++;
    say(
        Action.KEPT,
        String.format("the index of %s (%s)", directory, key),
        "a transaction uses it");
  }

  void removed(DeferredDeletion.OfFile replaced) {
    removed++;
    replacedRemoved = replacedRemoved.and(replaced);
  }

  /** What could not be deleted is told as a failure, and is not kept for readers. */
  void keeps(DeferredDeletion.OfFile replaced) {
    if (replaced.isKept()) {
      replacedKept = replacedKept.and(replaced);
    }
  }

  void wouldRemove(DeferredDeletion.OfFile replaced) {
    FileData data = replaced.file().data();
    say(
        Action.WOULD_REMOVE,
        String.format("replaced data of %s (%s)", data.origin(), data.uid()),
        "%s, %s",
        sizes.apply(data.length()),
        replaced.isKept()
            ? "once it is " + time(replaced.until())
            : "which could not be deleted with its directory");
  }

  /** Reports the totals of {@link #removed(DeferredDeletion.OfFile)} and {@link #keeps}. */
  void reportReplaced() {
    if (replacedRemoved.files() > 0) {
      say(Action.REMOVED, named(replacedRemoved), "%s", sizes.apply(replacedRemoved.bytes()));
    }
    if (replacedKept.files() > 0) {
      say(
          Action.STILL_THERE,
          named(replacedKept),
          "%s, until %s at the latest",
          sizes.apply(replacedKept.bytes()),
          time(replacedKept.until()));
    }
  }

  private static String named(Replaced replaced) {
    return "data of " + replaced.files() + " replaced files";
  }

  void forgotten(String ledger) {
    say(Action.FORGOTTEN, "ledger " + ledger, "of which nothing is left");
  }

  void wouldRecover(RegisteredJob job, long lastHeartbeat) {
    say(
        Action.WOULD_FINISH,
        job.toString(),
        "%s, last heartbeat %s",
        job.decision(),
        time(lastHeartbeat));
  }

  /** Reports a job with a heartbeat from the future, which no collection ends. */
  void ahead(RegisteredJob job, FutureHeartbeat heartbeat) {
    say(Action.LEFT_ALONE, job.toString(), "%s", heartbeat.ofJob(job.id()));
  }

  /** The same of a ledger. */
  void ahead(Ledger ledger, FutureHeartbeat heartbeat) {
    say(Action.LEFT_ALONE, named(ledger), "%s", heartbeat.ofLedger());
  }

  void recovered(RegisteredJob job, JobUpkeep.Recovered recovered, long now) {
    String rest =
        recovered.rest()
            ? "; its record stays for a while, as a process of it may still write"
            : "";
    switch (recovered.outcome()) {
      case ABORTED, COMMITTED -> jobsEnded++;
      case ALIVE, UNRECORDED, GONE -> jobsLeftAlone++;
    }
    switch (recovered.outcome()) {
      case ALIVE ->
          FutureHeartbeat.of(recovered.lastHeartbeat(), now)
              .ifPresentOrElse(
                  future -> ahead(job, future),
                  () -> say(Action.LEFT_ALONE, job.toString(), "whose last heartbeat is recent"));
      case UNRECORDED ->
          say(Action.LEFT_ALONE, job.toString(), "which seems to be set up just now");
      case GONE -> say(Action.LEFT_ALONE, job.toString(), "which has ended");
      case ABORTED -> say(Action.ABORTED, job.toString(), "and what it wrote is removed%s", rest);
      case COMMITTED -> say(Action.FINISHED, job.toString(), "which is committed%s", rest);
    }
  }

  /** Reports something that could not be dealt with. Each message is reported and counted once. */
  public void failed(String subject, Exception failure) {
    String text = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    // Several steps meet the same unreadable object; its message names the object itself.
    if (failures.add(failure instanceof LayoutException ? text : subject + ": " + text)) {
      kept++;
      say(Action.KEPT, subject, "%s", text);
    }
  }

  /** Reports lines of a ledger that cannot be read. */
  void unreadable(String object, Collection<LayoutException> lines) {
    lines.forEach(line -> failed("ledger " + object, line));
  }

  private void say(Action action, String subject, String format, Object... arguments) {
    events.accept(new Event(action, subject, String.format(format, arguments)));
  }

  private static String time(long millis) {
    return millis == 0 ? "never" : Instant.ofEpochMilli(millis).toString();
  }
}
