// SPDX-License-Identifier: Apache-2.0
package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.DataRemover;
import io.radosfs.connector.data.RetainedData;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.index.IndexReader;
import io.radosfs.connector.index.Indexes;
import io.radosfs.connector.layout.FileData;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.ObjectNames;
import io.radosfs.connector.layout.SeenStripe;
import io.radosfs.connector.layout.Shards;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.LedgerEntry;
import io.radosfs.connector.ledger.Ledgers;
import io.radosfs.connector.ledger.Ledgers.Ledger;
import io.radosfs.connector.store.Failures;
import io.radosfs.connector.transaction.Retention;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Removes what processes left of files that they never published. Safety does not depend on clocks:
 * a process thought dead may be alive all the while. The steps:
 *
 * <ol>
 *   <li>its ledger is taken over; from then on the process can add nothing to it, so what is in the
 *       ledger is all there is;
 *   <li>the fence of each directory concerned is set anew; from then on the process can publish
 *       none of these files: the operation is guarded with the old fence, and before the process
 *       uses the new one it must read its ledger;
 *   <li>the index is searched for the files, wherever they were renamed to ({@link Leads}): a file
 *       that the index refers to was published before, and is crossed out;
 *   <li>the objects of the other files are removed, and the ledger notes that. Retained data of
 *       which such a file was to be made is retained again;
 *   <li>the ledger stays for a while, as a stripe from a dead process may still be on its way; each
 *       collection removes, or retains, again what is noted there. If it finds any of it, a process
 *       that was held up may be writing on, and the ledger stays for as long again. When the
 *       process comes to publish, it fails, and removes itself what it has written.
 * </ol>
 *
 * <p>Whatever cannot be read or done is reported to the log and stays in its ledger; the rest goes
 * on. But no object is removed of a file whose directory could not be fenced, or that could not be
 * searched for everywhere.
 *
 * <p>May stop anywhere and be repeated, and several may run at a time.
 */
final class LedgerCollector {

  private final Indexes indexes;
  private final RetainedData retainedData;
  private final Retention retention;
  private final DataRemover remover;
  private final Ledgers ledgers;
  private final IndexCollector indexCollector;
  private final CollectionLog log;
  private final Failures failures;

  LedgerCollector(
      Indexes indexes,
      RetainedData retainedData,
      Retention retention,
      IndexCollector indexCollector,
      DataRemover remover,
      Ledgers ledgers,
      CollectionLog log) {
    this.indexes = indexes;
    this.retainedData = retainedData;
    this.retention = retention;
    this.remover = remover;
    this.ledgers = ledgers;
    this.indexCollector = indexCollector;
    this.log = log;
    this.failures = log::failed;
  }

  /**
   * Collects ledgers without a heartbeat since then.
   *
   * @param before milliseconds since the epoch; only chooses where to look
   */
  void collect(long before) throws IOException {
    List<Taken> all = takeOver(before);
    List<Ledger> taken = all.stream().map(Taken::ledger).toList();
    LedgerFiles checked = new LedgerFiles();
    ReturnedData returned = new ReturnedData(retainedData, retention);
    fence(taken, checked);
    lookWherePublished(taken, checked);
    boolean unused =
        failures.attempt(
            "files of processes that are gone",
            () -> checked.search(indexes.reader(), retainedData, failures));
    for (Taken one : all) {
      boolean done =
          failures.attempt(
              "ledger " + one.ledger().object(), () -> remove(one, checked, returned, before));
    }
  }

  /** What is known about the files in the ledgers taken over. */
  private static final class LedgerFiles {
    /** Not found where they would be published; they can no longer be published. */
    final Set<Uid> unpublished = new HashSet<>();

    /** Those of them that were to be made of retained data. */
    final Set<Uid> restored = new HashSet<>();

    /** Files of which that could not be found out. */
    final Set<Uid> unknown = new HashSet<>();

    /** The unpublished files that are in no index; empty if that could not be found out. */
    Optional<Set<Uid>> missing = Optional.empty();

    void search(IndexReader reader, RetainedData retainedData, Failures failures)
        throws IOException {
      FencedFiles files = new FencedFiles(unpublished, restored, failures);
      if (Leads.inIndex(reader, retainedData, files) && !files.isUncertain()) {
        missing = Optional.of(files.rest());
      }
    }

    boolean isUnknown(Uid file) {
      return unknown.contains(file) || unpublished.contains(file) && missing.isEmpty();
    }

    boolean isMissing(Uid file) {
      return missing.isPresent() && missing.get().contains(file);
    }
  }

  private void remove(Taken taken, LedgerFiles checked, ReturnedData returned, long before)
      throws IOException {
    Ledger ledger = taken.ledger();
    LedgerFinds found = new LedgerFinds(ledgers, ledger, taken.before(), before);
    boolean rest = remove(ledger, checked, returned, found);
    long sign = found.isAny() ? ledgers.now() : ledger.lastSign();
    if (found.isAny() && sign > before) {
      found.note();
    } else if (!rest && sign <= before) {
      ledgers.forget(taken.line(), ledger);
      log.forgotten(ledger.object());
    }
  }

  /** Reports what a collection would take over. Only reads. */
  void preview(long before) throws IOException {
    for (Ledgers.Line line : registered()) {
      boolean unused =
          failures.attempt(
              "ledger " + line.object(),
              () -> {
                Ledger ledger = ledgers.read(line.object());
                if (isDue(ledger, before)) {
                  log.wouldTakeOver(ledger);
                } else {
                  tellIfAhead(ledger);
                }
                log.unreadable(line.object(), ledger.unreadable());
              });
    }
  }

  private List<Ledgers.Line> registered() throws IOException {
    List<Ledgers.Line> registered = new ArrayList<>();
    boolean unused =
        failures.attempt(
            ObjectNames.LEDGERS, () -> registered.addAll(ledgers.registered(failures)));
    return registered;
  }

  private void tellIfAhead(Ledger ledger) {
    FutureHeartbeat.of(ledger.renewed(), ledgers.now())
        .ifPresent(future -> log.ahead(ledger, future));
  }

  private static boolean isDue(Ledger ledger, long before) {
    return ledger.state() == Ledgers.State.TAKEN || ledger.renewed() <= before;
  }

  /**
   * A ledger as it was after it was taken over, and its line.
   *
   * @param before whether an earlier collection had taken it over
   */
  private record Taken(Ledgers.Line line, Ledger ledger, boolean before) {}

  private List<Taken> takeOver(long before) throws IOException {
    List<Taken> taken = new ArrayList<>();
    for (Ledgers.Line line : registered()) {
      boolean unused =
          failures.attempt("ledger " + line.object(), () -> takeOver(line, before, taken));
    }
    return taken;
  }

  private void takeOver(Ledgers.Line listed, long before, List<Taken> taken) throws IOException {
    Ledger ledger = ledgers.read(listed.object());
    if (!isDue(ledger, before)) {
      tellIfAhead(ledger);
      return;
    }
    Optional<Ledgers.Line> line = ledgers.takeOver(listed, ledger);
    // Read again: the process may have written until the takeover. And if another collector has
    // forgotten the ledger since, the process may have made it again.
    Ledger now = line.isPresent() ? ledgers.read(listed.object()) : ledger;
    if (line.isPresent() && now.state() == Ledgers.State.TAKEN) {
      log.takenOver(ledger);
      taken.add(new Taken(line.get(), now, ledger.state() == Ledgers.State.TAKEN));
    } else {
      log.alive(listed.object());
    }
  }

  private void fence(List<Ledger> taken, LedgerFiles checked) throws IOException {
    Map<FsPath, List<LedgerEntry.OfFile>> files = new HashMap<>();
    for (Ledger ledger : taken) {
      for (LedgerEntry entry : ledger.open().values()) {
        if (entry instanceof LedgerEntry.OfFile file) {
          files.computeIfAbsent(file.path().parent(), any -> new ArrayList<>()).add(file);
        }
      }
    }
    for (Map.Entry<FsPath, List<LedgerEntry.OfFile>> directory : files.entrySet()) {
      Set<String> names = new HashSet<>();
      directory.getValue().forEach(file -> names.add(file.path().name()));
      FsPath path = directory.getKey();
      if (!failures.attempt("directory " + path, () -> fence(path, names))) {
        directory.getValue().forEach(file -> checked.unknown.add(file.data().uid()));
      }
    }
  }

  /** A missing index needs no fence: no client has seen the fence of an index made later. */
  private void fence(FsPath directory, Set<String> names) throws IOException {
    indexes
        .retries()
        .until(
            "fencing of directory " + directory,
            () -> {
              DirectoryView head = indexes.reader().keys(directory, List.of());
              if (!head.isSharded()) {
                return fence(head);
              }
              Shards shards = head.head().orElseThrow().shards();
              boolean all = true;
              for (IndexObject shard : shards.byShard(directory, names).keySet()) {
                all &= fence(indexes.reader().keys(shard, List.of()));
              }
              return all;
            });
  }

  private boolean fence(DirectoryView index) throws IOException {
    byte[] fence = Uid.random().value().getBytes(StandardCharsets.UTF_8);
    return index.head().isEmpty()
        || indexes.writer().applyUnseen(IndexChange.of(index).set(IndexKeys.FENCE, fence));
  }

  /** Crosses out files that are under the path of their publication. One read for each file. */
  private void lookWherePublished(List<Ledger> taken, LedgerFiles checked) throws IOException {
    for (Ledger ledger : taken) {
      List<String> published = new ArrayList<>();
      for (Map.Entry<String, LedgerEntry> line : ledger.open().entrySet()) {
        if (line.getValue() instanceof LedgerEntry.OfFile file
            && !checked.unknown.contains(file.data().uid())) {
          FileData data = file.data();
          boolean known =
              failures.attempt(
                  file.path().toString(),
                  () -> {
                    if (isPublished(file)) {
                      published.add(line.getKey());
                    } else {
                      checked.unpublished.add(data.uid());
                      if (file instanceof LedgerEntry.RestoredFile) {
                        checked.restored.add(data.uid());
                      }
                    }
                  });
          if (!known) {
            checked.unknown.add(data.uid());
          }
        }
      }
      boolean unused =
          failures.attempt("ledger " + ledger.object(), () -> ledgers.crossOut(ledger, published));
      published.forEach(ledger.open()::remove);
    }
  }

  private boolean isPublished(LedgerEntry.OfFile file) throws IOException {
    FsPath path = file.path();
    return indexes
        .router()
        .name(path.parent(), path.name())
        .entry(path.name())
        .filter(entry -> entry.uid().equals(file.data().uid()))
        .isPresent();
  }

  /**
   * Removes what there is of a file that cannot appear any more. Data that was retained before is
   * retained once more ({@link ReturnedData}). To be repeated as long as the ledger is there, as
   * the process may write a stripe, or take one, after that. The ledger notes how far a long file
   * reaches.
   */
  private void giveUp(
      Ledger ledger, LedgerEntry.OfFile file, ReturnedData returned, LedgerFinds found)
      throws IOException {
    if (file instanceof LedgerEntry.RestoredFile restored) {
      returned.keep(restored);
      return;
    }
    FileData begun = file.data();
    if (remover.removeUnfinished(
        begun,
        ((LedgerEntry.UnfinishedFile) file).window(),
        stripe -> ledgers.note(ledger, new SeenStripe(begun.uid(), stripe)),
        found::note)) {
      found.maybe();
    }
  }

  private void tellOf(LedgerEntry.OfFile given) {
    if (given instanceof LedgerEntry.RestoredFile) {
      log.gaveBack(given.data());
    } else {
      log.removed(given.data());
    }
  }

  /** Returns whether something is left that could not be removed now. */
  private boolean remove(
      Ledger ledger, LedgerFiles checked, ReturnedData returned, LedgerFinds found)
      throws IOException {
    List<String> crossedOut = new ArrayList<>();
    List<String> removed = new ArrayList<>();
    log.unreadable(ledger.object(), ledger.unreadable());
    boolean rest = !ledger.unreadable().isEmpty();
    for (Map.Entry<String, LedgerEntry> line : ledger.open().entrySet()) {
      String key = line.getKey();
      boolean known =
          failures.attempt(
              "ledger " + ledger.object(),
              () -> {
                if (!(line.getValue() instanceof LedgerEntry.OfFile file)) {
                  if (indexCollector.remove(key, line.getValue())) {
                    removed.add(key);
                  }
                } else if (checked.isMissing(file.data().uid())) {
                  giveUp(ledger, file, returned, found);
                  tellOf(file);
                  removed.add(key);
                } else if (!checked.isUnknown(file.data().uid())) {
                  crossedOut.add(key);
                } else {
                  log.stillRenamed(file.data());
                }
              });
      if (!known) {
        rest = true;
        found.maybe();
      }
    }
    rest |= crossedOut.size() + removed.size() < ledger.open().size();
    for (Map.Entry<String, LedgerEntry> line : ledger.removed().entrySet()) {
      AtomicBoolean gone = new AtomicBoolean();
      boolean known =
          failures.attempt(
              "ledger " + ledger.object(),
              () -> {
                if (line.getValue() instanceof LedgerEntry.OfFile file) {
                  giveUp(ledger, file, returned, found);
                  gone.set(true);
                } else {
                  gone.set(indexCollector.remove(line.getKey(), line.getValue()));
                }
              });
      rest |= !gone.get();
      if (!known) {
        found.maybe();
      }
    }
    ledgers.crossOut(ledger, crossedOut);
    ledgers.markRemoved(ledger, removed);
    return rest;
  }
}
