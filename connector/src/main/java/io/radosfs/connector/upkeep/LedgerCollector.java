package io.radosfs.connector.upkeep;

import io.radosfs.connector.data.DataRemover;
import io.radosfs.connector.index.DirectoryPage;
import io.radosfs.connector.index.DirectoryView;
import io.radosfs.connector.index.IndexChange;
import io.radosfs.connector.layout.Entry;
import io.radosfs.connector.layout.FsPath;
import io.radosfs.connector.layout.IndexHead;
import io.radosfs.connector.layout.IndexKeys;
import io.radosfs.connector.layout.IndexObject;
import io.radosfs.connector.layout.Shards;
import io.radosfs.connector.layout.Uid;
import io.radosfs.connector.ledger.LedgerEntry;
import io.radosfs.connector.ledger.Ledgers;
import io.radosfs.connector.ledger.Ledgers.Ledger;
import io.radosfs.connector.transaction.TransactionParts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Removes what processes left of files that they never published. No clock makes it safe, and a
 * process thought dead may be alive all the while:
 *
 * <ol>
 *   <li>its ledger is taken over, in an operation after which the process can write nothing down;
 *       so what is in the ledger is all there is;
 *   <li>the fence of each directory concerned is set anew; from then on the process can publish
 *       none of these files, as the operation that would is guarded with the fence of before, and
 *       to go on with the new one the process asks its ledger first;
 *   <li>the index is searched for the files, wherever they were renamed to ({@link FileSearch}):
 *       one that it refers to was published before, and is crossed out;
 *   <li>the objects of the others are removed, and the ledger notes that;
 *   <li>the ledger stays for a while, as a stripe may still be on its way from a process that is
 *       gone; each collection removes again what is noted there. Then it is forgotten. A process
 *       that comes back removes itself what it has written, when publishing fails.
 * </ol>
 *
 * <p>May stop anywhere and be repeated, and several may run at a time.
 */
final class LedgerCollector {

  private static final int MAX_TRIES = 200;

  private final TransactionParts parts;
  private final DataRemover remover;
  private final Ledgers ledgers;
  private final CollectionLog log;

  LedgerCollector(TransactionParts parts, DataRemover remover, Ledgers ledgers, CollectionLog log) {
    this.parts = parts;
    this.remover = remover;
    this.ledgers = ledgers;
    this.log = log;
  }

  /**
   * Collects ledgers that have not been renewed since then.
   *
   * @param before milliseconds since the epoch; tells where to look, and no more
   */
  void collect(long before) throws IOException {
    List<Ledger> taken = takeOver(before);
    fence(taken);
    Optional<Set<Uid>> absent =
        FileSearch.missing(parts.reader(), parts.keptData(), unpublished(taken));
    for (Ledger ledger : taken) {
      boolean rest = remove(ledger, absent);
      if (!rest && ledgers.read(ledger.object()).renewed() <= before) {
        ledgers.forget(ledger);
        log.forgotten(ledger.object());
      }
    }
  }

  /** Tells what a collection would look at. Reads alone. */
  void preview(long before) throws IOException {
    for (String object : ledgers.registered()) {
      Ledger ledger = ledgers.read(object);
      if (isDue(ledger, before)) {
        log.wouldTakeOver(ledger);
      }
    }
  }

  private static boolean isDue(Ledger ledger, long before) {
    return ledger.state() == Ledgers.State.TAKEN || ledger.renewed() <= before;
  }

  private List<Ledger> takeOver(long before) throws IOException {
    List<Ledger> taken = new ArrayList<>();
    for (String object : ledgers.registered()) {
      Ledger ledger = ledgers.read(object);
      if (!isDue(ledger, before)) {
        continue;
      }
      if (ledgers.takeOver(ledger)) {
        log.takenOver(ledger);
        // Read again: the process may have written until the operation that took the ledger.
        taken.add(ledgers.read(object));
      } else {
        log.alive(object);
      }
    }
    return taken;
  }

  private void fence(List<Ledger> taken) throws IOException {
    Map<FsPath, Set<String>> files = new HashMap<>();
    for (Ledger ledger : taken) {
      for (LedgerEntry entry : ledger.open().values()) {
        if (entry instanceof LedgerEntry.UnfinishedFile file) {
          FsPath path = file.data().origin();
          files.computeIfAbsent(path.parent(), any -> new HashSet<>()).add(path.name());
        }
      }
    }
    for (Map.Entry<FsPath, Set<String>> directory : files.entrySet()) {
      fence(directory.getKey(), directory.getValue());
    }
  }

  /** An index that lacks needs none: one made later has a fence that nobody has seen. */
  private void fence(FsPath directory, Set<String> names) throws IOException {
    for (int i = 0; i < MAX_TRIES; i++) {
      DirectoryView head = parts.reader().keys(directory, List.of());
      if (!head.isSharded()) {
        if (fence(head)) {
          return;
        }
        continue;
      }
      Shards shards = head.head().orElseThrow().shards();
      boolean all = true;
      for (IndexObject shard : shards.byShard(directory, names).keySet()) {
        all &= fence(parts.reader().keys(shard, List.of()));
      }
      if (all) {
        return;
      }
    }
    throw new IOException("directory " + directory + " keeps changing; run the collection again");
  }

  private boolean fence(DirectoryView index) throws IOException {
    byte[] fence = Uid.random().value().getBytes(StandardCharsets.UTF_8);
    return index.head().isEmpty()
        || parts.writer().applyOrLookAgain(IndexChange.of(index).set(IndexKeys.FENCE, fence));
  }

  /** The files that are not where they were published to, if they were. One read for each file. */
  private Set<Uid> unpublished(List<Ledger> taken) throws IOException {
    Set<Uid> files = new HashSet<>();
    for (Ledger ledger : taken) {
      List<String> published = new ArrayList<>();
      for (Map.Entry<String, LedgerEntry> line : ledger.open().entrySet()) {
        if (line.getValue() instanceof LedgerEntry.UnfinishedFile file) {
          if (isPublished(file)) {
            published.add(line.getKey());
          } else {
            files.add(file.data().uid());
          }
        }
      }
      ledgers.settle(ledger, published);
      published.forEach(ledger.open()::remove);
    }
    return files;
  }

  private boolean isPublished(LedgerEntry.UnfinishedFile file) throws IOException {
    FsPath path = file.data().origin();
    return parts
        .router()
        .name(path.parent(), path.name())
        .entry(path.name())
        .filter(entry -> entry.uid().equals(file.data().uid()))
        .isPresent();
  }

  /** Answers whether something is left that could not be removed now. */
  private boolean remove(Ledger ledger, Optional<Set<Uid>> absent) throws IOException {
    List<String> settled = new ArrayList<>();
    List<String> removed = new ArrayList<>();
    boolean rest = false;
    for (Map.Entry<String, LedgerEntry> line : ledger.open().entrySet()) {
      if (line.getValue() instanceof LedgerEntry.NewShards made) {
        removeShards(made);
        removed.add(line.getKey());
        continue;
      }
      if (line.getValue() instanceof LedgerEntry.NewIndex index) {
        if (removeIndex(line.getKey(), index.directory())) {
          removed.add(line.getKey());
        } else {
          rest = true;
        }
        continue;
      }
      LedgerEntry.UnfinishedFile file = (LedgerEntry.UnfinishedFile) line.getValue();
      if (absent.isEmpty()) {
        log.unsettled(file.data());
        rest = true;
      } else if (absent.get().contains(file.data().uid())) {
        remover.removeUnfinished(file.data(), file.window());
        log.removed(file.data());
        removed.add(line.getKey());
      } else {
        settled.add(line.getKey());
      }
    }
    for (Map.Entry<String, LedgerEntry> line : ledger.removed().entrySet()) {
      if (line.getValue() instanceof LedgerEntry.UnfinishedFile file) {
        remover.removeUnfinished(file.data(), file.window());
      } else if (line.getValue() instanceof LedgerEntry.NewIndex index) {
        rest |= !removeIndex(line.getKey(), index.directory());
      } else if (line.getValue() instanceof LedgerEntry.NewShards made) {
        removeShards(made);
      }
    }
    ledgers.settle(ledger, settled);
    ledgers.markRemoved(ledger, removed);
    return rest;
  }

  /**
   * Removes shards that a process made after others had finished what it was at: they wait to be
   * filled, and the head object, which is looked at after, does not lead to them any more.
   */
  private void removeShards(LedgerEntry.NewShards made) throws IOException {
    FsPath directory = made.directory();
    Map<IndexObject, IndexHead> waiting = new HashMap<>();
    for (IndexObject shard : made.shards().of(directory)) {
      parts
          .reader()
          .keys(shard, List.of())
          .head()
          .filter(head -> head.is(IndexHead.State.FILLING))
          .ifPresent(head -> waiting.put(shard, head));
    }
    Optional<IndexHead> head = parts.reader().keys(directory, List.of()).head();
    if (head.filter(IndexHead.OPEN.splittingInto(made.shards())::equals).isPresent()) {
      return;
    }
    for (Map.Entry<IndexObject, IndexHead> shard : waiting.entrySet()) {
      boolean unused =
          parts
              .writer()
              .applyOrLookAgain(IndexChange.of(shard.getKey(), shard.getValue()).removeIndex());
      log.removedIndex(directory);
    }
  }

  /**
   * Removes an index that a process made for a directory that is not there; whoever wants to change
   * something in it looks again, and an index that lacks reads as empty. Answers false when it must
   * be looked at another time.
   */
  private boolean removeIndex(String key, FsPath directory) throws IOException {
    Map<String, String> all = new HashMap<>();
    for (String prefix :
        List.of(
            IndexKeys.ENTRY_PREFIX,
            IndexKeys.CLAIM_PREFIX,
            IndexKeys.TRANSACTION_PREFIX,
            IndexKeys.DECISION_PREFIX,
            IndexKeys.RECLAIM_PREFIX)) {
      all.put(prefix, "");
    }
    for (int i = 0; i < MAX_TRIES; i++) {
      Optional<IndexHead> found = parts.reader().keys(directory, List.of()).head();
      if (found.isEmpty()) {
        return true;
      }
      IndexHead head = found.get();
      if (head.is(IndexHead.State.CLOSING)) {
        parts.reclaimer().finishRemoval(directory, new Uid(head.tag()));
        return true;
      }
      if (head.is(IndexHead.State.FROZEN) || head.is(IndexHead.State.OPENING)) {
        // Made for a transaction, if for any, that is named so.
        parts.freeNames().settleDecided(IndexObject.head(directory), List.of(head.tag()));
      }
      Map<String, DirectoryPage> pages = parts.reader().pages(directory, List.of(), all);
      DirectoryView view = pages.get(IndexKeys.ENTRY_PREFIX).view();
      if (view.head().isEmpty()) {
        return true;
      }
      // What leads to the directory is read after the index, whose removal is guarded with it.
      if (isDirectory(directory)) {
        return true;
      }
      boolean empty =
          !view.isSharded() && pages.values().stream().allMatch(page -> page.entries().isEmpty());
      if (!empty || view.head().get().is(IndexHead.State.FROZEN)) {
        log.unsettled(key, directory);
        return false;
      }
      if (parts
          .writer()
          .applyOrLookAgain(
              IndexChange.of(directory, view.head().get()).expectUnchanged(view).removeIndex())) {
        log.removedIndex(directory);
        return true;
      }
    }
    return false;
  }

  private boolean isDirectory(FsPath directory) throws IOException {
    DirectoryView parent = parts.router().name(directory.parent(), directory.name());
    Optional<Entry> entry = parent.entry(directory.name());
    return parent.claim(directory.name()).isPresent()
        || entry.filter(Entry.OfDirectory.class::isInstance).isPresent();
  }
}
