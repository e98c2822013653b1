package io.radosfs.connector.upkeep;

import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.ledger.Ledgers.Ledger;
import java.time.Instant;
import java.util.function.Consumer;

/** Says what a collection does, a line each, and counts it. Not thread-safe. */
public final class CollectionLog {

  private final Consumer<String> lines;
  private int removed;
  private int kept;

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

  /** What was garbage, or may be, and could not be dealt with now. */
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
    say("left alone: ledger %s, which its process has just used", ledger);
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

  void forgotten(String ledger) {
    say("forgotten: ledger %s, of which nothing is left", ledger);
  }

  private void say(String format, Object... arguments) {
    lines.accept(String.format(format, arguments));
  }

  private static String time(long millis) {
    return millis == 0 ? "never" : Instant.ofEpochMilli(millis).toString();
  }
}
